import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { AppProcessPool } from '../app-process/pool.ts';
import { answerControl } from '../control/requests.ts';
import { startControl } from '../control/server.ts';
import type { ControlServer } from '../control/server.ts';
import { startDevice } from '../device.ts';
import type { Device } from '../device.ts';
import type { Spec } from '../spec.ts';
import { configOf } from '../spec.ts';
import { Litter } from './litter.ts';
import { makeFolders, removeSockets } from './rootfs.ts';
import { makeView } from '../view/routes.ts';
import { processExists } from '../../../jugg/src/shared/process-exists.ts';
import { claimState, isAlive, readState, releaseState, stateFile } from './state-file.ts';

/** Exit codes of the daemon, beside 0 and 2 (usage). */
const ALREADY_RUNNING = 3;
const NO_PORT = 4;

/** An ordinary end takes some 100 ms; who stops a device waits 10 s. */
const SHUTDOWN_MS = 8000;

/** How often the owner and idleness are looked at: an orphan lives no longer than this. */
const WATCH_MS = 2000;

/** Of the user who runs the device, and none of an app's business. */
function privateFolders(): string[] {
  const runtime = process.env['XDG_RUNTIME_DIR'];
  return runtime === undefined || runtime === '' ? [homedir()] : [homedir(), runtime];
}

/** On the device; adb may write there. */
const CLASS_JARS = 'data/local/tmp/jugg/classes';

/** Runs the device until it is told to stop; the value is the exit code. */
export async function runDaemon(spec: Spec): Promise<number> {
  const stopped = new StopSignal();
  if (!(await clearLeftovers(spec))) {
    say({ event: 'error', code: 'ALREADY_RUNNING', message: `A device named ${spec.name} is running.` });
    return ALREADY_RUNNING;
  }
  const folders = await makeFolders(spec);
  const pool = new AppProcessPool(
    {
      ...spec.runtime,
      config: configOf(spec),
      classJarDir: join(folders.root, ...CLASS_JARS.split('/')),
      isolation: { hidden: privateFolders(), writable: [folders.base, folders.sockets] },
    },
    { onTrouble: (message) => process.stderr.write(`virtual-device: ${message}\n`) },
  );
  const litter = new Litter();
  const device = await startDevice({
    spec,
    folders,
    pool,
    now: Date.now,
    passed: (bytes) => litter.passed(bytes),
  });
  if (!device) {
    await pool.close();
    await removeSockets(folders.sockets);
    say({ event: 'error', code: 'NO_PORT', message: 'No free port for adbd.' });
    return NO_PORT;
  }
  const { port } = device.adbd;
  const serial = `127.0.0.1:${port}`;
  const startedAt = new Date().toISOString();
  const { name } = spec;
  const token = randomBytes(32).toString('base64url');
  const view = makeView(device.services, spec.name);
  const control: ControlServer = await startControl({
    token,
    control: (body) =>
      answerControl(body, {
        device,
        viewUrl: () => `http://127.0.0.1:${control.port}/?token=${view.token}`,
      }),
    other: view.route,
  });
  const state = {
    pid: process.pid,
    port,
    serial,
    name,
    startedAt,
    socketDir: folders.sockets,
    control: { port: control.port, token },
  };
  try {
    if (!(await claimState(spec, state))) {
      say({ event: 'error', code: 'ALREADY_RUNNING', message: `A device named ${name} is running.` });
      return ALREADY_RUNNING;
    }
    say({ event: 'listening', port, serial, name, pid: process.pid });
    // Visible first: a client may connect and install while the first JVM starts.
    pool.warmUp();
    const watch = watchOwner(spec, device, stopped);
    await stopped.done;
    clearInterval(watch);
    // What hangs must not keep the device: its processes end when their standard input does.
    setTimeout(() => process.exit(0), SHUTDOWN_MS).unref();
    return 0;
  } finally {
    await releaseState(spec);
    await control.close();
    await device.close();
    await removeSockets(folders.sockets);
  }
}

/** One line of JSON on stdout; whoever started us may have gone. */
function say(message: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

class StopSignal {
  readonly done: Promise<void>;
  #stop: () => void = () => {};

  constructor() {
    this.done = new Promise((resolve) => {
      this.#stop = resolve;
    });
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => this.stop());
    // The starter's end of the pipe may be closed; that is no reason to fail.
    process.stdout.on('error', () => {});
  }

  stop(): void {
    this.#stop();
  }
}

/** Removes what a killed daemon left. False when it lives. Its app processes ended with their standard input. */
async function clearLeftovers(spec: Spec): Promise<boolean> {
  const file = stateFile(spec);
  const old = await readState(file);
  if (old && (await isAlive(old))) return false;
  if (old) await removeSockets(old.socketDir);
  await rm(file, { force: true });
  return true;
}

function watchOwner(spec: Spec, device: Device, stopped: StopSignal): NodeJS.Timeout {
  let idleSince: number | null = null;
  return setInterval(() => {
    if (spec.ownerPid !== undefined && !processExists(spec.ownerPid)) stopped.stop();
    const idle = device.adbd.connections === 0 && device.services.apps.all().length === 0;
    const now = performance.now();
    if (!idle) idleSince = null;
    else idleSince ??= now;
    if (spec.idleExitMs !== undefined && idleSince !== null && now - idleSince >= spec.idleExitMs)
      stopped.stop();
  }, WATCH_MS);
}
