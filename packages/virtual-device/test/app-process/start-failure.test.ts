import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AppProcess, complaintOf } from '../../src/app-process/app-process.ts';
import { AppProcessPool } from '../../src/app-process/pool.ts';
import { localLaunchSpec } from './local-tools.ts';

let dir: string;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'jugg-start-'));
});

afterAll(async () => {
  await rm(dir, { recursive: true, force: true });
});

describe('a process that does not start', () => {
  test('without Java says which file it was', async () => {
    const spec = { ...(await localLaunchSpec(dir)), java: join(dir, 'no', 'java') };
    const started = await AppProcess.start(spec);
    expect(started).toMatchObject({ ok: false, fault: { code: 'PROCESS_GONE' } });
    if (!started.ok) expect(started.fault.message).toContain(spec.java);
  });

  test('with a class path that lacks it says what the JVM said', async () => {
    const spec = { ...(await localLaunchSpec(dir)), classPath: [join(dir, 'nothing.jar')] };
    const started = await AppProcess.start(spec);
    if (started.ok) throw new Error('it started');
    expect(started.fault.message).toMatch(/ended with 1 at its start: .*dev\.jugg\.vd\.host\.Main/);
  });

  test('is told to who takes from the pool, and the pool goes on', async () => {
    const trouble: string[] = [];
    const spec = { ...(await localLaunchSpec(dir)), classPath: [join(dir, 'nothing.jar')] };
    const pool = new AppProcessPool(spec, { onTrouble: (message) => trouble.push(message) });
    expect(await pool.take()).toMatchObject({ ok: false, fault: { code: 'PROCESS_GONE' } });
    expect(await pool.take()).toMatchObject({ ok: false });
    expect(trouble).toHaveLength(2);
    await pool.close();
    expect(await pool.take()).toMatchObject({ fault: { code: 'CANCELED' } });
  });
});

test('the innermost cause is the complaint', () => {
  const stderr =
    '[0.1s][info][cds] x\njava.lang.A: outer\n\tat b\nCaused by: java.lang.C: inner\n\t... 3 more\n';
  expect(complaintOf(stderr)).toBe('Caused by: java.lang.C: inner');
  expect(complaintOf('Error: Could not find or load main class x\n')).toBe(
    'Error: Could not find or load main class x',
  );
  expect(complaintOf('')).toBe('it wrote nothing');
});
