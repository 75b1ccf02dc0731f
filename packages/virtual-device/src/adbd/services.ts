import type { AdbMux, Opening } from '../../../jugg/src/adb/mux.ts';
import type { AdbStream } from '../../../jugg/src/adb/stream.ts';
import { UID_SHELL } from '../fs/layout.ts';
import type { ShellHost } from '../shell/shell-port.ts';
import { serveFramebuffer } from './framebuffer.ts';
import { openJdwp } from './jdwp-service.ts';
import type { DebuggableApp } from './jdwp-service.ts';
import type { ReverseForwards } from './reverse.ts';
import { parseShellService, serveShell } from './shell-service.ts';
import { isListening } from './port-owner.ts';
import { openAbstract, openSocket } from './socket-service.ts';
import { serveSync } from './sync-service.ts';

/** What adbd needs of the device. */
export interface ServiceHost {
  readonly shell: ShellHost;
  /** Where the apps' abstract sockets are on the host. */
  readonly socketDir: string;
  /** Process ids of the apps: the ports that they listen on can be reached, others of this machine cannot. */
  appPids(): readonly number[];
  debuggable(): readonly DebuggableApp[];
  /** Called when the list of processes changes; returns how to stop. */
  onProcessesChanged(listener: () => void): () => void;
  /** Ends all that runs and boots anew. */
  reboot(): void;
  /** The screen as a PNG. */
  screenshot(): Promise<Buffer>;
  reverse(client: AdbMux): ReverseForwards;
}

/** Texts of AOSP daemon/services.cpp and restart_service.cpp for what a production device refuses. */
const REFUSALS: ReadonlyMap<string, string> = new Map([
  ['root:', 'adbd cannot run as root in production builds\n'],
  ['unroot:', 'adbd not running as root\n'],
  ['remount:', 'Not running as root. Try "adb root" first.\n'],
  ['disable-verity:', 'disable-verity only works for userdebug builds\n'],
  ['enable-verity:', 'enable-verity only works for userdebug builds\n'],
]);

/** Finds what serves `service`; `null` refuses it, as adbd does with names that it does not know. */
export function openService(service: string, client: AdbMux, host: ServiceHost): Opening | Promise<Opening> {
  const shell = parseShellService(service);
  if (shell) return (stream) => guard(stream, serveShell(stream, shell, host.shell));
  if (service.startsWith('sync:'))
    return (stream) => guard(stream, serveSync(stream, host.shell.fsFor(UID_SHELL)));
  const refusal = REFUSALS.get(service);
  if (refusal !== undefined) return (stream) => say(stream, refusal);
  if (service === 'jdwp') return (stream) => say(stream, pidLines(host));
  if (service === 'track-jdwp') return (stream) => trackJdwp(stream, host);
  if (service.startsWith('reboot:')) {
    return (stream) => {
      stream.on('error', () => {});
      stream.end();
      host.reboot();
    };
  }
  if (service === 'framebuffer:')
    return (stream) =>
      guard(
        stream,
        serveFramebuffer(stream, () => host.screenshot()),
      );
  if (service.startsWith('reverse:')) {
    const command = service.slice('reverse:'.length);
    return (stream) => guard(stream, host.reverse(client).serve(stream, command));
  }
  const debugged = /^jdwp:(\d+)$/.exec(service)?.[1];
  if (debugged !== undefined)
    return openJdwp(host.debuggable().find(({ pid }) => pid === Number(debugged)) ?? null);
  const path = /^localfilesystem:(\/.+)$/s.exec(service)?.[1];
  if (path !== undefined) return openFile(path, host);
  const abstract = /^(?:localabstract|local):(.+)$/s.exec(service);
  if (abstract?.[1] !== undefined) return openAbstract(host.socketDir, abstract[1]);
  const port = Number(/^tcp:(\d+)$/.exec(service)?.[1]);
  return port > 0 ? openPort(port, host) : null;
}

/** A socket that an app has made in the file system; the shell's rights decide. */
async function openFile(path: string, host: ServiceHost): Promise<Opening> {
  const found = await host.shell.fsFor(UID_SHELL).locate(path);
  return found.ok && process.platform !== 'win32' ? openSocket({ path: found.value.hostPath }) : null;
}

async function openPort(port: number, host: ServiceHost): Promise<Opening> {
  return (await isListening(port, host.appPids())) ? openSocket({ host: '127.0.0.1', port }) : null;
}

/** A mistake in one service ends its stream, not the device; the daemon's log says what it was. */
function guard(stream: AdbStream, serving: Promise<void>): void {
  stream.on('error', () => {});
  serving.catch((error: unknown) => {
    process.stderr.write(
      `virtual-device: ${stream.service}: ${error instanceof Error ? (error.stack ?? '') : String(error)}\n`,
    );
    stream.destroy();
  });
}

function say(stream: AdbStream, text: string): void {
  stream.on('error', () => {});
  stream.end(text);
}

function pidLines(host: ServiceHost): string {
  return host
    .debuggable()
    .map(({ pid }) => `${pid}\n`)
    .join('');
}

/** Each list is prefixed with its length in four hex digits (AOSP daemon/jdwp_service.cpp). */
function trackJdwp(stream: AdbStream, host: ServiceHost): void {
  const send = (): void => {
    const lines = pidLines(host);
    stream.write(lines.length.toString(16).padStart(4, '0') + lines);
  };
  const stop = host.onProcessesChanged(send);
  stream.once('peerClose', stop);
  stream.once('close', stop);
  stream.on('error', stop);
  send();
}
