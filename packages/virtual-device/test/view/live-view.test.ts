import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startControl } from '../../src/control/server.ts';
import type { ControlServer } from '../../src/control/server.ts';
import { makeView } from '../../src/view/routes.ts';
import { startFixtureDevice } from '../support/fixture-device.ts';
import type { FixtureDevice } from '../support/fixture-device.ts';
import { browserMissing, openPage } from './browser.ts';

const missing = await browserMissing();
let fixture: FixtureDevice;
let vd: FixtureDevice['vd'];
let client: FixtureDevice['client'];
let control: ControlServer;
let token: string;
let address: string;

beforeAll(async () => {
  fixture = await startFixtureDevice({ running: true });
  ({ vd, client } = fixture);
  const view = makeView(vd.device.services, 'test <device>');
  token = view.token;
  control = await startControl({ token: 'control', control: async () => ({}), other: view.route });
  address = `http://127.0.0.1:${control.port}`;
});
afterAll(async () => {
  await control.close();
  await fixture.stop();
});

/** Bounds of a view on the screen: its centre. */
async function centre(id: string): Promise<{ x: number; y: number }> {
  await client.sh('uiautomator dump /sdcard/w.xml');
  const xml = (await client.sh('cat /sdcard/w.xml')).stdout;
  const match = new RegExp(`:id/${id}"[^>]*bounds="\\[(\\d+),(\\d+)\\]\\[(\\d+),(\\d+)\\]`).exec(xml);
  const [left = 0, top = 0, right = 0, bottom = 0] = (match ?? []).slice(1).map(Number);
  return { x: (left + right) / 2, y: (top + bottom) / 2 };
}

async function text(id: string): Promise<string | undefined> {
  await client.sh('uiautomator dump /sdcard/w.xml');
  const xml = (await client.sh('cat /sdcard/w.xml')).stdout;
  return new RegExp(`text="([^"]*)" resource-id="[^"]*:id/${id}"`).exec(xml)?.[1];
}

const input = (
  body: unknown,
  headers: Record<string, string> = { 'x-view-token': token },
): Promise<Response> => fetch(`${address}/input`, { method: 'POST', headers, body: JSON.stringify(body) });

/** `fetch` sets Host and Origin itself. */
function statusWith(headers: Record<string, string>, path = `/?token=${token}`): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port: control.port, path, headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    asked.once('error', reject);
    asked.end();
  });
}

test('who lacks the token, comes from another site or by another name gets nothing', async () => {
  expect((await fetch(`${address}/`)).status).toBe(401);
  expect((await fetch(`${address}/?token=${token}x`)).status).toBe(401);
  expect((await fetch(`${address}/frame?token=${token}`)).status).toBe(401);
  expect((await input({ kind: 'rotate' }, {})).status).toBe(401);
  expect((await fetch(`${address}/control`, { method: 'POST', body: '{}' })).status).toBe(401);
  expect(await statusWith({ host: 'evil.example' })).toBe(403);
  expect(await statusWith({ origin: 'http://evil.example' })).toBe(403);
  expect(await statusWith({})).toBe(200);
  // The token of the view opens nothing else.
  const asked = await fetch(`${address}/control`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: '{"command":"status"}',
  });
  expect(asked.status).toBe(401);
});

test('the page is whole, lets nothing else in, and shows the name as text', async () => {
  const page = await fetch(`${address}/?token=${token}`);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(await page.text()).toContain('test &lt;device>');
});

test('frames come when the screen changes, and pictures are of the screen', async () => {
  const stop = new AbortController();
  const frames = await fetch(`${address}/frames`, {
    headers: { 'x-view-token': token },
    signal: stop.signal,
  });
  const reader = frames.body?.getReader();
  const next = async (): Promise<string> => Buffer.from((await reader?.read())?.value ?? []).toString();
  expect(await next()).toMatch(/^data: \d+\n\n$/);
  const picture = async (): Promise<Buffer> =>
    Buffer.from(
      await (await fetch(`${address}/frame`, { headers: { 'x-view-token': token } })).arrayBuffer(),
    );
  const before = await picture();
  expect(before.subarray(1, 4).toString()).toBe('PNG');
  expect([before.readUInt32BE(16), before.readUInt32BE(20)]).toEqual([1080, 2400]);
  const told = next();
  expect((await input({ kind: 'tap', ...(await centre('count')) })).status).toBe(200);
  expect(await text('title')).toBe('Count: 1');
  await told;
  expect((await picture()).equals(before)).toBe(false);
  stop.abort();
});

test('typing, keys, rotation; nonsense is refused', async () => {
  expect((await input({ kind: 'tap', ...(await centre('input')) })).status).toBe(200);
  await input({ kind: 'text', text: 'Grüße 😀' });
  expect(await text('input')).toBe('Grüße 😀');
  await input({ kind: 'key', keyCode: 67 });
  await input({ kind: 'rotate' });
  expect(vd.device.services.display.current).toEqual([2400, 1080]);
  await input({ kind: 'rotate' });
  expect((await input({ kind: 'tap', x: 'left' })).status).toBe(400);
  expect((await input({ kind: 'explode' })).status).toBe(400);
});

describe.skipIf(missing !== null)(`in a real browser${missing ? ` (skipped: ${missing})` : ''}`, () => {
  test('the screen is drawn; clicks and typing go to the app; the picture follows', async () => {
    const page = await openPage(`${address}/?token=${token}`);
    try {
      await expect
        .poll(() => page.evaluate("document.getElementById('screen').width"), { timeout: 30_000 })
        .toBe(1080);
      const box = JSON.parse(
        String(
          await page.evaluate("JSON.stringify(document.getElementById('screen').getBoundingClientRect())"),
        ),
      );
      const at = async (id: string): Promise<[number, number]> => {
        const { x, y } = await centre(id);
        return [box.x + (x / 1080) * box.width, box.y + (y / 2400) * box.height];
      };
      const before = Number(/\d+/.exec((await text('title')) ?? '')?.[0]);
      const frame = Number(await page.evaluate("document.getElementById('screen').dataset.frame"));
      await page.click(...(await at('count')));
      await expect.poll(() => text('title'), { timeout: 20_000 }).toBe(`Count: ${before + 1}`);
      await expect
        .poll(async () => Number(await page.evaluate("document.getElementById('screen').dataset.frame")), {
          timeout: 20_000,
        })
        .toBeGreaterThan(frame);
      await page.click(...(await at('input')));
      await page.type('abc');
      await expect.poll(() => text('input'), { timeout: 20_000 }).toContain('abc');
      // Not one colour: the app is drawn in it.
      const colours = await page.evaluate(
        "new Set(document.getElementById('screen').getContext('2d').getImageData(0, 0, 1080, 400).data).size",
      );
      expect(colours).toBeGreaterThan(5);
    } finally {
      await page.close();
    }
  }, 120_000);
});
