import { spawn } from 'node:child_process';
import { mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fail, ok, type Result } from '../shared/outcome.ts';
import type { JuggDirs } from '../shared/paths.ts';
import { processExists } from '../shared/process-exists.ts';
import { isOlder, VERSION } from '../shared/version.ts';
import { asksToStopWhenIdle, findServer, type ServerLink } from './server-client.ts';
import { startOnce } from './single-start.ts';

const START_TIMEOUT_MS = 15_000;
/** An idle server ends in well under a second; calls that still run may take two. */
const STOP_TIMEOUT_MS = 5_000;
const POLL_MS = 25;

/**
 * The server of this user: the one that runs, else one started in the background. Two starts at once end in one server:
 * the second waits for the first one's.
 *
 * @param entry absolute path of `jugg.mjs`
 */
export async function findOrStartServer(
  dirs: JuggDirs,
  token: string,
  entry: string,
): Promise<Result<ServerLink>> {
  const running = await findServer(dirs.state, token);
  if (running && !(await makesRoom(running))) return ok(running);
  await mkdir(dirs.state, { recursive: true, mode: 0o700 });
  await mkdir(dirs.logs, { recursive: true, mode: 0o700 });
  const deadlineMs = performance.now() + START_TIMEOUT_MS;
  const started = await startOnce({
    lockPath: join(dirs.state, 'server-start.lock'),
    find: () => findServer(dirs.state, token),
    start: () => start(dirs, token, entry, deadlineMs),
    deadlineMs,
  });
  if (started) return started;
  return fail(
    'ENVIRONMENT_ERROR',
    `The server did not start within ${START_TIMEOUT_MS / 1000} s; its log is ${logFile(dirs)}.`,
  );
}

/** An older server that is idle stops for this newer program, which then starts its own; whether it did. */
async function makesRoom(running: ServerLink): Promise<boolean> {
  if (!isOlder(running.record.version, VERSION) || !(await asksToStopWhenIdle(running))) return false;
  const deadline = performance.now() + STOP_TIMEOUT_MS;
  while (processExists(running.record.pid) && performance.now() < deadline) await delay(POLL_MS);
  return true;
}

function logFile(dirs: JuggDirs): string {
  return join(dirs.logs, 'server-start.log');
}

async function start(
  dirs: JuggDirs,
  token: string,
  entry: string,
  deadline: number,
): Promise<Result<ServerLink>> {
  const log = await open(logFile(dirs), 'w', 0o600);
  // The device that this caller means is not that of all who come after: each says its own.
  const { ANDROID_SERIAL: _, ...env } = process.env;
  const child = spawn(process.execPath, [entry, 'serve', '--background'], {
    detached: true,
    env,
    stdio: ['ignore', log.fd, log.fd],
    windowsHide: true,
  });
  await log.close();
  let exited = false;
  child.once('exit', () => {
    exited = true;
  });
  child.once('error', () => {
    exited = true;
  });
  child.unref();
  while (performance.now() < deadline) {
    const found = await findServer(dirs.state, token);
    if (found) return ok(found);
    if (exited) break;
    await delay(POLL_MS);
  }
  const said = (await readFile(logFile(dirs), 'utf8').catch(() => '')).trim().slice(-1000);
  const code = /PORT_RANGE_FULL/.test(said) ? 'PORT_RANGE_FULL' : 'ENVIRONMENT_ERROR';
  return fail(code, `The server did not start${said ? `: ${said}` : ''}`);
}
