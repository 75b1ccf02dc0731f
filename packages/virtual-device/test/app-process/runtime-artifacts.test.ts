import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join, relative, sep } from 'node:path';
import { expect, test } from 'vitest';
import { mavenFile, repoDir, runtimeArtifacts } from './local-tools.ts';

/** `group:artifact:version` of a file in the Maven repository. */
function coordinates(file: string): string {
  const parts = relative(join(homedir(), '.m2', 'repository'), file).split(sep);
  const [version, artifact] = [parts.at(-2), parts.at(-3)];
  return `${parts.slice(0, -3).join('.')}:${artifact}:${version}`;
}

test('the list of run-time artifacts is what Maven resolves, in its order', async () => {
  const file = join(repoDir, 'jvm/virtual-device/target/runtime-class-path.txt');
  const resolved = (await readFile(file, 'utf8')).trim().split(delimiter).map(coordinates);
  const artifacts = await runtimeArtifacts();
  const native = artifacts.filter(({ role }) => role === 'native').map(({ gav }) => gav);
  expect(native).toHaveLength(1);
  // The native jar is named but stays off the class path: only its fonts are used, unpacked once.
  expect(artifacts.filter(({ role }) => role === 'classpath').map(({ gav }) => gav)).toEqual(
    resolved.filter((gav) => !native.includes(gav)),
  );
  expect(resolved).toContain(native[0]);
});

test('the sizes in the list are those of the files', async () => {
  for (const { gav, bytes } of await runtimeArtifacts()) {
    expect([gav, (await stat(await mavenFile(gav))).size]).toEqual([gav, bytes]);
  }
});
