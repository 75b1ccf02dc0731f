import { randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { PassThrough, Writable } from 'node:stream';
import { fail, ok } from '../shared/outcome.ts';
import type { Result } from '../shared/outcome.ts';
import { onAbort } from './deadline.ts';
import { gone } from './faults.ts';
import { quote } from './quote.ts';
import {
  encodeShellPacket,
  SHELL_CLOSE_STDIN,
  SHELL_EXIT,
  SHELL_STDERR,
  SHELL_STDIN,
  SHELL_STDOUT,
  ShellPacketDecoder,
} from './shell-protocol.ts';
import type { Transport } from './transport.ts';
import type { RawShellResult, ShellProcess } from './types.ts';

const EMPTY = Buffer.alloc(0);

/** Runs a command line and collects what it prints. `signal` ends the wait and closes the stream. */
export async function runShell(
  transport: Transport,
  command: string,
  stdin: string | Uint8Array | undefined,
  signal: AbortSignal,
): Promise<Result<RawShellResult>> {
  if (!transport.features.has('shell_v2')) return runShellV1(transport, command, signal);
  const opened = await transport.openStream(`shell,v2,raw:${command}`, signal);
  if (!opened.ok) return opened;
  const stream = opened.value;
  if (stdin !== undefined) stream.write(encodeShellPacket(SHELL_STDIN, Buffer.from(stdin)));
  stream.write(encodeShellPacket(SHELL_CLOSE_STDIN, EMPTY));
  const decoder = new ShellPacketDecoder();
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  let exitCode: number | null = null;
  const end = await readAll(stream, signal, (chunk) => {
    for (const packet of decoder.push(chunk)) {
      if (packet.id === SHELL_STDOUT) stdout.push(packet.data);
      else if (packet.id === SHELL_STDERR) stderr.push(packet.data);
      else if (packet.id === SHELL_EXIT) exitCode = packet.data[0] ?? 0;
    }
    return exitCode !== null;
  });
  if (exitCode !== null) {
    return ok({ stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr), exitCode });
  }
  return ended(end, signal, transport.serial, command);
}

/**
 * Before Android 7: no exit code in the protocol, so the shell prints it behind a marker nobody else prints. An inner
 * shell runs the command, as that may end its shell.
 */
async function runShellV1(
  transport: Transport,
  command: string,
  signal: AbortSignal,
): Promise<Result<RawShellResult>> {
  const marker = `jugg-exit-${randomBytes(8).toString('hex')}:`;
  const opened = await transport.openStream(`shell:sh -c ${quote(command)}; echo ${marker}$?`, signal);
  if (!opened.ok) return opened;
  const chunks: Buffer[] = [];
  const end = await readAll(opened.value, signal, (chunk) => {
    chunks.push(chunk);
    return false;
  });
  const all = Buffer.concat(chunks);
  const at = all.lastIndexOf(marker);
  const code = at < 0 ? null : /^\d+/.exec(all.toString('latin1', at + marker.length));
  if (!code) return ended(end, signal, transport.serial, command);
  return ok({ stdout: all.subarray(0, at), stderr: EMPTY, exitCode: Number(code[0]) });
}

/** Runs `exec:`: bytes as they are, until the device closes the stream. */
export async function runExec(
  transport: Transport,
  command: string,
  stdin: string | Uint8Array | undefined,
  signal: AbortSignal,
): Promise<Result<Buffer>> {
  const opened = await transport.openStream(`exec:${command}`, signal);
  if (!opened.ok) return opened;
  if (stdin !== undefined) opened.value.write(stdin);
  const chunks: Buffer[] = [];
  const end = await readAll(opened.value, signal, (chunk) => {
    chunks.push(chunk);
    return false;
  });
  if (end === null && !signal.aborted) return ok(Buffer.concat(chunks));
  return ended(end, signal, transport.serial, command);
}

/** Starts a command that keeps running. */
export async function spawnShell(
  transport: Transport,
  command: string,
  signal: AbortSignal,
): Promise<Result<ShellProcess>> {
  const v2 = transport.features.has('shell_v2');
  const opened = await transport.openStream(v2 ? `shell,v2,raw:${command}` : `shell:${command}`, signal);
  if (!opened.ok) return opened;
  return ok(new RunningShell(opened.value, v2, transport.serial));
}

class RunningShell implements ShellProcess {
  readonly stdin: Writable;
  readonly stdout = new PassThrough();
  readonly stderr = new PassThrough();
  readonly exit: Promise<Result<number>>;
  readonly #stream: Duplex;

  constructor(stream: Duplex, v2: boolean, serial: string) {
    this.#stream = stream;
    this.stdin = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        if (stream.destroyed || stream.writableEnded) done();
        else stream.write(v2 ? encodeShellPacket(SHELL_STDIN, chunk) : chunk, () => done());
      },
      final: (done) => {
        if (v2 && !stream.destroyed && !stream.writableEnded) {
          stream.write(encodeShellPacket(SHELL_CLOSE_STDIN, EMPTY));
        }
        done();
      },
    });
    this.exit = this.#pump(v2, serial);
  }

  kill(): void {
    this.#stream.destroy();
  }

  async #pump(v2: boolean, serial: string): Promise<Result<number>> {
    const decoder = new ShellPacketDecoder();
    let exitCode: number | null = v2 ? null : 0;
    try {
      for await (const chunk of this.#stream) {
        const packets = v2 ? decoder.push(chunk) : [{ id: SHELL_STDOUT, data: chunk as Buffer }];
        for (const { id, data } of packets) {
          if (id === SHELL_EXIT) exitCode = data[0] ?? 0;
          const target = id === SHELL_STDOUT ? this.stdout : id === SHELL_STDERR ? this.stderr : null;
          if (target && !target.destroyed && !target.write(data)) await drained(target);
        }
      }
    } catch {
      exitCode = v2 ? exitCode : null;
    }
    this.stdout.end();
    this.stderr.end();
    return exitCode === null ? gone(serial) : ok(exitCode);
  }
}

function drained(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stream.off('drain', done);
      stream.off('close', done);
      resolve();
    };
    stream.on('drain', done);
    stream.on('close', done);
  });
}

/**
 * Reads until the stream ends or `take` returns true; closes it then. The value is the error that ended it, if any.
 */
function readAll(
  stream: Duplex,
  signal: AbortSignal,
  take: (chunk: Buffer) => boolean,
): Promise<Error | null> {
  return new Promise((resolve) => {
    let stopListening = (): void => {};
    const finish = (error: Error | null): void => {
      stopListening();
      stream.destroy();
      resolve(error);
    };
    stopListening = onAbort(signal, () => {
      finish(null);
    });
    stream.on('data', (chunk: Buffer) => {
      if (take(chunk)) finish(null);
    });
    stream.on('end', () => {
      finish(null);
    });
    stream.on('error', (error: Error) => {
      finish(error);
    });
    stream.on('close', () => {
      finish(null);
    });
  });
}

function ended(
  error: Error | null,
  signal: AbortSignal,
  serial: string,
  command: string,
): ReturnType<typeof fail> {
  if (signal.aborted) return fail('CANCELED', `Shell command ${command.slice(0, 80)}: canceled.`);
  return fail('DEVICE_GONE', `Device ${serial} went away while \`${command.slice(0, 80)}\` ran.`, {
    data: { serial, ...(error ? { cause: error.message } : {}) },
  });
}
