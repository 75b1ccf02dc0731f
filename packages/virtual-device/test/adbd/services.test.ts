import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { Server } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatBanner } from '../../../jugg/src/adb/banner.ts';
import { connectDirect } from '../../../jugg/src/adb/direct.ts';
import { AdbMux } from '../../../jugg/src/adb/mux.ts';
import type { AdbStream } from '../../../jugg/src/adb/stream.ts';
import { ShellPacketDecoder, encodeShellPacket } from '../../../jugg/src/adb/shell-protocol.ts';
import { syncRequest } from '../../../jugg/src/adb/sync-protocol.ts';
import { socketFile } from '../../src/adbd/socket-service.ts';
import { freePort } from '../support/real-adb.ts';
import { startTestDevice } from '../support/test-device.ts';
import type { TestDevice } from '../support/test-device.ts';

let vd: TestDevice;
beforeAll(async () => {
  vd = await startTestDevice({ size: [300, 200] });
});
afterAll(() => vd.stop());

/** A client with just the features that are wanted; it takes what the device opens towards it. */
async function client(
  features: readonly string[],
  incoming: (service: string) => Server | null = () => null,
) {
  const socket = connect({ host: '127.0.0.1', port: vd.port });
  let banner = '';
  const connected = new Promise<AdbMux>((resolve) => {
    const mux = new AdbMux(socket, {
      connected(text) {
        banner = text;
        mux.delayedAck = features.includes('delayed_ack');
        resolve(mux);
      },
      authRequested() {},
      open: (service) => {
        const server = incoming(service);
        return server
          ? (stream) => {
              server.emit('connection', stream);
            }
          : null;
      },
      closed() {},
    });
    mux.sendConnect(formatBanner('host', {}, features));
  });
  const mux = await connected;
  return {
    mux,
    banner,
    async open(service: string): Promise<AdbStream> {
      const stream = await mux.open(service).stream;
      if (!stream) throw new Error(`${service} was refused`);
      return stream;
    },
    async ask(service: string, input?: Uint8Array): Promise<Buffer> {
      const stream = await this.open(service);
      if (input) stream.write(input);
      return Buffer.concat(await stream.toArray());
    },
  };
}

test('framebuffer: a header of version 2, then each pixel', async () => {
  const raw = await (await client([])).ask('framebuffer:');
  const words = Array.from({ length: 14 }, (_none, index) => raw.readUInt32LE(index * 4));
  expect(words).toEqual([2, 32, 0, 300 * 200 * 4, 300, 200, 0, 8, 16, 8, 8, 8, 24, 8]);
  expect(raw.length).toBe(14 * 4 + 300 * 200 * 4);
  // The launcher's grey, opaque.
  expect([...raw.subarray(56, 60)]).toEqual([0x30, 0x38, 0x40, 255]);
});

test('abb and abb_exec take words as they are, with and without packets', async () => {
  const device = await client(['abb', 'abb_exec']);
  expect((await device.ask('abb_exec:package\0list\0packages\0com.android.shell')).toString()).toBe(
    'package:com.android.shell\n',
  );
  const packets = new ShellPacketDecoder().push(await device.ask('abb:settings\0get\0global\0adb_enabled'));
  expect(packets.map(({ id, data }) => [id, id === 3 ? data[0] : data.toString()])).toEqual([
    [1, '1\n'],
    [3, 0],
  ]);
});

test('a terminal: its kind, its size, and its line ends', async () => {
  const device = await client(['shell_v2']);
  const stream = await device.open('shell,v2,TERM=xterm-256color,pty:');
  stream.write(encodeShellPacket(5, Buffer.from('40x132,0x0\0')));
  stream.write(encodeShellPacket(0, Buffer.from('echo $TERM $LINES $COLUMNS\nexit 4\n')));
  const packets = new ShellPacketDecoder().push(Buffer.concat(await stream.toArray()));
  const text = packets.flatMap(({ id, data }) => (id === 1 ? [data.toString()] : [])).join('');
  expect(text).toContain('\r\nxterm-256color 40 132\r\n');
  expect(packets.at(-1)).toMatchObject({ id: 3, data: Buffer.from([4]) });
  expect((await device.ask('shell,pty:echo a; echo b >&2')).toString()).toBe('a\r\nb\r\n');
  expect((await device.ask('shell,raw:echo a')).toString()).toBe('a\n');
});

test('commands of several lines are typed, and a mistake ends the line, not the shell', async () => {
  const device = await client(['shell_v2']);
  const typed = async (
    service: string,
    text: string,
  ): Promise<{ text: string; status: number | undefined }> => {
    const stream = await device.open(service);
    stream.write(encodeShellPacket(0, Buffer.from(text)));
    stream.write(encodeShellPacket(3, Buffer.alloc(0)));
    const packets = new ShellPacketDecoder().push(Buffer.concat(await stream.toArray()));
    const said = packets.flatMap(({ id, data }) => (id === 1 ? [data.toString()] : [])).join('');
    return { text: said, status: packets.find(({ id }) => id === 3)?.data[0] };
  };
  const script =
    'f() {\n  echo "in $1"\n}\nfor i in 1 2\ndo f $i; done\ncat <<E\ntext\nE\necho a \\\nb\nexit 7\n';
  expect(await typed('shell,v2,raw:', script)).toEqual({ text: 'in 1\nin 2\ntext\na b\n', status: 7 });
  const atTerminal = await typed(
    'shell,v2,pty:',
    'for i in 1 2\ndo echo "<$i>"\ndone\necho ${x?}\nfi\necho alive\nexit 3\n',
  );
  expect(atTerminal.text).toContain('<1>\r\n<2>\r\n');
  expect(atTerminal.text).toContain('> done\r\n');
  expect(atTerminal.text).toContain("syntax error: unexpected 'fi'");
  expect(atTerminal.text).toContain('\r\nalive\r\n');
  expect(atTerminal.status).toBe(3);
});

test('sync v2: modes are kept, compression is refused in words', async () => {
  const device = await client(['sendrecv_v2']);
  expect(device.banner).toContain('sendrecv_v2');
  expect(device.banner).not.toMatch(/brotli|lz4|zstd/);
  const setup = (id: string, ...words: number[]): Buffer => {
    const out = Buffer.alloc(4 + words.length * 4);
    out.write(id, 0, 'latin1');
    for (const [index, word] of words.entries()) out.writeUInt32LE(word, 4 + index * 4);
    return out;
  };
  const path = '/data/local/tmp/v2.bin';
  const data = randomBytes(1000);
  const sent = await device.open('sync:');
  sent.write(Buffer.concat([syncRequest('SND2', path), setup('SND2', 0o100600, 0)]));
  sent.write(Buffer.concat([syncRequest('DATA', data.length, data), syncRequest('DONE', 1_600_000_000)]));
  sent.write(Buffer.concat([syncRequest('RCV2', path), setup('RCV2', 0), syncRequest('QUIT', 0)]));
  const answer = Buffer.concat(await sent.toArray());
  expect(answer.toString('latin1', 0, 4)).toBe('OKAY');
  expect(answer.includes(data)).toBe(true);
  expect((await device.ask(`exec:stat -c '%a %Y' ${path}`)).toString()).toBe('660 1600000000\n');
  const packed = Buffer.concat([syncRequest('RCV2', path), setup('RCV2', 1)]);
  const refused = await device.ask('sync:', packed);
  expect(refused.toString()).toContain('FAIL');
  expect(refused.toString()).toContain('takes no compression');
});

test('delayed acknowledgement: a window of bytes instead of one message at a time', async () => {
  const device = await client(['delayed_ack', 'shell_v2']);
  const bytes = randomBytes(5_000_000);
  const echo = await device.open('exec:cat > /sdcard/delayed.bin');
  await new Promise((resolve) => echo.write(bytes, resolve));
  echo.end();
  await expect
    .poll(async () => (await device.ask('exec:stat -c %s /sdcard/delayed.bin')).toString())
    .toBe('5000000\n');
  expect((await device.ask('exec:cat /sdcard/delayed.bin')).equals(bytes)).toBe(true);
  // A reader that does not read stops the writer, and goes on where it was.
  const slow = await device.open('exec:cat /sdcard/delayed.bin');
  await once(slow, 'readable');
  await device.ask('exec:true');
  expect(Buffer.concat(await slow.toArray()).equals(bytes)).toBe(true);
});

test('reverse: a port and an abstract name of the device lead to the client, until it goes', async () => {
  const echo = createServer((socket) => socket.on('data', (data) => socket.end(`got ${data.toString()}`)));
  const device = await client([], (service) => (service === 'tcp:7777' ? echo : null));
  const [ok, length] = [/^OKAY/, /^OKAY[0-9a-f]{4}/];
  const made = (await device.ask('reverse:forward:tcp:0;tcp:7777')).toString();
  expect(made).toMatch(length);
  const port = Number(made.slice(8));
  expect((await device.ask('reverse:forward:localabstract:back;tcp:7777')).toString()).toBe('OKAY');
  expect((await device.ask('reverse:list-forward')).toString()).toBe(
    `00${(`(reverse) tcp:${port} tcp:7777\n`.length + '(reverse) localabstract:back tcp:7777\n'.length).toString(16)}(reverse) tcp:${port} tcp:7777\n(reverse) localabstract:back tcp:7777\n`,
  );
  const sockets = vd.sockets();
  for (const where of [{ host: '127.0.0.1', port }, { path: socketFile(sockets, 'back') }]) {
    const socket = connect(where);
    socket.write('hello');
    expect(Buffer.concat(await socket.toArray()).toString()).toBe('got hello');
  }
  expect((await device.ask(`reverse:forward:norebind:tcp:${port};tcp:1`)).toString()).toMatch(
    /^FAIL.{4}cannot rebind/,
  );
  expect((await device.ask(`reverse:killforward:tcp:${port}`)).toString()).toMatch(ok);
  expect((await device.ask(`reverse:killforward:tcp:${port}`)).toString()).toMatch(/^FAIL.*not found/);
  expect((await device.ask('reverse:nonsense')).toString()).toMatch(/^FAIL/);
  device.mux.close();
  await expect
    .poll(async () => {
      const socket = connect({ path: socketFile(sockets, 'back') });
      return new Promise((resolve) => {
        socket.once('error', () => resolve('gone'));
        socket.once('connect', () => resolve('there'));
      });
    })
    .toBe('gone');
});

test('reverse of a port that the host has anyway, and of one that is taken', async () => {
  const port = await freePort();
  const host = createServer().listen({ host: '127.0.0.1', port });
  await once(host, 'listening');
  const device = await client([]);
  expect((await device.ask(`reverse:forward:tcp:${port};tcp:${port}`)).toString()).toMatch(/^OKAY/);
  expect((await device.ask(`reverse:forward:tcp:${port};tcp:1`)).toString()).toMatch(
    /^FAIL.{4}cannot bind listener: EADDRINUSE/,
  );
  device.mux.close();
  host.close();
});

test('localfilesystem: a socket that is a file; what the shell may not see is refused', async () => {
  const device = await client([]);
  const file = vd.device.services.files.hostPath('/data/local/tmp/s');
  const server = createServer((socket) => socket.end('from the file')).listen(file);
  await once(server, 'listening');
  expect((await device.ask('localfilesystem:/data/local/tmp/s')).toString()).toBe('from the file');
  expect(await device.mux.open('localfilesystem:/data/data/x/s').stream).toBeNull();
  expect(await device.mux.open('localfilesystem:/data/local/tmp/none').stream).toBeNull();
  server.close();
});

test('a reboot: away, and back with the same files, another boot and an empty log', async () => {
  const device = await client([]);
  await device.ask('exec:echo kept > /sdcard/kept; log -t Before here');
  const boot = vd.device.services.bootMs;
  const sleeping = await device.open('shell:sleep 60');
  sleeping.on('error', () => {});
  const gone = new Promise((resolve) => {
    sleeping.once('close', resolve);
  });
  await device.ask('reboot:');
  await gone;
  await expect.poll(() => vd.device.services.bootMs, { timeout: 20_000 }).toBeGreaterThan(boot);
  const isBack = async (): Promise<boolean> => (await connectDirect({ host: '127.0.0.1', port: vd.port })).ok;
  await expect.poll(isBack, { timeout: 20_000 }).toBe(true);
  const after = await client([]);
  expect((await after.ask('exec:cat /sdcard/kept')).toString()).toBe('kept\n');
  expect((await after.ask('exec:logcat -d -s Before')).toString()).not.toContain('here');
});
