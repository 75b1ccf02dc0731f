import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parsePackageDump } from '../../../jugg/src/formats/package-dump.ts';
import { packageCommandResult } from '../../../jugg/src/formats/install.ts';
import { parseResolvedActivities } from '../../../jugg/src/formats/am-start.ts';
import { directClient, value } from '../support/direct.ts';
import type { DirectClient } from '../support/direct.ts';
import { manifestApk } from '../support/manifest-apk.ts';
import { startTestDevice } from '../support/test-device.ts';
import type { TestDevice } from '../support/test-device.ts';

let vd: TestDevice;
let client: DirectClient;

beforeAll(async () => {
  vd = await startTestDevice();
  client = await directClient(vd.port);
});

afterAll(async () => {
  client.close();
  await vd.stop();
});

const PLAIN = 'dev.jugg.plain';

async function install(file: string, args: readonly string[] = []): Promise<string> {
  return value(await client.adb.install({ file }, args)).output;
}

const MAIN = `<activity android:name=".Main" android:exported="true"><intent-filter>
  <action android:name="android.intent.action.MAIN"/><category android:name="android.intent.category.LAUNCHER"/>
</intent-filter></activity>`;

describe('installing', () => {
  test('a new app: listed, found, with its data folders; then gone', async () => {
    const apk = await manifestApk({ components: MAIN });
    expect(await install(apk)).toBe('Success\n');
    expect((await client.sh('pm list packages -3 -U --show-versioncode')).stdout).toBe(
      `package:${PLAIN} versionCode:5 uid:10123\n`,
    );
    const path = (await client.sh(`pm path ${PLAIN}`)).stdout;
    expect(path).toMatch(/^package:\/data\/app\/~~[\w-]{22}==\/dev\.jugg\.plain-[\w-]{22}==\/base\.apk\n$/);
    const pulled = value(await client.adb.pull(path.trim().slice('package:'.length)));
    expect(pulled.equals(await readFile(apk))).toBe(true);
    const query = `cmd package query-activities --brief -a android.intent.action.MAIN -c android.intent.category.LAUNCHER ${PLAIN}`;
    expect(parseResolvedActivities((await client.sh(query)).stdout)).toEqual([`${PLAIN}/.Main`]);
    expect(
      parseResolvedActivities((await client.sh(`cmd package resolve-activity --brief ${PLAIN}`)).stdout),
    ).toEqual([`${PLAIN}/.Main`]);
    const dump = parsePackageDump((await client.sh(`dumpsys package ${PLAIN}`)).stdout, PLAIN);
    expect(dump).toMatchObject({ versionCode: 5, debuggable: true, installedFor: [0], minSdk: 26 });
    expect((await client.sh(`run-as ${PLAIN} sh -c 'pwd; ls; id -u'`)).stdout).toBe(
      `/data/user/0/${PLAIN}\ncache\ncode_cache\nfiles\n10123\n`,
    );
    expect((await client.sh(`pm uninstall ${PLAIN}`)).stdout).toBe('Success\n');
    expect(await client.sh(`pm path ${PLAIN}`)).toEqual({ stdout: '', stderr: '', exitCode: 1 });
    expect(await client.sh(`pm uninstall ${PLAIN}`)).toEqual({
      stdout: 'Failure [DELETE_FAILED_INTERNAL_ERROR]\n',
      stderr: '',
      exitCode: 1,
    });
    expect((await client.sh(`run-as ${PLAIN} ls`)).stderr).toBe(`run-as: unknown package: ${PLAIN}\n`);
  });

  test('an update keeps the data and the uid, empties the code cache and moves the code', async () => {
    await install(await manifestApk({ components: MAIN }));
    const before = (await client.sh(`pm path ${PLAIN}`)).stdout;
    await client.sh(`run-as ${PLAIN} sh -c 'echo kept > files/a; echo gone > code_cache/b'`);
    expect(await install(await manifestApk({ versionCode: 6 }), ['-r'])).toBe('Success\n');
    expect((await client.sh(`run-as ${PLAIN} sh -c 'cat files/a; ls code_cache'`)).stdout).toBe('kept\n');
    expect((await client.sh(`pm path ${PLAIN}`)).stdout).not.toBe(before);
    expect((await client.sh(`pm clear ${PLAIN}`)).stdout).toBe('Success\n');
    expect((await client.sh(`run-as ${PLAIN} ls files`)).stdout).toBe('');
    await client.sh(`pm uninstall ${PLAIN}`);
  });

  test('sessions, as install-multiple makes them', async () => {
    const bytes = await readFile(await manifestApk());
    const created = (await client.sh('pm install-create -r')).stdout;
    const id = /^Success: created install session \[(\d+)\]\n$/.exec(created)?.[1] ?? '';
    const written = await client.sh(`cmd package install-write -S ${bytes.length} ${id} base -`, {
      stdin: bytes,
    });
    expect(written.stdout).toBe(`Success: streamed ${bytes.length} bytes\n`);
    expect((await client.sh(`pm install-commit ${id}`)).stdout).toBe('Success\n');
    expect((await client.sh(`pm install-commit ${id}`)).exitCode).toBe(255);
    await client.sh(`pm uninstall ${PLAIN}`);
  });

  test('from a pushed file', async () => {
    value(await client.adb.push({ file: await manifestApk() }, '/data/local/tmp/x.apk'));
    expect((await client.sh('pm install -r /data/local/tmp/x.apk')).stdout).toBe('Success\n');
    expect((await client.sh('pm install /data/local/tmp/none.apk')).stderr).toContain("Can't open file");
    await client.sh(`pm uninstall ${PLAIN}; rm /data/local/tmp/x.apk`);
  });
});

describe('refusing', () => {
  async function reasonOf(file: string, args: readonly string[] = []): Promise<unknown> {
    const said = packageCommandResult('install', await install(file, args));
    return said.ok ? 'installed' : said.fault.data;
  }

  test('what is no APK', async () => {
    const output = value(await client.adb.install(Buffer.from('no apk'), [])).output;
    expect(output).toMatch(
      /^Failure \[INSTALL_PARSE_FAILED_NOT_APK: Failed to parse \/data\/app\/vmdl\d+\.tmp\/base\.apk/,
    );
  });

  test('what is not signed', async () => {
    expect(await reasonOf(await manifestApk({}, { schemes: '' }))).toMatchObject({
      reason: 'INSTALL_PARSE_FAILED_NO_CERTIFICATES',
    });
  });

  test('a target of 30 or more without a v2 signature', async () => {
    expect(await reasonOf(await manifestApk({}, { schemes: '1' }))).toMatchObject({
      reason: 'INSTALL_PARSE_FAILED_NO_CERTIFICATES',
    });
    expect(await reasonOf(await manifestApk({ targetSdk: 29 }, { schemes: '1' }))).toBe('installed');
    await client.sh(`pm uninstall ${PLAIN}`);
  });

  test('an Android that is too old for the app', async () => {
    expect(await reasonOf(await manifestApk({ minSdk: 36, targetSdk: 36 }))).toMatchObject({
      reason: 'INSTALL_FAILED_OLDER_SDK',
    });
    expect(await reasonOf(await manifestApk({ minSdk: 21, targetSdk: 22 }))).toMatchObject({
      reason: 'INSTALL_FAILED_DEPRECATED_SDK_VERSION',
    });
  });

  test('test-only apps without -t', async () => {
    const apk = await manifestApk({ application: 'android:testOnly="true"' });
    expect(await reasonOf(apk)).toMatchObject({ reason: 'INSTALL_FAILED_TEST_ONLY' });
    expect(await reasonOf(apk, ['-t'])).toBe('installed');
    await client.sh(`pm uninstall ${PLAIN}`);
  });

  test('an activity with a filter that does not say whether it is exported', async () => {
    const components = MAIN.replace('android:exported="true"', '');
    expect(await reasonOf(await manifestApk({ components }))).toMatchObject({
      reason: 'INSTALL_PARSE_FAILED_MANIFEST_MALFORMED',
    });
  });

  test('another signer, an older version, a provider that is taken', async () => {
    await install(await manifestApk());
    expect(await reasonOf(await manifestApk({}, { signer: 'two' }))).toMatchObject({
      reason: 'INSTALL_FAILED_UPDATE_INCOMPATIBLE',
      package: PLAIN,
    });
    expect(await reasonOf(await manifestApk({ versionCode: 4 }))).toMatchObject({
      reason: 'INSTALL_FAILED_VERSION_DOWNGRADE',
      newVersion: 4,
      currentVersion: 5,
    });
    expect(await reasonOf(await manifestApk({ versionCode: 4 }), ['-d'])).toBe('installed');
    expect(await reasonOf(await manifestApk({ versionCode: 4 }), ['-R'])).toMatchObject({
      reason: 'INSTALL_FAILED_ALREADY_EXISTS',
    });
    const provider = (name: string): string =>
      `<provider android:name=".P" android:authorities="dev.jugg.files" android:exported="false"/><!-- ${name} -->`;
    await install(await manifestApk({ components: provider('a') }), ['-d']);
    expect(
      await reasonOf(await manifestApk({ packageName: 'dev.jugg.other', components: provider('b') })),
    ).toMatchObject({ reason: 'INSTALL_FAILED_CONFLICTING_PROVIDER', provider: 'dev.jugg.files' });
    await client.sh(`pm uninstall ${PLAIN}`);
  });

  test('options that do not exist', async () => {
    expect((await client.sh('pm install --nonsense')).stderr).toContain('Unknown option --nonsense');
    expect((await client.sh('pm install')).stdout).toBe(
      'Error: must either specify a package size or an APK file\n',
    );
  });

  test('a stream that ends too early', async () => {
    expect((await client.sh('cmd package install -S 100000', { stdin: 'short' })).stdout).toContain(
      'INSTALL_FAILED_INVALID_APK',
    );
  });
});

describe('what cannot be installed', () => {
  test('a base that needs its splits', async () => {
    const apk = await manifestApk({ packageName: 'dev.jugg.splits', root: 'android:isSplitRequired="true"' });
    expect(await install(apk)).toBe(
      'Failure [INSTALL_FAILED_MISSING_SPLIT: Missing split for dev.jugg.splits]\n',
    );
  });

  test('native code for other processors only', async () => {
    const other = process.arch === 'arm64' ? 'x86_64' : 'arm64-v8a';
    const own = process.arch === 'arm64' ? 'arm64-v8a' : 'x86_64';
    const packageName = 'dev.jugg.native';
    expect(await install(await manifestApk({ packageName, nativeFor: [other] }))).toBe(
      'Failure [INSTALL_FAILED_NO_MATCHING_ABIS: Failed to extract native libraries, res=-113]\n',
    );
    expect(await install(await manifestApk({ packageName, nativeFor: [other, own] }))).toBe('Success\n');
    await client.sh(`pm uninstall ${packageName}`);
  });
});

test('packages and components that are disabled are not found, listed as such, and kept so', async () => {
  await install(await manifestApk({ components: MAIN }));
  expect((await client.sh(`pm disable-user --user 0 ${PLAIN}`)).stdout).toBe(
    `Package ${PLAIN} new state: disabled-user\n`,
  );
  expect((await client.sh('pm list packages -d')).stdout).toBe(`package:${PLAIN}\n`);
  expect((await client.sh('pm list packages -3 -e')).stdout).toBe('');
  expect((await client.sh(`cmd package resolve-activity --brief ${PLAIN}`)).stdout).toBe(
    'No activity found\n',
  );
  expect((await client.sh(`am start -n ${PLAIN}/.Main`)).stderr).toContain('does not exist');
  expect((await client.sh(`dumpsys package ${PLAIN}`)).stdout).toContain(' enabled=3 ');
  expect((await client.sh(`pm enable ${PLAIN}`)).stdout).toBe(`Package ${PLAIN} new state: enabled\n`);
  await client.sh(`pm disable ${PLAIN}/.Main`);
  expect((await client.sh(`cmd package resolve-activity --brief ${PLAIN}`)).stdout).toBe(
    'No activity found\n',
  );
  await client.sh(`pm default-state ${PLAIN}/.Main`);
  expect((await client.sh(`cmd package resolve-activity --brief ${PLAIN}`)).stdout).toContain(
    `${PLAIN}/.Main`,
  );
  expect((await client.sh(`pm disable ${PLAIN}/.None`)).stderr).toContain('does not exist in');
  expect((await client.sh('pm enable none.such')).stderr).toContain('Unknown package: none.such');
  await client.sh(`pm uninstall ${PLAIN}`);
});

test('packages survive the daemon', async () => {
  await install(await manifestApk());
  const { stdout } = await client.sh('pm list packages -f -3');
  await vd.restart();
  const other = await directClient(vd.port);
  expect((await other.sh('pm list packages -f -3')).stdout).toBe(stdout);
  other.close();
});
