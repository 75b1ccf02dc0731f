import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';

/** A page in a real Chromium without a window, driven by its own protocol (CDP) over a pipe. */
export interface Page {
  /** The value of an expression in the page. */
  evaluate(expression: string): Promise<unknown>;
  click(x: number, y: number): Promise<void>;
  type(text: string): Promise<void>;
  /** PNG of the page. */
  screenshot(): Promise<Buffer>;
  close(): Promise<void>;
}

const PROGRAMS = ['chromium', 'google-chrome', 'chromium-browser'];

async function programHere(): Promise<string | null> {
  for (const program of PROGRAMS) {
    const code = await new Promise((resolve) => {
      const child = spawn(program, ['--version'], { stdio: 'ignore' });
      child.once('error', () => resolve(null));
      child.once('exit', resolve);
    });
    if (code === 0) return program;
  }
  return null;
}

/** Why no page can be opened, or `null`. */
export async function browserMissing(): Promise<string | null> {
  return (await programHere()) ? null : 'no Chromium (Debian: apt-get install chromium)';
}

interface Answer {
  readonly id?: number;
  readonly result?: Record<string, unknown>;
}

/** Messages are JSON ended by a NUL, to fd 3 and from fd 4 (`--remote-debugging-pipe`). */
class Connection {
  readonly #to: Writable;
  readonly #waiting = new Map<number, (result: Record<string, unknown>) => void>();
  #id = 0;
  #rest = '';

  constructor(child: ChildProcess) {
    const [, , , to, from] = child.stdio;
    if (!(to instanceof Writable) || !(from instanceof Readable)) throw new Error('no pipes');
    this.#to = to;
    from.setEncoding('utf8');
    from.on('data', (text: string) => this.#take(text));
  }

  send(
    method: string,
    params: Record<string, unknown> = {},
    sessionId?: string,
  ): Promise<Record<string, unknown>> {
    const id = ++this.#id;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#to.write(`${JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) })}\0`);
    });
  }

  #take(text: string): void {
    const messages = (this.#rest + text).split('\0');
    this.#rest = messages.pop() ?? '';
    for (const each of messages) {
      const message: Answer = JSON.parse(each);
      if (message.id === undefined) continue;
      this.#waiting.get(message.id)?.(message.result ?? {});
      this.#waiting.delete(message.id);
    }
  }
}

export async function openPage(url: string): Promise<Page> {
  const profile = await mkdtemp(join(tmpdir(), 'chromium-'));
  const program = (await programHere()) ?? 'chromium';
  const args = ['--headless=new', '--no-sandbox', '--disable-gpu', '--window-size=1000,900'];
  const child = spawn(program, [...args, '--remote-debugging-pipe', `--user-data-dir=${profile}`], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  });
  const exited = new Promise((resolve) => {
    child.once('exit', resolve);
  });
  const connection = new Connection(child);
  const { targetId } = await connection.send('Target.createTarget', { url });
  const { sessionId } = await connection.send('Target.attachToTarget', { targetId, flatten: true });
  const send = (method: string, params: Record<string, unknown> = {}): Promise<Record<string, unknown>> =>
    connection.send(method, params, String(sessionId));
  const mouse = (type: string, x: number, y: number): Promise<unknown> =>
    send('Input.dispatchMouseEvent', { type, x, y, button: 'left', clickCount: 1 });
  return {
    async evaluate(expression) {
      const answer = await send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true });
      const { result } = answer;
      return typeof result === 'object' && result !== null && 'value' in result ? result.value : undefined;
    },
    async click(x, y) {
      await mouse('mousePressed', x, y);
      await mouse('mouseReleased', x, y);
    },
    async type(text) {
      for (const key of text) {
        await send('Input.dispatchKeyEvent', { type: 'keyDown', key, text: key });
        await send('Input.dispatchKeyEvent', { type: 'keyUp', key });
      }
    },
    async screenshot() {
      const { data } = await send('Page.captureScreenshot');
      return Buffer.from(String(data), 'base64');
    },
    async close() {
      await connection.send('Browser.close');
      await exited;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
