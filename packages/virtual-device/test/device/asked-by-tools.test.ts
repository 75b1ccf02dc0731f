import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { directClient, value } from '../support/direct.ts';
import type { DirectClient } from '../support/direct.ts';
import { manifestApk } from '../support/manifest-apk.ts';
import { startTestDevice } from '../support/test-device.ts';
import type { TestDevice } from '../support/test-device.ts';

/**
 * What agents and test tools send over adb, as their sources have it (appium-adb, Maestro, scrcpy, mobile-mcp,
 * agent-device): each gets a right answer, or what Android says of something that is not there.
 */
type Row = readonly [command: string, exitCode: number, answer: string | RegExp];

const PROVIDER =
  '<provider android:name=".Notes" android:authorities="dev.jugg.notes" android:exported="true"/>';

let vd: TestDevice;
let client: DirectClient;

beforeAll(async () => {
  vd = await startTestDevice();
  client = await directClient(vd.port);
  value(
    await client.adb.install(
      { file: await manifestApk({ packageName: 'dev.jugg.asked', components: PROVIDER }) },
      [],
    ),
  );
});

afterAll(async () => {
  client.close();
  await vd.stop();
});

async function check([command, exitCode, answer]: Row): Promise<void> {
  const { stdout, stderr, exitCode: code } = await client.sh(command);
  const said = typeof answer === 'string' ? answer : expect.stringMatching(answer);
  expect({ code, said: stdout + stderr }).toEqual({ code: exitCode, said });
}

const NOT_HERE = /^Error: .* is not supported by the Jugg virtual device\n$/;
const NOT_FOUND = / inaccessible or not found\n$/;

describe('Appium', () => {
  test.each<Row>([
    ['ps --help', 0, /-A\s+All/],
    ['service list', 0, /Found \d+ services:\n(.*\n)*\d+\tpackage: /],
    ['whoami', 0, 'shell\n'],
    ['cmd package resolve-activity --brief dev.jugg.asked', 0, /./],
    ['am kill dev.jugg.asked', 0, ''],
    ['dumpsys activity processes', 0, /ACTIVITY MANAGER/],
    ['ime list -a', 0, /mId=dev\.jugg\.ime/],
    ['ime enable no.such/.Ime', 1, /Unknown input method no\.such\/\.Ime/],
    ['ls -t -1 /data/local/tmp/appium_cache 2>&1 || echo _ERROR_', 0, /_ERROR_\n$/],
    ['touch -am /data/local/tmp/x', 0, ''],
    ['service call notification 1', 0, /^Result: Parcel\(/],
    ['settings delete global hidden_api_policy', 0, 'Deleted 0 rows\n'],
    ['cmd location is-location-enabled', 0, 'true\n'],
    ['cmd location set-location-enabled false; cmd location is-location-enabled', 0, 'false\n'],
    ['settings get secure location_mode', 0, '0\n'],
    ['svc wifi enable', 20, "cmd: Can't find service: wifi\n"],
    ['cmd -w wifi set-wifi-enabled enabled', 20, "cmd: Can't find service: wifi\n"],
    ['cmd phone data enable', 20, "cmd: Can't find service: phone\n"],
    ['cmd bluetooth_manager enable', 20, "cmd: Can't find service: bluetooth_manager\n"],
    ['svc nfc enable', 0, 'Got a null NfcAdapter, is the system running?\n'],
    ['dumpsys deviceidle whitelist +dev.jugg.asked', 0, 'Added: dev.jugg.asked\n'],
    ['dumpsys deviceidle whitelist +no.such', 0, 'Unknown package: no.such\n'],
    [
      'dumpsys deviceidle whitelist',
      0,
      /^system-excidle,com\.android\.shell,2000\nuser,dev\.jugg\.asked,10\d+\n$/,
    ],
    ['cmd connectivity airplane-mode', 0, 'disabled\n'],
    ['cmd connectivity airplane-mode enable; settings get global airplane_mode_on', 0, '1\n'],
    ['cmd connectivity airplane-mode disable', 0, ''],
    ['dumpsys input', 0, /SurfaceOrientation: 0\n/],
    ['am broadcast -a io.appium.settings.x', 0, /Broadcast completed: result=0/],
    ['cat /sys/class/net/wlan0/address', 1, /No such file/],
    ['stop', 127, NOT_FOUND],
  ])('%s', (...row) => check(row));
});

describe('Maestro', () => {
  test.each<Row>([
    ['pm get-max-users', 0, /\d/],
    ['settings list global', 0, /airplane_mode_on=/],
    ['getprop ro.kernel.qemu', 0, '0\n'],
    ['getprop ro.kernel.qemu.avd_name', 0, '\n'],
    ['pm list packages --user 0 dev.jugg.asked', 0, 'package:dev.jugg.asked\n'],
    ['settings put global http_proxy :0; settings get global http_proxy', 0, ':0\n'],
    ['cmd uimode night', 0, /^Night mode: (yes|no)\n$/],
    ['su root am broadcast -a x', 127, NOT_FOUND],
    ['appops set --uid no.such android:camera allow', 255, /No UID for no\.such/],
    ['killall -INT screenrecord screenrecord-bin', 1, /screenrecord: No such process\n/],
    ['logcat -v time -b crash -t 2000 -d', 0, ''],
    ['am broadcast -a dev.mobile.maestro.x -n dev.mobile.maestro/.R', 0, /Broadcast completed: result=0/],
  ])('%s', (...row) => check(row));
});

describe('scrcpy, mobile-mcp, agent-device', () => {
  test.each<Row>([
    [
      'CLASSPATH=/data/local/tmp/scrcpy-server.jar app_process / com.genymobile.scrcpy.Server 3.3',
      1,
      /not supported/,
    ],
    ['ip route', 0, ''],
    ['ip -f inet addr show wlan0', 1, 'Device "wlan0" does not exist.\n'],
    ['ip addr', 0, /inet 127\.0\.0\.1\/8 scope host lo\n/],
    ['ifconfig wlan0', 1, /No such device/],
    ['getprop service.adb.tcp.port', 0, '\n'],
    ['pm list features', 0, /^feature:reqGlEsVersion=/],
    ['pm list libraries', 0, /^library:/],
    ['cmd package has-feature android.hardware.touchscreen', 0, 'true\n'],
    ['cmd package has-feature android.hardware.camera', 1, 'false\n'],
    [
      'cmd package list packages --show-versioncode dev.jugg.asked',
      0,
      /^package:dev\.jugg\.asked versionCode:\d+\n$/,
    ],
    ['pm clear-permission-flags dev.jugg.asked android.permission.CAMERA user-set', 0, ''],
    [
      'pm clear-permission-flags no.such android.permission.CAMERA user-set',
      255,
      /Unknown package: no\.such/,
    ],
    ['dumpsys SurfaceFlinger --list', 0, /launcher/],
    ['dumpsys gfxinfo dev.jugg.asked framestats', 0, 'No process found for: dev.jugg.asked\n'],
    ['cmd clipboard get text', 20, "cmd: Can't find service: clipboard\n"],
    ['cmd fingerprint touch 1', 20, "cmd: Can't find service: fingerprint\n"],
    ['perfetto --background-wait -o /data/x', 127, NOT_FOUND],
    ['command -v simpleperf || which simpleperf', 1, ''],
    ['content insert --uri content://settings/system --bind name:s:user_rotation --bind value:i:0', 0, ''],
    [
      'content call --uri content://settings/system --method GET_system --arg user_rotation',
      0,
      'Result: Bundle[{value=0}]\n',
    ],
    ['content query --uri content://dev.jugg.notes/all', 0, /Could not find provider: dev\.jugg\.notes/],
    ['content query --uri content://contacts/people', 0, /Could not find provider: contacts/],
  ])('%s', (...row) => check(row));
});

describe('what is asked by hand', () => {
  test.each<Row>([
    ['am monitor', 255, NOT_HERE],
    ['am dumpheap dev.jugg.asked /data/x', 255, NOT_HERE],
    ['am stack list', 0, /^RootTask id=/],
    ['am task lock stop', 0, 'Activity manager is not in lockTaskMode\n'],
    ['am task nonsense', 255, "Error: unknown command 'nonsense'\n"],
    ['am get-config', 0, /^config: en-rUS-ldltr-sw411dp-.*-420dpi-.*-v35\nabi: /],
    ['am switch-user 10', 1, 'Error: Failed to switch to user 10\n'],
    ['am nonsense', 255, 'Unknown command: nonsense\n'],
    ['cmd statusbar collapse', 0, ''],
    ['cmd statusbar nonsense', 255, 'Unknown command: nonsense\n'],
    ['cmd notification list', 0, ''],
    ['cmd notification post -t title tag text', 255, NOT_HERE],
    ['dumpsys notification', 0, /Notification List:/],
    ['cmd package compile -m speed -f dev.jugg.asked', 0, 'Success\n'],
    ['cmd package compile -m speed -f no.such', 1, 'Failure: package no.such could not be compiled\n'],
    [
      'dumpsys battery set level 7; dumpsys battery unplug; dumpsys battery',
      0,
      /USB powered: false\n(.*\n)*  level: 7\n/,
    ],
    ['dumpsys battery reset; cmd battery get level', 0, '100\n'],
    ['dumpsys battery set nonsense 1', 0, /Unknown option: nonsense/],
    ['settings reset global untrusted_defaults', 0, ''],
    ['getevent -p', 1, /not supported/],
    ['bugreport', 1, /not supported/],
    ['logcat --help', 0, /^Usage: logcat/],
    ['screencap -h', 1, /^usage: screencap/],
    ['free -m', 0, /^ +total .*\nMem: +4000 /],
    ['top -b -n 1', 0, /^Tasks: 5 total/],
    ['service call nothing 1', 10, 'service: Service nothing does not exist\n'],
    ['pm create-user x', 1, "Error: couldn't create User.\n"],
    ['ps -A -o NAME', 0, /^NAME\ninit\n/],
    ['ps ef', 0, / system_server\n/],
    ['cmd nonsense', 20, "cmd: Can't find service: nonsense\n"],
  ])('%s', (...row) => check(row));

  test('a bug report is refused in the words of adb', async () => {
    expect((await client.sh('bugreportz')).stdout).toBe('FAIL:not supported by the Jugg virtual device\n');
  });
});

test('releases before Android 12 answer for their radios themselves', async () => {
  const old = await startTestDevice({ api: 29 });
  const tool = await directClient(old.port);
  expect(await tool.sh('svc wifi enable')).toMatchObject({
    exitCode: 0,
    stderr: 'Wi-Fi service is not ready\n',
  });
  expect(await tool.sh('cmd connectivity airplane-mode')).toMatchObject({
    stderr: 'No shell command implementation.\n',
  });
  tool.close();
  await old.stop();
});
