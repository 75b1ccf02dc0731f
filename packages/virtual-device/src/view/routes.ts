import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { readJson, refuse, sameSecret, sendJson } from '../control/server.ts';
import type { Route } from '../control/server.ts';
import type { Services } from '../services/services.ts';
import { doInput, viewInputSchema } from './input.ts';
import { viewPage } from './page.ts';
import { ScreenWatch } from './screen-watch.ts';
import type { Frame } from './screen-watch.ts';

export interface View {
  /** In the page's address; lets its holder see and touch the screen, nothing more. */
  readonly token: string;
  readonly route: Route;
}

/** So that a browser and what is between notice that the device is there. */
const HEARTBEAT_MS = 15_000;

/**
 * The live view: `/` is the page, `/frames` tells of each new frame (server-sent events), `/frame` is the newest
 * picture, `POST /input` touches and types. All but the page take the token as a header, so that no other site can
 * make a browser send it.
 */
export function makeView(services: Services, name: string): View {
  const token = randomBytes(24).toString('base64url');
  const watch = new ScreenWatch(services);
  let inputs: Promise<void> = Promise.resolve();
  const route: Route = async (request, response, url) => {
    const given = url.pathname === '/' ? url.searchParams.get('token') : request.headers['x-view-token'];
    if (typeof given !== 'string' || !sameSecret(given, token))
      return refuse(response, 401, 'The address lacks the token: `jugg vd window` prints it whole.');
    if (request.method === 'GET' && url.pathname === '/') return sendPage(response, name);
    if (request.method === 'GET' && url.pathname === '/frames') return sendFrames(response, watch);
    if (request.method === 'GET' && url.pathname === '/frame') return sendFrame(response, watch.frame);
    if (request.method !== 'POST' || url.pathname !== '/input') return refuse(response, 404, 'nothing here');
    const input = viewInputSchema.safeParse(await readJson(request));
    if (!input.success) return refuse(response, 400, input.error.message);
    // In the order in which they came, as fingers do.
    const done = inputs.then(() => doInput(input.data, services));
    // One that an app did not survive must not keep the next from reaching it.
    inputs = done.catch(() => {});
    await done;
    watch.poke();
    sendJson(response, { ok: true });
  };
  return { token, route };
}

function sendPage(response: ServerResponse, name: string): void {
  const nonce = randomBytes(16).toString('base64');
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; connect-src 'self'; img-src blob:; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; frame-ancestors 'none'; base-uri 'none'`,
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(viewPage(name, nonce));
}

function sendFrames(response: ServerResponse, watch: ScreenWatch): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  const stop = watch.subscribe(({ sequence }) => {
    response.write(`data: ${sequence}\n\n`);
  });
  const heart = setInterval(() => response.write(':\n\n'), HEARTBEAT_MS);
  response.on('close', () => {
    clearInterval(heart);
    stop();
  });
}

function sendFrame(response: ServerResponse, frame: Frame | null): void {
  if (!frame) return refuse(response, 404, 'no frame yet');
  response.writeHead(200, { 'content-type': 'image/png', 'cache-control': 'no-store' });
  response.end(frame.png);
}
