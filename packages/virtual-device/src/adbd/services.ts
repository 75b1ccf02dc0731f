import type { AdbStream } from '../../../jugg/src/adb/stream.ts';
import { UID_SHELL } from '../fs/layout.ts';
import type { ShellHost } from '../shell/interpreter.ts';
import { parseShellService, serveShell } from './shell-service.ts';
import { serveSocket } from './socket-service.ts';
import { serveSync } from './sync-service.ts';

/** What adbd needs of the device. */
export interface ServiceHost {
  readonly shell: ShellHost;
  /** Host path of an app's abstract socket, or `null` when no process has it open. */
  abstractSocket(name: string): string | null;
  /** Whether an app process has opened this port of the loopback; others of this machine are closed to clients. */
  ownsTcpPort(port: number): boolean;
  debuggablePids(): readonly number[];
  /** Called when the list of processes changes; returns how to stop. */
  onProcessesChanged(listener: () => void): () => void;
  reboot(): void;
}

type Start = (stream: AdbStream) => void;

/** Texts of AOSP daemon/services.cpp and restart_service.cpp for what a production device refuses. */
const REFUSALS: ReadonlyMap<string, string> = new Map([
  ['root:', 'adbd cannot run as root in production builds\n'],
  ['unroot:', 'adbd not running as root\n'],
  ['remount:', 'Not running as root. Try "adb root" first.\n'],
  ['disable-verity:', 'disable-verity only works for userdebug builds\n'],
  ['enable-verity:', 'enable-verity only works for userdebug builds\n'],
]);

/** Finds what serves `service`; `null` refuses it, as adbd does with names that it does not know. */
export function openService(service: string, host: ServiceHost): Start | null {
  const shell = parseShellService(service);
  if (shell) return (stream) => void serveShell(stream, shell, host.shell);
  if (service.startsWith('sync:')) return (stream) => void serveSync(stream, host.shell.fsFor(UID_SHELL));
  const refusal = REFUSALS.get(service);
  if (refusal !== undefined) return (stream) => say(stream, refusal);
  if (service === 'jdwp') return (stream) => say(stream, pidLines(host));
  if (service === 'track-jdwp') return (stream) => trackJdwp(stream, host);
  if (service.startsWith('reboot:')) {
    return (stream) => {
      stream.end();
      host.reboot();
    };
  }
  return openSocket(service, host);
}

function openSocket(service: string, host: ServiceHost): Start | null {
  const abstract = /^(?:localabstract|local):(.+)$/s.exec(service);
  if (abstract?.[1] !== undefined) {
    const path = host.abstractSocket(abstract[1]);
    return path === null ? null : (stream) => serveSocket(stream, { path });
  }
  const tcp = /^tcp:(\d+)$/.exec(service);
  if (tcp?.[1] !== undefined) {
    const port = Number(tcp[1]);
    return host.ownsTcpPort(port) ? (stream) => serveSocket(stream, { host: '127.0.0.1', port }) : null;
  }
  return null;
}

function say(stream: AdbStream, text: string): void {
  stream.on('error', () => {});
  stream.end(text);
}

function pidLines(host: ServiceHost): string {
  return host
    .debuggablePids()
    .map((pid) => `${pid}\n`)
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
