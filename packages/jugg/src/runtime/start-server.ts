import { spawn } from 'node:child_process';
import { mkdir, open, readFile, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { systemErrorCode } from '../shared/files.ts';
import { fail, ok, type Result } from '../shared/outcome.ts';
import type { JuggDirs } from '../shared/paths.ts';
import { findServer, type ServerLink } from './server-client.ts';

const START_TIMEOUT_MS = 15_000;
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
  if (running) return ok(running);
  await mkdir(dirs.state, { recursive: true, mode: 0o700 });
  await mkdir(dirs.logs, { recursive: true, mode: 0o700 });
  const lockFile = join(dirs.state, 'server-start.lock');
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < deadline) {
    const lock = await take(lockFile);
    if (lock) {
      try {
        return (await findRunning(dirs, token)) ?? (await start(dirs, token, entry, deadline));
      } finally {
        await lock.close();
        await rm(lockFile, { force: true });
      }
    }
    // Somebody else starts it just now.
    await delay(POLL_MS);
    const started = await findRunning(dirs, token);
    if (started) return started;
  }
  return fail(
    'ENVIRONMENT_ERROR',
    `The server did not start within ${START_TIMEOUT_MS / 1000} s; its log is ${logFile(dirs)}.`,
  );
}

async function findRunning(dirs: JuggDirs, token: string): Promise<Result<ServerLink> | undefined> {
  const found = await findServer(dirs.state, token);
  return found && ok(found);
}

function logFile(dirs: JuggDirs): string {
  return join(dirs.logs, 'server-start.log');
}

async function take(lockFile: string): Promise<FileHandle | undefined> {
  try {
    return await open(lockFile, 'wx', 0o600);
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw error;
    // A starter that was killed leaves its lock; nobody needs it longer than a start may take.
    const info = await stat(lockFile).catch(() => undefined);
    if (info && Date.now() - info.mtimeMs > START_TIMEOUT_MS) await rm(lockFile, { force: true });
    return undefined;
  }
}

async function start(
  dirs: JuggDirs,
  token: string,
  entry: string,
  deadline: number,
): Promise<Result<ServerLink>> {
  const log = await open(logFile(dirs), 'w', 0o600);
  const child = spawn(process.execPath, [entry, 'serve', '--background'], {
    detached: true,
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
