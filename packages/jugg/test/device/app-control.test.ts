import { expect, test } from 'vitest';
import { AdbDevice } from '../../src/device/adb-device.ts';
import type { Clock } from '../../src/shared/clock.ts';
import { valueOf } from '../engine/support.ts';
import { RecordedPhone } from './recorded.ts';
import { never } from './stage.ts';

const PERMISSION = 'android.permission.CAMERA';
const RUNNING = 'USER PID NAME\nu10_a1 7 a.b\n';
const NOTHING = 'USER PID NAME\n';

/** A phone whose user in front is 10; time passes only where somebody waits. */
function phone(...answers: readonly (readonly [RegExp, string])[]): {
  device: AdbDevice;
  commands: readonly string[];
} {
  const connection = new RecordedPhone([
    [/^getprop$/, '[ro.build.version.sdk]: [34]\n'],
    [/^am get-current-user$/, '10\n'],
    ...answers,
  ]);
  let now = 0;
  const clock: Clock = { now: () => now, sleep: async (ms) => void (now += ms) };
  const ref = { kind: 'usb', name: null } as const;
  const device = new AdbDevice({ connection, ref, inspectorJar: '/none.jar', nonce: 'n', clock });
  return { device, commands: connection.commands };
}

test('stop is believed when no process is left, and names the user', async () => {
  const stopped = phone([/^ps/, NOTHING], [/^am force-stop/, '']);
  valueOf(await stopped.device.stop('a.b', never));
  expect(stopped.commands).toContain('am force-stop --user 10 a.b');
  const { device } = phone([/^ps/, RUNNING], [/^am force-stop/, '']);
  expect(await device.stop('a.b', never)).toMatchObject({
    fault: { code: 'TIMEOUT', data: { processes: [{ pid: 7 }] } },
  });
});

test('clear is believed when the package manager says so', async () => {
  const cleared = phone([/^ps/, NOTHING], [/^pm clear/, 'Success\n']);
  valueOf(await cleared.device.clear('a.b', never));
  expect(cleared.commands).toContain('pm clear --user 10 a.b');
  const { device } = phone([/^ps/, NOTHING], [/^pm clear/, 'Failed\n']);
  expect(await device.clear('a.b', never)).toMatchObject({ fault: { code: 'FEATURE_NOT_SUPPORTED' } });
});

test.each([
  ['', true, true, null],
  ['', true, false, 'FEATURE_NOT_SUPPORTED'],
  ['', false, false, null],
  ['', false, true, 'FEATURE_NOT_SUPPORTED'],
  ['java.lang.SecurityException: Package a.b has not requested permission X', true, false, 'INVALID_PARAMS'],
  [
    'java.lang.SecurityException: grantRuntimePermission: Neither user 2000 nor current process has android.permission.GRANT_RUNTIME_PERMISSIONS.',
    true,
    false,
    'FEATURE_NOT_SUPPORTED',
  ],
])('pm said %j to granted=%s, and the package lists %s: %s', async (said, granted, listed, code) => {
  const dump = `Packages:\n  Package [a.b] (1):\n    User 0: installed=true\n      runtime permissions:\n        ${PERMISSION}: granted=${!listed}\n    User 10: installed=true\n      runtime permissions:\n        ${PERMISSION}: granted=${listed}, flags=[ USER_SET]\n`;
  const { device, commands } = phone([/^pm (?:grant|revoke)/, said], [/^dumpsys package/, dump]);
  const done = await device.setPermission('a.b', { permission: PERMISSION, granted }, never);
  expect(done.ok ? null : done.fault.code).toBe(code);
  expect(commands).toContain(`pm ${granted ? 'grant' : 'revoke'} --user 10 a.b ${PERMISSION}`);
});

function stack(component: string): string {
  return `  ResumedActivity: ActivityRecord{1 u10 ${component} t3}\n`;
}

test('a link is opened when its activity is on top', async () => {
  const link = { packageName: 'a.b', uri: 'https://a.b/c?d=e&f', extras: { k: 'v w' } };
  const opened = phone(
    [/resolve-activity/, 'priority=0\na.b/.Link\n'],
    [/^dumpsys activity/, stack('a.b/.Link')],
    [/^am start/, ''],
  );
  expect(valueOf(await opened.device.openUri(link, never))).toEqual({ component: 'a.b/.Link' });
  const elsewhere = phone(
    [/resolve-activity/, 'a.b/.Link\n'],
    [/^dumpsys activity/, stack('com.browser/.Main')],
    [/^am start/, ''],
  );
  expect(await elsewhere.device.openUri(link, never)).toMatchObject({
    fault: { code: 'ACTIVITY_NOT_STARTED', data: { topActivity: 'com.browser/.Main' } },
  });
  const start = opened.commands.find((line) => line.startsWith('am start'));
  expect(start).toContain('--user 10');
  expect(start).toContain('-p a.b');
});
