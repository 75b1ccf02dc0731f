import { execa } from 'execa';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { juggDirs } from '../../src/shared/paths.ts';
import { VERSION } from '../../src/shared/version.ts';

const PACKAGE = join(import.meta.dirname, '..', '..');

let folder: string;
let bin: string;
let env: Record<string, string>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jugg-pack-'));
  const temporary = join(folder, 'tmp');
  await mkdir(temporary);
  env = { JUGG_HOME: join(folder, 'home'), JUGG_CACHE_DIR: juggDirs().cache, TMPDIR: temporary };
  // The set-up has built dist already; packing must not build it again while other tests use it.
  await execa('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: PACKAGE });
  const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? '';
  // Everything is bundled: an empty folder needs nothing from a registry.
  await execa('npm', ['install', '--offline', '--no-audit', '--no-fund', join(folder, tarball)], {
    cwd: folder,
  });
  bin = join(folder, 'node_modules', '.bin', 'jugg');
});
afterAll(async () => {
  await execa(bin, ['stop'], { env, reject: false });
  await rm(folder, { recursive: true, force: true });
});

describe('the packed tarball, in an empty folder', () => {
  test('knows its version', async () => {
    const { stdout } = await execa(bin, ['version', '--json'], { env, cwd: folder });
    expect(JSON.parse(stdout)).toMatchObject({ status: 'OK', data: { version: VERSION } });
  });

  test('runs the demo, and leaves nothing but the two files it names', { timeout: 240_000 }, async () => {
    const { stdout } = await execa(bin, ['demo'], { env, cwd: folder });
    for (const seen of [
      'INSTALL',
      'Count: 1',
      'HOT_RELOAD',
      'still process',
      'Add one more',
      'CountText.kt:4:',
    ])
      expect(stdout).toContain(seen);
    const files = (await readdir(join(folder, 'home', 'artifacts'))).map((name) => name.replace(/.*-/, ''));
    expect(files.toSorted()).toEqual(['layout.html', 'screenshot.png']);
    expect(await readdir(join(folder, 'tmp'))).toEqual([]);
  });
});
