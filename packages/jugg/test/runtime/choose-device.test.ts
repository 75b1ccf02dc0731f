import { describe, expect, test } from 'vitest';
import type { DeviceRef } from '../../src/adb/types.ts';
import { chooseDevice } from '../../src/runtime/devices.ts';

function device(serial: string, state = 'device', more: Partial<DeviceRef> = {}): DeviceRef {
  return {
    serial,
    state,
    detail: null,
    product: null,
    model: null,
    device: null,
    usb: null,
    transportId: null,
    kind: 'usb',
    viaServer: true,
    name: null,
    ...more,
  };
}
const nobody = { serial: undefined, environmentSerial: undefined, selectedSerial: undefined };

describe('the device that a call means', () => {
  test('is the only usable one, whatever ghosts there are', () => {
    const chosen = chooseDevice(
      [device('GHOST', 'offline'), device('A'), device('LOCKED', 'unauthorized')],
      nobody,
    );
    expect(chosen).toMatchObject({ ok: true, value: { serial: 'A' } });
  });

  test('has to be named when several are usable', () => {
    const chosen = chooseDevice([device('A'), device('B'), device('GHOST', 'offline')], nobody);
    expect(chosen).toMatchObject({
      ok: false,
      fault: { code: 'MULTIPLE_DEVICE', data: { candidates: [{ serial: 'A' }, { serial: 'B' }] } },
    });
  });

  test('is never another than the one that was named', () => {
    expect(chooseDevice([device('A')], { ...nobody, serial: 'B' })).toMatchObject({
      ok: false,
      fault: { code: 'NO_DEVICE' },
    });
    expect(chooseDevice([device('A'), device('B', 'offline')], { ...nobody, serial: 'B' })).toMatchObject({
      ok: false,
      fault: { code: 'DEVICE_OFFLINE' },
    });
  });

  test('comes from the call, then ANDROID_SERIAL, then the selection', () => {
    const all = [device('A'), device('B'), device('C')];
    expect(chooseDevice(all, { serial: 'A', environmentSerial: 'B', selectedSerial: 'C' })).toMatchObject({
      value: { serial: 'A' },
    });
    expect(
      chooseDevice(all, { serial: undefined, environmentSerial: 'B', selectedSerial: 'C' }),
    ).toMatchObject({ value: { serial: 'B' } });
    expect(chooseDevice(all, { ...nobody, selectedSerial: 'C' })).toMatchObject({ value: { serial: 'C' } });
  });

  test('may be called by the name of a virtual device', () => {
    const virtual = device('127.0.0.1:15555', 'device', { kind: 'virtual', name: 'jugg' });
    expect(chooseDevice([virtual, device('A')], { ...nobody, serial: 'jugg' })).toMatchObject({
      value: { serial: '127.0.0.1:15555' },
    });
  });

  test.each([
    ['unauthorized', 'DEVICE_UNAUTHORIZED'],
    ['no permissions', 'DEVICE_NO_PERMISSIONS'],
    ['offline', 'DEVICE_OFFLINE'],
    ['recovery', 'DEVICE_OFFLINE'],
  ])('that is alone and %s has its own code', (state, code) => {
    expect(chooseDevice([device('A', state)], nobody)).toMatchObject({ ok: false, fault: { code } });
  });

  test('is missing when nothing is attached', () => {
    expect(chooseDevice([], nobody)).toMatchObject({ ok: false, fault: { code: 'NO_DEVICE' } });
  });
});
