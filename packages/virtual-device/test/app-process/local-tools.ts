import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { fromBuffer } from 'yauzl';
import { z } from 'zod';
import type { DeviceConfig } from '../../src/app-process/config.ts';
import type { LaunchSpec } from '../../src/app-process/launch.ts';

const run = promisify(execFile);

export const repoDir = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', '..');
/** Git-ignored; what tests make and keep, by content. */
export const testCache = join(repoDir, 'build', 'test-cache');
const moduleDir = join(repoDir, 'jvm', 'virtual-device');

export const phone: DeviceConfig = {
  widthPx: 1080,
  heightPx: 2400,
  densityDpi: 420,
  locale: 'en-US',
  uiMode: 'day',
  fontScale: 1,
};

const artifactsSchema = z.array(
  z.object({ gav: z.string(), role: z.enum(['classpath', 'framework', 'native']), bytes: z.int() }),
);

/** The list of what an app process needs, as the repository has it. */
export async function runtimeArtifacts(): Promise<z.infer<typeof artifactsSchema>> {
  return artifactsSchema.parse(JSON.parse(await readFile(join(moduleDir, 'runtime-artifacts.json'), 'utf8')));
}

/** The file of a Maven artifact in the user's repository; fetched with Maven when it is not there. */
export async function mavenFile(gav: string): Promise<string> {
  const [group = '', artifact = '', version = ''] = gav.split(':');
  const file = join(
    homedir(),
    '.m2/repository',
    group.replaceAll('.', '/'),
    artifact,
    version,
    `${artifact}-${version}.jar`,
  );
  if (!(await exists(file))) {
    const plugin = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:get';
    await run('mvn', ['-q', '-B', plugin, '-Dtransitive=false', `-Dartifact=${gav}`]);
  }
  return file;
}

/** Where a JDK of this machine is; its `java`, `javac`, `jar` are used. */
export async function javaHome(): Promise<string> {
  const { stderr } = await run('java', ['-XshowSettings:properties', '-version']);
  const home = /java\.home = (.*)/.exec(stderr)?.[1]?.trim();
  if (home === undefined) throw new Error('no JDK on this machine');
  return home;
}

/** What an app process is started with, from the jar that `mvn package` has built and the user's Maven repository. */
export async function localLaunchSpec(cacheDir: string, config: DeviceConfig = phone): Promise<LaunchSpec> {
  const artifacts = await runtimeArtifacts();
  const files = await Promise.all(artifacts.map(({ gav }) => mavenFile(gav)));
  const ofRole = (role: string): string[] => files.filter((_, index) => artifacts[index]?.role === role);
  return {
    java: join(await javaHome(), 'bin', 'java'),
    classPath: [join(moduleDir, 'target', 'virtual-device.jar'), ...ofRole('classpath')],
    frameworkJar: ofRole('framework')[0] ?? '',
    nativeJar: ofRole('native')[0] ?? '',
    cacheDir,
    config,
  };
}

/** aapt2 out of apktool's jar, unpacked once. */
export async function aapt2(): Promise<string> {
  const file = join(testCache, 'aapt2');
  if (await exists(file)) return file;
  const entry = process.platform === 'darwin' ? 'prebuilt/macosx/aapt2' : 'prebuilt/linux/aapt2';
  const bytes = await zipEntry(await mavenFile('org.apktool:apktool-lib:3.0.3'), entry);
  await mkdir(testCache, { recursive: true });
  const part = `${file}.${process.pid}`;
  await writeFile(part, bytes);
  await chmod(part, 0o755);
  await rename(part, file);
  return file;
}

/** The content of one entry of a zip file. */
export async function zipEntry(zip: string, name: string): Promise<Buffer> {
  const bytes = await readFile(zip);
  return new Promise((resolve, reject) => {
    fromBuffer(bytes, { lazyEntries: true }, (error, file) => {
      if (error) return reject(error);
      file.on('error', reject);
      file.on('end', () => reject(new Error(`${zip} has no ${name}`)));
      file.on('entry', (entry) => {
        if (entry.fileName !== name) return file.readEntry();
        return file.openReadStream(entry, (failed, stream) => {
          if (failed) return reject(failed);
          const chunks: Buffer[] = [];
          stream.on('data', (chunk: Buffer) => chunks.push(chunk));
          stream.on('end', () => resolve(Buffer.concat(chunks)));
        });
      });
      return file.readEntry();
    });
  });
}

export async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
