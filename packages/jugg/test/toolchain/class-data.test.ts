import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { classDataOf } from '../../src/toolchain/class-data.ts';
import { findJdk } from '../../src/toolchain/jdk.ts';
import { temporaryFolder } from '../../src/toolchain/temp-dirs.ts';
import { hostBench, oddFolder, quietWork, valueOf } from './support.ts';

let folder: string;
beforeEach(async () => {
  folder = await oddFolder();
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** A JDK that makes the newer kind of archive; not on every machine. */
const JDK_25 = '/usr/lib/jvm/temurin-25-jdk-amd64';

test.for([
  ['this machine’s Java', {}, 'jsa'],
  ['Java 25', { JUGG_JAVA_HOME: JDK_25 }, 'aot'],
] as const)(
  'with %s the first warm-up makes the archive in the background, the next host maps it',
  // A process of the lowest priority does the work, on a machine that runs other tests.
  { timeout: 300_000 },
  async ([_name, env, extension], context) => {
    const jdk = await findJdk({ env: { ...process.env, ...env } });
    context.skip(!jdk.ok, 'it is not here');
    const bench = await hostBench({ classData: true, trainAfterMs: 0, env: { ...process.env, ...env } });
    const archives = join(bench.dirs.cache, 'class-data');
    try {
      await bench.host.warmUp();
      await bench.host.trained();
      const names = await readdir(archives);
      expect(names).toEqual([
        expect.stringMatching(new RegExp(`^compile-host-[0-9a-f]{16}\\.${extension}$`)),
      ]);
      const archive = join(archives, names[0] ?? '');
      expect((await stat(archive)).size).toBeGreaterThan(20_000_000);
      await bench.host.close();

      const file = join(bench.folder, 'A.java');
      await writeFile(file, 'class A {}');
      const request = {
        sources: [file],
        classPath: [],
        outputDir: bench.folder,
        release: 11,
        freeArguments: [],
      };
      valueOf(await bench.host.compileJava(request, quietWork()));
      if (process.platform === 'linux') {
        expect(await readFile(`/proc/${bench.host.pid}/maps`, 'utf8')).toContain(names[0]);
      }
      // The virtual machine had nothing to complain of, or the archive would be gone.
      expect(await readdir(archives)).toEqual(names);
    } finally {
      await bench.close();
    }
  },
);

test('another time stamp of a jar is another archive', async () => {
  const jdk = valueOf(await findJdk());
  const jar = join(folder, 'a.jar');
  await writeFile(jar, 'x');
  const before = await classDataOf(folder, jdk, [jar]);
  expect(before.exists).toBe(false);
  expect(await classDataOf(folder, jdk, [jar])).toEqual(before);
  await utimes(jar, new Date(0), new Date(0));
  expect((await classDataOf(folder, jdk, [jar])).path).not.toBe(before.path);
});

describe('temporary folders', () => {
  test('those of processes that are gone are removed', async () => {
    const own = await temporaryFolder(folder, 'host');
    // The largest process id of Linux is 4,194,304.
    const left = join(folder, 'tmp', 'host-99999999-abc');
    await mkdir(left);
    await writeFile(join(left, 'x'), '');
    const second = await temporaryFolder(folder, 'host');
    const names = (await readdir(join(folder, 'tmp'))).map((name) => join(folder, 'tmp', name));
    expect(names.toSorted()).toEqual([own, second].toSorted());
  });
});
