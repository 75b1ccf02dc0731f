import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { Adb, AdbDaemonTransport, AdbPacket, AdbPacketSerializeStream } from '@yume-chan/adb';
import type { AdbCredentialStore, AdbDaemonConnection } from '@yume-chan/adb';
import {
  Consumable,
  pipeFrom,
  PushReadableStream,
  StructDeserializeStream,
  WritableStream,
} from '@yume-chan/stream-extra';
import type { Tool } from './tool.ts';

/** A key of this run: nothing on the disk. */
class Credentials implements AdbCredentialStore {
  readonly #key = createPrivateKey(
    generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    }).privateKey,
  ).export({ type: 'pkcs8', format: 'der' });

  generateKey(): { buffer: Uint8Array; name: string } {
    return { buffer: new Uint8Array(this.#key), name: 'tango@test' };
  }

  iterateKeys(): { buffer: Uint8Array; name: string }[] {
    return [this.generateKey()];
  }
}

/** Tango's own adb, straight to the device's adbd: no adb server between. */
export async function tangoAdb(port: number): Promise<Adb> {
  const socket = connect({ host: '127.0.0.1', port });
  socket.setNoDelay(true);
  await new Promise((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  const serial = `127.0.0.1:${port}`;
  const credentialStore = new Credentials();
  const transport = await AdbDaemonTransport.authenticate({
    serial,
    connection: link(socket),
    credentialStore,
  });
  return new Adb(transport);
}

function link(socket: Socket): AdbDaemonConnection {
  const incoming = new PushReadableStream<Uint8Array>(async (controller) => {
    for await (const chunk of socket) await controller.enqueue(new Uint8Array(chunk));
  });
  const outgoing = new WritableStream<Consumable<Uint8Array>>({
    write: (chunk) =>
      chunk.tryConsume(
        (bytes) =>
          new Promise<void>((resolve, reject) => {
            socket.write(bytes, (error) => (error ? reject(error) : resolve()));
          }),
      ),
    close() {
      socket.destroy();
    },
  });
  return {
    readable: incoming.pipeThrough(new StructDeserializeStream(AdbPacket)),
    writable: pipeFrom(outgoing, new AdbPacketSerializeStream()),
  };
}

/** The device suite's client on Tango. */
export async function tangoTool(port: number): Promise<Tool> {
  const adb = await tangoAdb(port);
  const shell = adb.subprocess.shellProtocol;
  if (!shell) throw new Error('the device does not speak shell v2');
  const push = async (local: string, remote: string): Promise<void> => {
    const sync = await adb.sync();
    try {
      const { size } = await stat(local);
      const file = new PushReadableStream<Uint8Array>(async (controller) => {
        for await (const chunk of createReadStream(local)) await controller.enqueue(new Uint8Array(chunk));
      });
      await sync.write({ filename: remote, file });
      const there = await sync.stat(remote);
      if (Number(there.size) !== size) throw new Error(`pushed ${there.size} of ${size} bytes`);
    } finally {
      await sync.dispose();
    }
  };
  return {
    shell: async (command) => shell.spawnWaitText(command),
    execOut: async (command) => Buffer.from(await adb.subprocess.noneProtocol.spawnWait(command)),
    push,
    async pull(remote, local) {
      const sync = await adb.sync();
      try {
        const chunks: Uint8Array[] = [];
        await sync.read(remote).pipeTo(
          new WritableStream({
            write: (chunk) => {
              chunks.push(chunk);
            },
          }),
        );
        await writeFile(local, Buffer.concat(chunks));
      } finally {
        await sync.dispose();
      }
    },
    async install(apk) {
      const bytes = await readFile(apk);
      const process = await adb.subprocess.noneProtocol.spawn([
        'cmd',
        'package',
        'install',
        '-r',
        '-S',
        String(bytes.length),
      ]);
      const writer = process.stdin.getWriter();
      await writer.write(new Consumable(new Uint8Array(bytes)));
      writer.releaseLock();
      const chunks: Uint8Array[] = [];
      for await (const chunk of process.output) chunks.push(chunk);
      return Buffer.concat(chunks).toString();
    },
    close: async () => adb.close(),
  };
}
