import { expect, test } from 'vitest';
import { ddmAnswer, ddmReply, JdwpDecoder } from '../../src/adbd/jdwp-packets.ts';

const APP = { pid: 4711, processName: 'com.x:remote', packageName: 'com.x' };

/** A command packet as ddmlib sends it. */
function command(id: number, set: number, number: number, data: Buffer): Buffer {
  const header = Buffer.alloc(11);
  header.writeUInt32BE(11 + data.length, 0);
  header.writeUInt32BE(id, 4);
  header.writeUInt8(set, 9);
  header.writeUInt8(number, 10);
  return Buffer.concat([header, data]);
}

const hello = command(
  7,
  0xc7,
  1,
  Buffer.concat([Buffer.from('HELO'), Buffer.from([0, 0, 0, 4, 0, 0, 0, 1])]),
);

test("packets come in any pieces; Android's own are told from the debugger's", () => {
  const version = command(8, 1, 1, Buffer.alloc(0));
  const all = Buffer.concat([hello, version]);
  for (let cut = 0; cut <= all.length; cut++) {
    const decoder = new JdwpDecoder();
    const packets = [
      ...(decoder.push(all.subarray(0, cut)) ?? []),
      ...(decoder.push(all.subarray(cut)) ?? []),
    ];
    expect(packets.map(({ id, chunk }) => [id, chunk?.type])).toEqual([
      [7, 'HELO'],
      [8, undefined],
    ]);
    expect(packets[1]?.bytes.equals(version)).toBe(true);
  }
});

test('what says that it is shorter than its header, or huge, is no JDWP', () => {
  expect(new JdwpDecoder().push(Buffer.alloc(11))).toBeNull();
  expect(new JdwpDecoder().push(Buffer.alloc(11, 0xff))).toBeNull();
});

test('HELO tells process, package and version as android.ddm.DdmHandleHello does', () => {
  const answer = ddmAnswer('HELO', APP) ?? Buffer.alloc(0);
  let at = 0;
  const int = (): number => answer.readInt32BE((at += 4) - 4);
  const text = (length: number): string =>
    Buffer.from(answer.subarray(at, (at += length * 2)))
      .swap16()
      .toString('utf16le');
  expect([int(), int()]).toEqual([1, 4711]);
  const [vm, name] = [int(), int()];
  expect([text(vm), text(name)]).toEqual(['HotSpot of the Jugg virtual device', 'com.x:remote']);
  expect([int(), text(int()), text(int())]).toEqual([0, '64-bit', 'CheckJNI=false']);
  at++;
  expect(text(int())).toBe('com.x');
  expect(at).toBe(answer.length);
  const reply = ddmReply(7, 'HELO', answer);
  expect([reply.readUInt32BE(0), reply.readUInt32BE(4), reply.readUInt8(8)]).toEqual([reply.length, 7, 0x80]);
  expect(reply.toString('latin1', 11, 15)).toBe('HELO');
  expect(ddmReply(9, 'MPRQ', ddmAnswer('MPRQ', APP)).length).toBe(11);
});
