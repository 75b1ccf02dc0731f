import { expect, test } from 'vitest';
import { duplicateGroups } from '../../src/device/duplicates.ts';
import { createDevice } from '../../src/device/index.ts';
import { parseDeviceList } from '../../src/formats/adb-devices.ts';
import { valueOf } from '../engine/support.ts';
import { differences, fieldCases, text } from '../formats/field-case.ts';
import { RecordedPhone } from './recorded.ts';
import { never } from './stage.ts';

const PROPERTIES: readonly (readonly [RegExp, string])[] = [
  [
    /^getprop$/,
    '[ro.build.version.sdk]: [34]\n[ro.product.model]: [Pixel 8]\n[ro.product.manufacturer]: [Google]\n[ro.product.cpu.abilist]: [arm64-v8a,armeabi-v7a]\n[ro.serialno]: [R5CT90AB12X]\n',
  ],
];

function phone(...answers: readonly (readonly [RegExp, string])[]): RecordedPhone {
  return new RecordedPhone([...PROPERTIES, ...answers]);
}

test.each(fieldCases('users-profiles', ['E-6']))('%s: every command names the user', async (_, of) => {
  const user = String(of.input['currentUser']);
  const installed = `Packages:\n  Package [a.b] (1):\n    codePath=/data/app/a.b-1\n    User ${user}: installed=true\n`;
  const connection = phone(
    [/^am get-current-user$/, `${user}\n`],
    [/^dumpsys package/, installed],
    [/query-activities/, 'a.b/.Main\n'],
    [/^pm uninstall/, 'Success\n'],
    [/^dumpsys activity activities/, '  ResumedActivity: ActivityRecord{1 u10 a.b/.Main t3}\n'],
    [/^ps/, 'USER PID NAME\nu0_a1 5 a.b\nu10_a1 7 a.b\n'],
  );
  const device = createDevice(connection, { kind: 'usb', name: null });
  expect(valueOf(await device.start({ packageName: 'a.b' }, never)).pid).toBe(7);
  valueOf(await device.forceStop('a.b', never));
  await device.install('/x.apk', { replace: true, packageName: 'a.b' }, never);
  await device.uninstall('a.b', never);
  const asked = connection.commands.filter((line) =>
    /^(?:pm|am|cmd package) (?!get-current-user)/.test(line),
  );
  expect(asked.length).toBeGreaterThanOrEqual(5);
  const users = asked.map((line) => /--user (\d+)/.exec(line)?.[1]);
  expect(differences({ userArg: [...new Set(users)].join() }, of.expect)).toEqual([]);
});

test.each(fieldCases('screen-coordinates', ['P-10']))('%s', async (_, of) => {
  const { wakefulness, keyguard }: Record<string, unknown> = Object(of.input['before']);
  const connection = phone([
    /^dumpsys power/,
    `Power Manager State:\n  mWakefulness=${String(wakefulness)}\n    KeyguardServiceDelegate\n      showing=${String(keyguard)}\n      occluded=false\n`,
  ]);
  const state = await createDevice(connection, { kind: 'usb', name: null }).interactivity(never);
  expect(valueOf(state)).toEqual({ wakefulness: 'Asleep', keyguard: true, interactive: false });
});

test.each(fieldCases('adb-devices', ['B-10']))('%s', (_, of) => {
  const props: Record<string, Record<string, string>> = Object(of.input['props']);
  const hardware = new Map(Object.entries(props).map(([serial, own]) => [serial, own['ro.serialno'] ?? '']));
  const devices = parseDeviceList(text(of, 'stdout')).map((device) => ({
    ...device,
    usable: device.state === 'device',
    kind: device.usb === null ? ('wifi' as const) : ('usb' as const),
  }));
  const duplicates = duplicateGroups(devices, hardware);
  const [[selected] = []] = duplicates;
  expect(differences({ devices, duplicates, selected, error: null }, of.expect)).toEqual([]);
});

test('serials that makers leave alike prove nothing', () => {
  const two = [
    { serial: 'a', kind: 'usb' as const },
    { serial: 'b', kind: 'usb' as const },
  ];
  for (const alike of ['', 'unknown', '0123456789ABCDEF', '00000000'])
    expect(
      duplicateGroups(
        two,
        new Map([
          ['a', alike],
          ['b', alike],
        ]),
      ),
    ).toEqual([]);
});

test('a device that is still starting is not taken for one', async () => {
  const device = createDevice(new RecordedPhone([]), { kind: 'usb', name: null });
  expect(await device.facts(never)).toMatchObject({ fault: { code: 'DEVICE_OFFLINE' } });
});

test('facts of a phone', async () => {
  const device = createDevice(phone(), { kind: 'usb', name: null });
  expect(valueOf(await device.facts(never))).toMatchObject({
    name: 'Google Pixel 8',
    api: 34,
    abis: ['arm64-v8a', 'armeabi-v7a'],
    hardwareSerial: 'R5CT90AB12X',
  });
});
