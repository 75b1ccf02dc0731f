import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { d8 } from './fixture-apk.ts';
import { exists, javaHome, localLaunchSpec, mavenFile, testCache } from './local-tools.ts';

const run = promisify(execFile);
const sources = join(dirname(fileURLToPath(import.meta.url)), 'differential');
const GUAVA = 'com.google.guava:guava:33.6.0-jre';

/** Libraries with much code that needs no device; those of the app process itself are at hand anyway. */
const LIBRARIES = [
  { gav: 'org.jetbrains.kotlin:kotlin-stdlib:2.4.21', needs: [], calls: 8000 },
  { gav: GUAVA, needs: ['com.google.guava:failureaccess:1.0.3'], calls: 4000 },
];
const ROUNDS = '4';
const SEED = '1';

let dir: string;
let classPath: string;
let frameworkJar: string;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'jugg-translation-'));
  const spec = await localLaunchSpec(dir);
  frameworkJar = spec.frameworkJar;
  classPath = [dir, ...spec.classPath].join(delimiter);
  const files = (await readdir(sources)).map((name) => join(sources, name));
  await run(join(await javaHome(), 'bin', 'javac'), ['-cp', classPath, '-d', dir, ...files]);
});

afterAll(() => rm(dir, { recursive: true, force: true }));

/** The library as dex; kept, as it takes half a minute for a large one. */
async function dexed(jar: string): Promise<string> {
  const apk = join(testCache, `dexed-${basename(jar, '.jar')}.apk`);
  if (await exists(apk)) return apk;
  await mkdir(testCache, { recursive: true });
  const part = join(testCache, `dexed-${process.pid}.zip`);
  // Without optimisation D8 compares with a constant on the left, which dex2jar once got wrong.
  await d8([jar, '--output', part]);
  await rename(part, apk);
  return apk;
}

/**
 * The same calls with the same values, in the library's own classes and in those that came back from dex: what the
 * unmended dex2jar does wrong makes some fifty of them differ.
 */
test.each(LIBRARIES)(
  '$gav does through dex what it does without',
  async ({ gav, needs, calls }) => {
    const jar = await mavenFile(gav);
    const others = (await Promise.all(needs.map(mavenFile))).join(delimiter);
    const apk = await dexed(jar);
    const java = join(await javaHome(), 'bin', 'java');
    const args = [apk, jar, others, join(dir, 'dex'), frameworkJar, ROUNDS, SEED];
    const { stdout } = await run(java, ['-cp', classPath, 'Differential', ...args]);
    expect(stdout).toMatch(/\ndifferences 0\n$/);
    const [, called, returned] = /calls (\d+) returned (\d+)/.exec(stdout) ?? [];
    expect(Number(called)).toBeGreaterThan(calls);
    // Most calls must do something: exceptions alone would prove little.
    expect(Number(returned)).toBeGreaterThan(Number(called) / 2);
    // Most of it is D8, the first time.
  },
  600_000,
);
