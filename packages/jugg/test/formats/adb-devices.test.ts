import { expect, test } from 'vitest';
import { parseDeviceList } from '../../src/formats/adb-devices.ts';
import { chooseDevice } from '../../src/runtime/devices.ts';
import { differences, fieldCases, text, type FieldCase } from './field-case.ts';

function answer(of: FieldCase): unknown {
  const listed = parseDeviceList(text(of, 'stdout'));
  const refs = listed.map((device) => ({ ...device, kind: 'usb' as const, viaServer: true, name: null }));
  const env: Record<string, string> = Object(of.input['env']);
  const choose = (serial: string | undefined): ReturnType<typeof chooseDevice> =>
    chooseDevice(refs, { serial, environmentSerial: env['ANDROID_SERIAL'], selectedSerial: undefined });
  const chosen = choose(text(of, 'requestedSerial') || undefined);
  const calls = Array.isArray(of.input['calls']) ? of.input['calls'] : [];
  const candidates = chosen.ok ? [] : (chosen.fault.data?.['candidates'] ?? []);
  return {
    devices: listed.map((device) => ({ ...device, usable: device.state === 'device' })),
    selected: chosen.ok ? chosen.value.serial : null,
    error: chosen.ok ? null : chosen.fault.code,
    candidates: Array.isArray(candidates) ? candidates.map((candidate) => candidate.serial) : [],
    childEnv: env,
    usedSerials: calls.map((call) => {
      const used = choose(call.requestedSerial);
      return used.ok ? used.value.serial : null;
    }),
  };
}

// B-10 needs the devices' properties, B-14 the clock, B-16 a job; the SDK cases belong to the toolchain.
const HERE = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '11', '12', '13', '15'].map((n) => `B-${n}`);

test.each(fieldCases('adb-devices', HERE))('%s', (_, of) => {
  expect(differences(answer(of), of.expect)).toEqual([]);
});
