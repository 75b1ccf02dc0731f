import { createHash } from 'node:crypto';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseLogcat } from '../../../jugg/src/formats/logcat.ts';
import {
  parseKeyguard,
  parseWakefulness,
  parseWmDensity,
  parseWmSize,
} from '../../../jugg/src/formats/screen.ts';
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

async function out(command: string): Promise<string> {
  return (await client.sh(command)).stdout;
}

const MAIN = `<activity android:name=".Main" android:exported="true"><intent-filter>
  <action android:name="android.intent.action.MAIN"/><category android:name="android.intent.category.LAUNCHER"/>
</intent-filter><intent-filter><action android:name="android.intent.action.VIEW"/>
  <category android:name="android.intent.category.DEFAULT"/><data android:scheme="shop"/></intent-filter></activity>
<activity android:name=".Hidden" android:exported="false"/>`;

describe('trust', () => {
  test('an APK that nobody vouched for is not started, and the text says what to do', async () => {
    const apk = await manifestApk({ packageName: 'dev.jugg.stranger', components: MAIN });
    value(await client.adb.install({ file: apk }, []));
    const start = 'am start -n dev.jugg.stranger/.Main';
    const refused = await client.sh(start);
    expect(refused.exitCode).toBe(255);
    expect(refused.stderr).toContain('java.lang.SecurityException: dev.jugg.stranger is not started');
    const list = join(vd.stateDir, 'test', 'trusted-apks');
    expect(refused.stderr).toContain(list);
    const digest = createHash('sha256')
      .update(await readFile(apk))
      .digest('hex');
    await appendFile(list, `# built by hand\n${digest}\n`);
    // This test device has no JVM: getting as far as that is what is looked at.
    expect((await client.sh(start)).stderr).toBe('Error: Activity not started: no JVM in this test\n');
    await client.sh('pm uninstall dev.jugg.stranger');
  });
});

describe('intents', () => {
  beforeAll(async () => {
    value(
      await client.adb.install(
        { file: await manifestApk({ packageName: 'dev.jugg.shop', components: MAIN }) },
        [],
      ),
    );
  });

  test.each([
    ['am start -n dev.jugg.shop/.Hidden', 'not exported from uid'],
    ['am start -n dev.jugg.shop/.None', 'Activity class {dev.jugg.shop/dev.jugg.shop.None} does not exist.'],
    ['am start -n nowhere/.Main', 'Activity class {nowhere/nowhere.Main} does not exist.'],
    ['am start -a no.such.ACTION', 'unable to resolve Intent { act=no.such.ACTION flg=0x10000000 }'],
    ['am start', 'No intent supplied'],
    ['am start --ei n notanumber -a x', 'For input string: "notanumber"'],
    ['am start --what', 'Unknown option: --what'],
    ['am nonsense', ''],
  ])('%s', async (command, text) => {
    const result = await client.sh(command);
    expect(result.stderr).toContain(text);
    expect(result.exitCode).not.toBe(0);
  });

  test('a link is resolved by its scheme', async () => {
    const found = await out(
      'cmd package resolve-activity --brief -a android.intent.action.VIEW -d shop://cart/1',
    );
    expect(found).toBe(
      'priority=0 preferredOrder=0 match=0x208000 specificIndex=-1 isDefault=true\ndev.jugg.shop/.Main\n',
    );
    expect(await out('cmd package resolve-activity --brief -a android.intent.action.VIEW -d other://x')).toBe(
      'No activity found\n',
    );
  });

  test('what is printed at a start', async () => {
    expect(await out('am start -a android.intent.action.VIEW -d shop://x -c a.b --es k v -f 0x20')).toBe(
      'Starting: Intent { act=android.intent.action.VIEW cat=[a.b] dat=shop://x flg=0x20 (has extras) }\n',
    );
  });

  test('attach-agent to what does not run', async () => {
    expect((await client.sh('am attach-agent dev.jugg.shop /x=y')).stderr).toContain(
      'Unknown process: dev.jugg.shop',
    );
  });
});

describe('screen and settings', () => {
  test('size and density', async () => {
    expect(parseWmSize(await out('wm size'))).toEqual([1080, 2400]);
    expect(parseWmDensity(await out('wm density'))).toBe(420);
    await client.sh('wm density 320');
    expect(parseWmDensity(await out('wm density'))).toBe(320);
    await client.sh('wm density reset');
    expect((await client.sh('wm size nonsense')).exitCode).toBe(255);
  });

  test('rotation turns what apps see, not what wm size says', async () => {
    await client.sh('settings put system user_rotation 1');
    expect(await out('dumpsys window displays')).toContain('cur=2400x1080');
    expect(parseWmSize(await out('wm size'))).toEqual([1080, 2400]);
    await client.sh('settings put system user_rotation 0');
  });

  test('sleep and wake', async () => {
    expect(parseWakefulness(await out('dumpsys power'))).toBe('Awake');
    await client.sh('input keyevent POWER');
    expect(parseWakefulness(await out('dumpsys power'))).toBe('Asleep');
    await client.sh('input keyevent KEYCODE_WAKEUP');
    expect(parseWakefulness(await out('dumpsys power'))).toBe('Awake');
    expect(parseKeyguard(await out('dumpsys window policy'))).toBe(false);
  });

  test('a lock screen: none, a swipe, a number', async () => {
    const locked = async (): Promise<boolean> => parseKeyguard(await out('dumpsys window policy'));
    expect(await out('locksettings get-disabled')).toBe('true\n');
    await client.sh('locksettings set-disabled false; input keyevent SLEEP; input keyevent WAKEUP');
    expect(await locked()).toBe(true);
    expect(await out('uiautomator dump /dev/tty')).toContain('package="com.android.systemui"');
    expect(await out('dumpsys window displays')).toContain(
      'mCurrentFocus=Window{3d2e1f0 u0 NotificationShade}',
    );
    await client.sh('input swipe 500 2000 500 500');
    expect(await locked()).toBe(false);

    expect(await out('locksettings set-pin 1234')).toBe("Pin set to '1234'\n");
    expect((await client.sh('locksettings set-pin 4321')).stdout).toBe("Old password '' didn't match\n");
    await client.sh('input keyevent POWER; input keyevent POWER; wm dismiss-keyguard');
    expect(await out('dumpsys window policy')).toContain('secure=true');
    expect(await locked()).toBe(true);
    await client.sh('input text 9999; input keyevent ENTER');
    expect(await locked()).toBe(true);
    await client.sh('input text 1234; input keyevent ENTER');
    expect(await locked()).toBe(false);
    expect(await out('locksettings verify --old 1234')).toBe('Lock credential verified successfully\n');
    expect(await out('locksettings clear --old 1234; locksettings set-disabled true')).toBe(
      'Lock credential cleared\nLock screen disabled set to true\n',
    );
    await client.sh('input keyevent SLEEP; input keyevent WAKEUP');
    expect(await locked()).toBe(false);
  });

  test('night mode, settings, input methods', async () => {
    expect(await out('cmd uimode night yes')).toBe('Night mode: yes\n');
    expect(await out('cmd uimode night no')).toBe('Night mode: no\n');
    expect(await out('settings put global x "a b"; settings get global x; settings get global none')).toBe(
      'a b\nnull\n',
    );
    expect(await out('ime list -s')).toBe('dev.jugg.ime/.InputMethod\n');
    expect(await out('am get-current-user; pm list users')).toBe(
      '0\nUsers:\n\tUserInfo{0:Owner:4c13} running\n',
    );
  });

  test('the launcher is a picture and a window, too', async () => {
    const png = value(await client.adb.exec('screencap -p'));
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1080, 2400]);
    expect(await out('uiautomator dump /dev/tty')).toContain('package="dev.jugg.launcher"');
  });
});

describe('logcat', () => {
  test('formats, filters, clearing', async () => {
    await client.sh('logcat -c -b all; log -p w -t Shop "two\nlines"; log -t Other x');
    expect(await out('logcat -d -v tag')).toBe(
      '--------- beginning of main\nW/Shop    : two\nW/Shop    : lines\nI/Other   : x\n',
    );
    expect(await out("logcat -d -v raw Shop:W '*:S'")).toBe('--------- beginning of main\ntwo\nlines\n');
    expect(await out('logcat -d -v brief -s Other')).toMatch(/\nI\/Other {3}\(\d+\): x\n$/);
    expect(await out('logcat -d -v raw -t 1')).toContain('x\n');
    expect(await out('logcat -d -v raw -T 4102444800.000')).toBe('');
    expect((await client.sh('logcat -d -v nonsense')).stderr).toBe(
      'logcat: Invalid parameter "nonsense" to -v\n',
    );
    const { entries } = parseLogcat(await out('logcat -d -v threadtime -v epoch'));
    expect(entries.map(({ tag, level }) => [tag, level])).toEqual([
      ['Shop', 'W'],
      ['Shop', 'W'],
      ['Other', 'I'],
    ]);
  });

  test('following: what is there, then what comes, until the reader leaves', async () => {
    await client.sh('logcat -c -b all; log before');
    const follow = value(await client.adb.spawn('logcat -v raw'));
    let text = '';
    follow.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    await expect.poll(() => text, { timeout: 20_000 }).toBe('--------- beginning of main\nbefore\n');
    await client.sh('log after');
    await expect.poll(() => text, { timeout: 20_000 }).toBe('--------- beginning of main\nbefore\nafter\n');
    follow.kill();
    await follow.exit;
    expect(await out('logcat -m 1 -v raw')).toBe('--------- beginning of main\nbefore\n');
  });
});

describe('processes', () => {
  test('ps, pidof and kill', async () => {
    expect(await out('ps -A -o USER,PID,NAME')).toMatch(/^USER +PID NAME\nroot +1 init\n/);
    expect(await out('pidof system_server')).toBe(`${process.pid}\n`);
    expect((await client.sh('pidof no.such.app')).exitCode).toBe(1);
    expect((await client.sh('kill 1')).stderr).toBe('kill: 1: Operation not permitted\n');
    expect(await out(`cat /proc/${process.pid}/cmdline | tr -d "\\000"`)).toContain('system_server');
  });

  test('a command that breaks does not break the device', async () => {
    expect((await client.sh('logcat -d -e "("')).stderr).toBe('logcat: Invalid regex: (\n');
    expect(await out('echo alive')).toBe('alive\n');
  });
});
