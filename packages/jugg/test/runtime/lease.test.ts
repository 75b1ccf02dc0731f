import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bundleForTest } from '../bundle.ts';

let scripts: string;
let state: string;
const running: Server[] = [];

beforeAll(async () => {
  scripts = await mkdtemp(join(tmpdir(), 'jugg-lease-'));
  await bundleForTest(join(import.meta.dirname, 'lease-child.ts'), scripts);
});
afterAll(() => rm(scripts, { recursive: true, force: true }));
beforeEach(async () => {
  state = await mkdtemp(join(tmpdir(), 'jugg-lease-state-'));
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.end('SIGKILL')));
  await rm(state, { recursive: true, force: true });
});

/** The jobs of a server, in a real process. */
class Server {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #exited: Promise<unknown>;
  readonly #waiting: ((line: string) => void)[] = [];

  constructor(projectDir: string, aheadMs = 0) {
    this.#child = spawn(process.execPath, [
      join(scripts, 'lease-child.mjs'),
      state,
      projectDir,
      String(aheadMs),
    ]);
    this.#exited = new Promise((resolve) => this.#child.once('exit', resolve));
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.#waiting.shift()?.(line));
    running.push(this);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  async ask(line: string): Promise<Record<string, unknown>> {
    const answer = new Promise<string>((resolve) => this.#waiting.push(resolve));
    this.#child.stdin.write(`${line}\n`);
    return JSON.parse(await answer);
  }

  async end(signal: 'SIGKILL' | 'SIGSTOP'): Promise<void> {
    this.#child.kill(signal);
    if (signal === 'SIGKILL') await this.#exited;
  }
}

describe('two servers of one user', () => {
  test('exclude each other on one project; a crash frees it', async () => {
    const a = new Server('/p');
    const b = new Server('/p');
    const first = await a.ask('submit');
    expect(first).toMatchObject({ ok: true, value: { server: a.pid } });
    const until = Date.now();
    const refused = await b.ask('submit');
    expect(refused).toMatchObject({
      ok: false,
      fault: { code: 'PROJECT_BUSY', data: { holder: { pid: a.pid } } },
    });
    const { data } = Object(refused['fault']);
    expect(Date.parse(data.until)).toBeGreaterThan(until);
    // A second job of the holder itself just waits for its turn.
    expect(await a.ask('submit')).toMatchObject({ ok: true });
    const { jobId } = Object(first['value']);
    expect(await b.ask(jobId)).toMatchObject({ status: 'running' });
    await a.end('SIGKILL');
    expect(await b.ask(jobId)).toMatchObject({ status: 'failed', errorCode: 'SERVER_STOPPED' });
    expect(await b.ask('submit')).toMatchObject({ ok: true, value: { server: b.pid } });
  });

  test('work side by side on two projects', async () => {
    const [a, b] = [new Server('/p'), new Server('/q')];
    expect(await a.ask('submit')).toMatchObject({ ok: true });
    expect(await b.ask('submit')).toMatchObject({ ok: true });
  });

  test('free a project when they end in an orderly way', async () => {
    const [a, b] = [new Server('/p'), new Server('/p')];
    await a.ask('submit');
    await a.ask('close');
    expect(await b.ask('submit')).toMatchObject({ ok: true });
    expect(await readdir(join(state, 'leases'))).toHaveLength(1);
  });

  test('of many that come at once to a lease that a crash left, one gets it', async () => {
    const dead = new Server('/p');
    await dead.ask('submit');
    await dead.end('SIGKILL');
    const all = Array.from({ length: 4 }, () => new Server('/p'));
    const answers = await Promise.all(all.map((server) => server.ask('submit')));
    expect(answers.filter((answer) => answer['ok'])).toHaveLength(1);
  });

  test('a suspended one does not keep the project for ever', async () => {
    const [a, soon, later] = [new Server('/p'), new Server('/p'), new Server('/p', 60_000)];
    await a.ask('submit');
    await a.end('SIGSTOP');
    expect(await soon.ask('submit')).toMatchObject({ fault: { code: 'PROJECT_BUSY' } });
    expect(await later.ask('submit')).toMatchObject({ ok: true });
  });
});
