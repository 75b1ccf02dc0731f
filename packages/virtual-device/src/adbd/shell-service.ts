import {
  encodeShellPacket,
  SHELL_CLOSE_STDIN,
  SHELL_EXIT,
  SHELL_STDERR,
  SHELL_STDIN,
  SHELL_STDOUT,
  ShellPacketDecoder,
} from '../../../jugg/src/adb/shell-protocol.ts';
import type { AdbStream } from '../../../jugg/src/adb/stream.ts';
import { UID_SHELL } from '../fs/layout.ts';
import type { ByteSource } from '../io/bytes.ts';
import { Pipe } from '../io/pipe.ts';
import { Shell } from '../shell/interpreter.ts';
import type { ShellHost } from '../shell/shell-port.ts';
import type { Stdio } from '../shell/redirects.ts';
import { newState } from '../shell/state.ts';
import { runInteractive } from './interactive.ts';
import { streamSink, streamSource } from './stream-io.ts';

/** What a `shell` or `exec` service asks for. */
export interface ShellRequest {
  /** Packets with separate streams and an exit code, or bytes only. */
  readonly v2: boolean;
  /** A terminal on the device's side: input is echoed, `\n` becomes `\r\n`. */
  readonly pty: boolean;
  /** Empty for an interactive shell. */
  readonly command: string;
}

/** `shell[,v2][,TERM=…][,raw|pty]:command` (AOSP daemon/services.cpp `ShellService`), `exec:command`. */
export function parseShellService(service: string): ShellRequest | null {
  if (service.startsWith('exec:')) return { v2: false, pty: false, command: service.slice('exec:'.length) };
  const match = /^shell((?:,[^:]*)*):([\s\S]*)$/.exec(service);
  if (!match) return null;
  const options = (match[1] ?? '').split(',');
  const command = match[2] ?? '';
  const pty = options.includes('pty') || (!options.includes('raw') && command === '');
  return { v2: options.includes('v2'), pty, command };
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
  const io = request.v2 ? packetStdio(stream) : rawStdio(stream);
  const shell = new Shell(host, newState(UID_SHELL, '/', host.nextPid()), gone.signal);
  const running =
    request.command === '' ? runInteractive(shell, io, request.pty) : shell.runText(request.command, io);
  // A command that does not hear the signal must not keep the stream.
  const hungUp = new Promise<number>((resolve) => {
    gone.signal.addEventListener('abort', () => resolve(129), { once: true });
  });
  const status = await Promise.race([running, hungUp]);
  if (stream.destroyed) return;
  if (request.v2) stream.write(encodeShellPacket(SHELL_EXIT, Buffer.from([status & 0xff])));
  stream.end();
}

/** Without packets both outputs are one, and a command's `\n` stays as it is (as adbd's raw mode). */
function rawStdio(stream: AdbStream): Stdio {
  const stdout = streamSink(stream);
  return { stdin: streamSource(stream), stdout, stderr: stdout };
}

function packetStdio(stream: AdbStream): Stdio {
  return {
    stdin: packetSource(stream),
    stdout: streamSink(stream, (data) => encodeShellPacket(SHELL_STDOUT, data)),
    stderr: streamSink(stream, (data) => encodeShellPacket(SHELL_STDERR, data)),
  };
}

/** The stdin packets of the client. Window sizes are taken and not used. */
function packetSource(stream: AdbStream): ByteSource {
  const pipe = new Pipe();
  const decoder = new ShellPacketDecoder();
  const source = streamSource(stream);
  void (async () => {
    for (let chunk = await source.read(); chunk !== null; chunk = await source.read()) {
      for (const { id, data } of decoder.push(chunk)) {
        if (id === SHELL_STDIN) await pipe.write(data);
        else if (id === SHELL_CLOSE_STDIN) pipe.end();
      }
    }
    pipe.end();
  })();
  return pipe;
}
