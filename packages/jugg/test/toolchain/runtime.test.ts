import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { delimiter } from 'node:path';
import { expect, test } from 'vitest';
import { runChild } from '../../src/toolchain/child.ts';
import { readRuntimeList } from '../../src/toolchain/runtime.ts';
import { HOST_FILES, valueOf } from './support.ts';

test('the shipped list is what Maven puts on the host’s class path', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'jugg-class-path-'));
  try {
    const file = join(folder, 'class-path.txt');
    const goal = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:build-classpath';
    const outcome = await runChild(
      'mvn',
      ['-q', '-B', goal, '-DincludeScope=runtime', `-Dmdep.outputFile=${file}`],
      { signal: new AbortController().signal, cwd: dirname(HOST_FILES.list) },
    );
    if (outcome.exitCode !== 0) throw new Error(outcome.stdout);
    const jars = (await readFile(file, 'utf8')).trim().split(delimiter);
    const list = valueOf(await readRuntimeList(HOST_FILES.list));
    const names = list.map(({ gav }) => gav.split(':').slice(1).join('-'));
    expect(names.toSorted()).toEqual(jars.map(nameOf).toSorted());
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

function nameOf(jar: string): string {
  return jar.slice(jar.lastIndexOf('/') + 1, -'.jar'.length);
}

test('a list that is missing says that Jugg is not built', async () => {
  expect(await readRuntimeList('/nowhere/list.json')).toMatchObject({
    ok: false,
    fault: { code: 'ENVIRONMENT_ERROR' },
  });
});
