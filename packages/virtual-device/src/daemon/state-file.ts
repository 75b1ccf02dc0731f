import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { z } from 'zod';
import type { Spec } from '../spec.ts';
import { specDigest } from '../spec.ts';
import { processExists } from '../../../jugg/src/shared/process-exists.ts';

/** What `<stateDir>/<name>.json` says while a device runs. */
const stateSchema = z.object({
  pid: z.int(),
  port: z.int(),
  serial: z.string(),
  name: z.string(),
  /** ISO 8601. */
  startedAt: z.string(),
  specDigest: z.string(),
  /** The folder of the apps' sockets; outside of the state folder, as such paths must be short. */
  socketDir: z.string(),
  /** The daemon's own door on the loopback. */
  control: z.object({ port: z.int(), token: z.string() }),
});

export type DeviceState = z.infer<typeof stateSchema>;

export function stateFile(spec: Pick<Spec, 'stateDir' | 'name'>): string {
  return join(spec.stateDir, `${spec.name}.json`);
}

/** The state of a device that may or may not run; `null` when there is none or it cannot be read. */
export async function readState(file: string): Promise<DeviceState | null> {
  try {
    return stateSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return null;
  }
}

/**
 * Whether the daemon of `state` lives: pids are used again, its open control port is evidence. adb's port is not: a
 * device may be away on command.
 */
export function isAlive(state: DeviceState): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port: state.control.port });
    const finish = (alive: boolean): void => {
      socket.destroy();
      resolve(alive && processExists(state.pid));
    };
    socket.setTimeout(1000, () => finish(false));
    socket.once('connect', () => finish(true));
    socket.once('error', () => finish(false));
  });
}

/**
 * Writes the file, complete or not at all. False when another device of this name was faster: a link fails where a
 * rename would silently replace the file of a living one.
 */
export async function claimState(spec: Spec, state: Omit<DeviceState, 'specDigest'>): Promise<boolean> {
  await mkdir(spec.stateDir, { recursive: true, mode: 0o700 });
  const file = stateFile(spec);
  const temporary = `${file}.${process.pid}.tmp`;
  const content: DeviceState = { ...state, specDigest: specDigest(spec) };
  await writeFile(temporary, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  try {
    await link(temporary, file);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    // File systems without hard links: the check before is all there is.
    await rename(temporary, file);
    return true;
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Removes the file if it is still ours. */
export async function releaseState(spec: Spec): Promise<void> {
  const state = await readState(stateFile(spec));
  if (state?.pid === process.pid) await rm(stateFile(spec), { force: true });
}
