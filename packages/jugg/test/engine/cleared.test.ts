import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { Bench, CACHE, MAIN, RES } from './support.ts';

// Cold compilers on a busy machine take their time; a fast one needs a tenth of it.
vi.setConfig({ testTimeout: 180_000 });

test('a cache that is cleared below a running engine is made anew', async () => {
  const cache = await mkdtemp(join(tmpdir(), 'jugg-cache-'));
  // Ours are what is quickly made; the rest is shared with the other tests.
  const own = ['aapt2', 'resource-tables'];
  await mkdir(CACHE, { recursive: true });
  for (const name of await readdir(CACHE))
    if (!own.includes(name)) await symlink(join(CACHE, name), join(cache, name), 'dir');
  const bench = await Bench.open(undefined, cache);
  try {
    await bench.build();
    for (const name of own) await rm(join(cache, name), { recursive: true });
    await bench.replace(`${RES}/values/strings.xml`, '>Add<', '>More<');
    await bench.build();
  } finally {
    await bench.close();
    await rm(cache, { recursive: true, force: true });
  }
});

test('after a full build that did not succeed nobody says that nothing was built', async () => {
  const bench = await Bench.open();
  const said = async (): Promise<string> => {
    const explained = await bench.engine.explain({ projectDir: bench.projectDir });
    return explained.ok ? explained.value.reason : explained.fault.message;
  };
  try {
    expect(await said()).toBe('nothing was built yet');
    await bench.whileReplaced(`${MAIN}/CountText.kt`, '"Count: $count"', 'missing(count)', async () => {
      await bench.fault();
      expect(await said()).toBe('the last full build did not succeed; what was compiled already is used');
      const info = await bench.engine.describe(bench.projectDir);
      expect(info).toMatchObject({ value: { noBaseline: 'the last full build did not succeed' } });
    });
    await bench.build();
    expect(await said()).toBe('nothing changed');
  } finally {
    await bench.close();
  }
});
