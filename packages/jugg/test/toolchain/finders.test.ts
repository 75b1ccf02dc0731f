import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findJdk } from '../../src/toolchain/jdk.ts';
import { findSdk } from '../../src/toolchain/sdk.ts';
import { oddFolder, valueOf } from './support.ts';

let folder: string;
beforeEach(async () => {
  folder = await oddFolder();
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function file(name: string, text = ''): Promise<string> {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text, { mode: 0o755 });
  return path;
}

async function jdk(name: string, version: string, programs = ['java', 'javac', 'keytool']): Promise<string> {
  for (const program of programs) await file(join(name, 'bin', program));
  await file(join(name, 'release'), `IMPLEMENTOR="X"\nJAVA_VERSION="${version}"\n`);
  return join(folder, name);
}

describe('the JDK', () => {
  const find = (env: NodeJS.ProcessEnv): ReturnType<typeof findJdk> =>
    findJdk({ env, platform: 'linux', home: folder });

  test('JUGG_JAVA_HOME goes before JAVA_HOME', async () => {
    const own = await jdk('own', '21.0.2');
    const java = await jdk('java', '17.0.1');
    const found = valueOf(await find({ JUGG_JAVA_HOME: own, JAVA_HOME: java }));
    expect(found).toEqual({
      home: own,
      version: 21,
      java: join(own, 'bin/java'),
      keytool: join(own, 'bin/keytool'),
    });
  });

  test('one that is named for Jugg and does not do is said, not passed over', async () => {
    const own = await jdk('own', '11.0.2');
    const java = await jdk('java', '17.0.1');
    const found = await find({ JUGG_JAVA_HOME: own, JAVA_HOME: java });
    expect(found).toMatchObject({ ok: false, fault: { code: 'JDK_UNSUITABLE' } });
    expect(found.ok ? '' : found.fault.message).toContain(`JUGG_JAVA_HOME ${own}: version 11`);
  });

  test('an old JAVA_HOME, a runtime without javac, then Android Studio’s', async () => {
    const old = await jdk('old', '1.8.0_402');
    const studio = await jdk('android-studio/jbr', '21.0.6');
    expect(valueOf(await find({ JAVA_HOME: old }))).toMatchObject({
      home: studio,
      passedOver: `JAVA_HOME ${old}: version 8`,
    });
    const runtime = await jdk('jre', '17.0.1', ['java']);
    expect(valueOf(await find({ JAVA_HOME: runtime })).home).toBe(studio);
  });

  test('java on the path, through links', async () => {
    const real = await jdk('jdks/17', '17.0.9');
    await mkdir(join(folder, 'bin'));
    await symlink(join(real, 'bin/java'), join(folder, 'bin/java'));
    expect(valueOf(await find({ PATH: join(folder, 'bin') })).home).toBe(real);
  });

  test('the one of this machine', async () => {
    expect(valueOf(await findJdk()).version).toBeGreaterThanOrEqual(17);
  });
});

describe('the SDK', () => {
  const find = (env: NodeJS.ProcessEnv, projectDir?: string): ReturnType<typeof findSdk> =>
    findSdk({ env, platform: 'linux', home: folder, ...(projectDir === undefined ? {} : { projectDir }) });

  test('none is a normal answer', async () => {
    // Debian's adb brings a folder where Linux is looked at.
    const env = { ANDROID_HOME: join(folder, 'nothing') };
    expect(await findSdk({ env, platform: 'darwin', home: folder })).toBeNull();
  });

  test('the newest build tools and platform, by number', async () => {
    for (const version of ['9.0.0', '34.0.0', '35.0.1'])
      await file(`Android/Sdk/build-tools/${version}/aapt2`);
    await file('Android/Sdk/build-tools/35.0.1/lib/d8.jar');
    await file('Android/Sdk/platforms/android-9/android.jar');
    await file('Android/Sdk/platforms/android-34/android.jar');
    const home = join(folder, 'Android/Sdk');
    expect(await find({})).toEqual({
      home,
      buildTools: '35.0.1',
      aapt2: join(home, 'build-tools/35.0.1/aapt2'),
      d8Jar: join(home, 'build-tools/35.0.1/lib/d8.jar'),
      apksignerJar: null,
      adb: null,
      platform: { jar: join(home, 'platforms/android-34/android.jar'), api: 34 },
    });
  });

  test('the project’s own goes before the environment’s', async () => {
    const adb = await file('project sdk/platform-tools/adb');
    await file('env/platform-tools/adb');
    const escaped = join(folder, 'project sdk').replaceAll(':', '\\:');
    await file('app/local.properties', `# made by an editor\nsdk.dir=${escaped}\n`);
    expect(await find({ ANDROID_HOME: join(folder, 'env') }, join(folder, 'app'))).toMatchObject({ adb });
    expect(await find({ ANDROID_HOME: join(folder, 'env') })).toMatchObject({ home: join(folder, 'env') });
  });
});
