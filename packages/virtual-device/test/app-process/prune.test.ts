import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { prune } from '../../src/app-process/prune.ts';

test('what has not changed for long goes, files and folders', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'jugg-prune-'));
  await mkdir(join(dir, 'old', 'inner'), { recursive: true });
  await writeFile(join(dir, 'old.jsa'), '');
  await writeFile(join(dir, 'new.jsa'), '');
  const now = Date.now();
  const twoHoursAgo = (now - 7_200_000) / 1000;
  await utimes(join(dir, 'old'), twoHoursAgo, twoHoursAgo);
  await utimes(join(dir, 'old.jsa'), twoHoursAgo, twoHoursAgo);
  await prune(dir, 3_600_000, now);
  expect(await readdir(dir)).toEqual(['new.jsa']);
  await prune(join(dir, 'not there'), 1, now);
  await rm(dir, { recursive: true });
});
