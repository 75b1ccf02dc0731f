import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { HostPool } from '../../src/toolchain/host-pool.ts';
import { hostBench, quietWork, valueOf, type HostBench } from './support.ts';

// Cold compilers on a busy machine take their time; a fast one needs a tenth of it.
vi.setConfig({ testTimeout: 180_000 });

let bench: HostBench;
let pool: HostPool;
let file: string;
beforeEach(async () => {
  bench = await hostBench();
  file = join(bench.folder, 'Small.java');
  await mkdir(bench.folder, { recursive: true });
  await writeFile(file, 'class Small { int f() { return 1; } }');
});
afterEach(async () => {
  await pool.close();
  await bench.close();
});

function open(recycleAt?: number): void {
  const { dirs, files } = bench;
  pool = new HostPool({
    dirs,
    env: process.env,
    files,
    classData: false,
    ...(recycleAt === undefined ? {} : { recycleAt }),
  });
}

function compile(name: string, timeoutMs = 120_000): ReturnType<HostPool['call']> {
  const outputDir = join(bench.folder, name);
  const request = { sources: [file], classPath: [], outputDir, release: 11, freeArguments: [] };
  return pool.call('compileJava', request, timeoutMs, quietWork());
}

test('a host over its ceiling is replaced under load; what it was doing is finished, and nothing is lost', async () => {
  // Less than a JVM needs for itself: it is over it whenever it looks.
  open(0.001);
  const pids = new Set<number>();
  let replies = 0;
  const failures: unknown[] = [];
  const caller = async (name: string): Promise<void> => {
    while (pids.size < 2 && failures.length === 0) {
      const answer = await compile(`${name} ${replies}`);
      if (answer.ok) replies += 1;
      else failures.push(answer.fault);
      if (pool.pid !== undefined) pids.add(pool.pid);
    }
  };
  // Side by side, so that the host is never without a call.
  await Promise.all(['a', 'b', 'c'].map(caller));
  expect(failures).toEqual([]);
  expect(replies).toBeGreaterThan(pids.size);
  await pool.close();
  for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});

test('a host that hangs fails its call, with its log, and the next call has another one', async () => {
  open();
  valueOf(await compile('before'));
  const pid = pool.pid ?? 0;
  process.kill(pid, 'SIGSTOP');
  const hung = await compile('during', 300);
  expect(hung).toMatchObject({
    ok: false,
    fault: { code: 'ENVIRONMENT_ERROR', data: { log: expect.any(String) } },
  });
  expect(hung.ok ? '' : hung.fault.message).toContain('did not answer compileJava within 0.3 s');
  expect(valueOf(await compile('after'))).toMatchObject({ success: true });
  expect(pool.pid).not.toBe(pid);
});

test('a cancel that the host does not hear ends it', async () => {
  open();
  valueOf(await compile('before'));
  const pid = pool.pid ?? 0;
  process.kill(pid, 'SIGSTOP');
  const abort = new AbortController();
  const request = { files: [file] };
  const call = pool.call('classInfo', request, 120_000, quietWork(abort.signal));
  await setTimeout(50);
  abort.abort();
  expect(await call).toMatchObject({ ok: false, fault: { code: 'CANCELED' } });
  expect(valueOf(await compile('after'))).toMatchObject({ success: true });
  expect(pool.pid).not.toBe(pid);
});
