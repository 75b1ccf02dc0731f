import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AppProcess } from '../../src/app-process/app-process.ts';
import { localLaunchSpec, testCache } from './local-tools.ts';

test('a process that somebody waits for leaves its warm-up out, another one does not', async () => {
  const spec = await localLaunchSpec(join(testCache, 'app-process'));
  const start = async (wanted: AbortSignal): Promise<string> => {
    const started = await AppProcess.start(spec, { wanted });
    if (!started.ok) throw new Error(started.fault.message);
    const noted = await readFile(started.value.stderrFile, 'utf8');
    await started.value.kill();
    return noted;
  };
  expect(await start(AbortSignal.abort())).toContain('ms] not warm: somebody waits');
  expect(await start(new AbortController().signal)).toContain('ms] warm\n');
}, 300_000);
