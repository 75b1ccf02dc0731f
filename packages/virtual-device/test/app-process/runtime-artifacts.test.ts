import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { javaHome, mavenFile, repoDir, runtimeArtifacts } from './local-tools.ts';

const run = promisify(execFile);

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

test('what the shadows name and Android 15 does not have is stood in for', async () => {
  const artifacts = await runtimeArtifacts();
  const jar = (name: string): Promise<string> =>
    mavenFile(artifacts.find(({ gav }) => gav.includes(name))?.gav ?? `no ${name}`);
  const framework = await jar(':android-all-instrumented:');
  const args = ['-cp', await jar(':asm:'), join(import.meta.dirname, 'ShadowMembers.java')];
  const java = join(await javaHome(), 'bin', 'java');
  const { stdout } = await run(java, [...args, framework, await jar(':shadows-framework:')]);
  const source = join(repoDir, 'jvm/virtual-device/src/main/java/dev/jugg/vd/host/ShadowTypes.java');
  const known = [...(await readFile(source, 'utf8')).matchAll(/^ {6}"(.*)"/gm)].map(([, name]) => name);
  expect(stdout.trim().split('\n')).toEqual(known);
});
