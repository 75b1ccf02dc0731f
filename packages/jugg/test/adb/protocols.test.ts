import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatBanner, parseBanner } from '../../src/adb/banner.ts';
import { isRefused, serverFault } from '../../src/adb/faults.ts';
import { kindOf } from '../../src/adb/server-watch.ts';
import { encodeShellPacket, ShellPacketDecoder } from '../../src/adb/shell-protocol.ts';
import { decodeStatV2, encodeStatV2, STAT_V2_SIZE } from '../../src/adb/sync-protocol.ts';

describe('shell v2 packets', () => {
  test('come out as they went in, whatever the chunks', () => {
    const packet = fc.record({ id: fc.integer({ min: 0, max: 5 }), data: fc.uint8Array({ maxLength: 40 }) });
    fc.assert(
      fc.property(fc.array(packet, { maxLength: 8 }), fc.integer({ min: 1, max: 17 }), (packets, size) => {
        const bytes = Buffer.concat(packets.map(({ id, data }) => encodeShellPacket(id, data)));
        const decoder = new ShellPacketDecoder();
        const joined: { id: number; data: number[] }[] = [];
        const found: { id: number; data: Buffer }[] = [];
        for (let at = 0; at < bytes.length; at += size)
          found.push(...decoder.push(bytes.subarray(at, at + size)));
        // A long packet may come in parts: compare what each id got, in order.
        for (const { id, data } of found) {
          const last = joined.at(-1);
          if (last?.id === id && data.length > 0) last.data.push(...data);
          else joined.push({ id, data: [...data] });
        }
        const expected: { id: number; data: number[] }[] = [];
        for (const { id, data } of packets) {
          const last = expected.at(-1);
          if (last?.id === id && data.length > 0) last.data.push(...data);
          else expected.push({ id, data: [...data] });
        }
        expect(joined).toEqual(expected);
      }),
    );
  });
});

test('sync v2 stat keeps sizes beyond 4 GB and times after 2038', () => {
  const stat = {
    error: 0,
    mode: 0o100644,
    uid: 2000,
    gid: 2000,
    size: 2 ** 40 + 5,
    mtimeS: 2 ** 33,
    ino: 77,
  };
  const encoded = encodeStatV2(stat);
  expect(encoded).toHaveLength(STAT_V2_SIZE);
  const { ino, ...rest } = stat;
  expect(ino).toBe(77);
  expect(decodeStatV2(encoded)).toEqual(rest);
});

test('banner of a phone', () => {
  const text =
    'device::ro.product.name=px1;ro.product.model=Model X1;ro.product.device=px1;features=shell_v2,cmd,stat_v2';
  const banner = parseBanner(text);
  expect(banner.state).toBe('device');
  expect(banner.props.get('ro.product.model')).toBe('Model X1');
  expect([...banner.features]).toEqual(['shell_v2', 'cmd', 'stat_v2']);
  const props = { 'ro.product.name': 'px1', 'ro.product.model': 'Model X1', 'ro.product.device': 'px1' };
  expect(formatBanner('device', props, ['shell_v2', 'cmd', 'stat_v2'])).toBe(text);
});

test.each([
  ["device 'R5CT90AB12X' not found", 'DEVICE_GONE'],
  ['device offline', 'DEVICE_OFFLINE'],
  ['device still connecting', 'DEVICE_OFFLINE'],
  ["device unauthorized.\nThis adb server's $ADB_VENDOR_KEYS is not set", 'DEVICE_UNAUTHORIZED'],
  ['device still authorizing', 'DEVICE_UNAUTHORIZED'],
  ['insufficient permissions for device: missing udev rules?', 'DEVICE_NO_PERMISSIONS'],
] as const)('adb server says %j', (message, code) => {
  expect(serverFault(message, 'S', 'shell:').fault.code).toBe(code);
});

test('a closed service is a refusal of the device, not a lost device', () => {
  expect(isRefused(serverFault('closed', 'S', 'localabstract:x').fault)).toBe(true);
  expect(isRefused(serverFault("device 'S' not found", 'S', 'x').fault)).toBe(false);
});

test.each([
  ['R58M123ABC', 'px1', 'usb'],
  ['192.168.1.20:5555', 'px1', 'wifi'],
  ['adb-44231FDAQ0011C (2)._adb-tls-connect._tcp', 'px1', 'wifi'],
  ['emulator-5554', 'sdk_gphone64', 'emulator'],
  ['127.0.0.1:15555', 'jugg_virtual', 'virtual'],
] as const)('kind of %s', (serial, product, kind) => {
  expect(kindOf({ serial, product })).toBe(kind);
});
