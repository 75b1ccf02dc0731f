import {
  encodeShellPacket,
  SHELL_CLOSE_STDIN,
  SHELL_EXIT,
  SHELL_STDERR,
  SHELL_STDIN,
  SHELL_STDOUT,
  SHELL_WINDOW_SIZE,
  ShellPacketDecoder,
} from '../../../jugg/src/adb/shell-protocol.ts';
import type { AdbStream } from '../../../jugg/src/adb/stream.ts';
import { UID_SHELL } from '../fs/layout.ts';
import type { ByteSource } from '../io/bytes.ts';
import { Pipe } from '../io/pipe.ts';
import { Shell } from '../shell/interpreter.ts';
import type { ShellHost } from '../shell/shell-port.ts';
import { Descriptors } from '../shell/descriptors.ts';
import type { Stdio } from '../shell/descriptors.ts';
import { newState } from '../shell/state.ts';
import { runInteractive, terminalSink } from './interactive.ts';
import { streamSink, streamSource } from './stream-io.ts';

/** What a `shell` or `exec` service asks for. */
export interface ShellRequest {
  /** Packets with separate streams and an exit code, or bytes only. */
  readonly v2: boolean;
  /** A terminal on the device's side: input is echoed, `\n` becomes `\r\n`. */
  readonly pty: boolean;
  /** Empty for an interactive shell. */
  readonly command: string;
  /** One command without a shell, as `abb` sends it; `command` is not used then. */
  readonly argv?: readonly string[];
  /** What the client's terminal is (`TERM=…`). */
  readonly term?: string;
}

/**
 * `shell[,v2][,TERM=…][,raw|pty]:command` (AOSP daemon/services.cpp `ShellService`), `exec:command`; `abb:` and
 * `abb_exec:` with the words of a `cmd`, parted by NULs (daemon/abb_service.cpp).
 */
export function parseShellService(service: string): ShellRequest | null {
  if (service.startsWith('exec:')) return { v2: false, pty: false, command: service.slice('exec:'.length) };
  const abb = /^abb(_exec)?:(.*)$/s.exec(service);
  if (abb) {
    const argv = ['cmd', ...(abb[2] ?? '').split('\0').filter((word) => word !== '')];
    return { v2: abb[1] === undefined, pty: false, command: '', argv };
  }
  const match = /^shell((?:,[^:]*)*):([\s\S]*)$/.exec(service);
  if (!match) return null;
  const options = (match[1] ?? '').split(',');
  const command = match[2] ?? '';
  const pty = options.includes('pty') || (!options.includes('raw') && command === '');
  const term = options.find((option) => option.startsWith('TERM='))?.slice('TERM='.length);
  return { v2: options.includes('v2'), pty, command, ...(term === undefined || term === '' ? {} : { term }) };
}

/** Runs the command of a service on its stream, then ends the stream. */
export async function serveShell(stream: AdbStream, request: ShellRequest, host: ShellHost): Promise<void> {
  const gone = new AbortController();
  stream.once('peerClose', () => {
    gone.abort();
  });
  stream.once('close', () => {
    gone.abort();
  });
  const state = newState(UID_SHELL, '/', host.nextPid());
  const resized = (rows: number, columns: number): void => {
    for (const [name, value] of Object.entries({ LINES: rows, COLUMNS: columns }))
      state.vars.set(name, String(value));
  };
  const io = request.v2 ? packetStdio(stream, resized) : rawStdio(stream);
  const screen = request.pty && request.command !== '' ? terminalSink(io.stdout) : null;
  const streams = screen ? { stdin: io.stdin, stdout: screen, stderr: screen } : io;
  const shell = new Shell(host, state, gone.signal, Descriptors.of(streams));
  if (request.pty) state.vars.set('TERM', request.term ?? 'dumb');
  const running = run(shell, io, request);
  // A command that does not hear the signal must not keep the stream.
  const hungUp = new Promise<number>((resolve) => {
    gone.signal.addEventListener('abort', () => resolve(129), { once: true });
  });
  const status = await Promise.race([running, hungUp]);
  if (stream.destroyed) return;
  if (request.v2) stream.write(encodeShellPacket(SHELL_EXIT, Buffer.from([status & 0xff])));
  stream.end();
}

async function run(shell: Shell, io: Stdio, { argv, command, pty }: ShellRequest): Promise<number> {
  if (argv) return shell.finish(await shell.execute(argv));
  return command === '' ? runInteractive(shell, io, pty) : shell.main(command);
}

/** Without packets both outputs are one, and a command's `\n` stays as it is (as adbd's raw mode). */
function rawStdio(stream: AdbStream): Stdio {
  const stdout = streamSink(stream);
  return { stdin: streamSource(stream), stdout, stderr: stdout };
}

type Resized = (rows: number, columns: number) => void;

function packetStdio(stream: AdbStream, resized: Resized): Stdio {
  return {
    stdin: packetSource(stream, resized),
    stdout: streamSink(stream, (data) => encodeShellPacket(SHELL_STDOUT, data)),
    stderr: streamSink(stream, (data) => encodeShellPacket(SHELL_STDERR, data)),
  };
}

/** The stdin packets of the client; a window size (`40x120,0x0`) becomes LINES and COLUMNS, as mksh keeps them. */
function packetSource(stream: AdbStream, resized: Resized): ByteSource {
  const pipe = new Pipe();
  const decoder = new ShellPacketDecoder();
  const source = streamSource(stream);
  void (async () => {
    for (let chunk = await source.read(); chunk !== null; chunk = await source.read()) {
      for (const { id, data } of decoder.push(chunk)) {
        if (id === SHELL_STDIN) await pipe.write(data);
        else if (id === SHELL_CLOSE_STDIN) pipe.end();
        else if (id === SHELL_WINDOW_SIZE) {
          const [, rows, columns] = /^(\d+)x(\d+)/.exec(data.toString('latin1')) ?? [];
          if (columns !== undefined) resized(Number(rows), Number(columns));
        }
      }
    }
    pipe.end();
  })();
  return pipe;
}
