import { createHash } from 'node:crypto';
import { appendFile, readdir, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { KnownVirtualDevice } from '../adb/types.ts';
import { readJson } from '../shared/files.ts';
import { fail, ok, type Result } from '../shared/outcome.ts';
import type { JuggDirs } from '../shared/paths.ts';
import { processExists } from '../shared/process-exists.ts';

/** The state file that a virtual device's daemon writes once its adbd listens. */
export const recordSchema = z.object({
  name: z.string(),
  pid: z.number().int(),
  port: z.number().int(),
  serial: z.string(),
  startedAt: z.string(),
});
export type VirtualDeviceRecord = z.output<typeof recordSchema>;

/** The daemon's own door: HTTP on the loopback, with a token that only this user can read. */
const doorSchema = z.object({ control: z.object({ port: z.number().int(), token: z.string() }) });

const STOP_TIMEOUT_MS = 10_000;
/** A large APK is copied and parsed. */
const ASK_TIMEOUT_MS = 120_000;
const POLL_MS = 20;

export function virtualDeviceDir(dirs: JuggDirs): string {
  return join(dirs.state, 'vd');
}

/** What the device of that name was started with. */
export function specFile(dirs: JuggDirs, name: string): string {
  return join(virtualDeviceDir(dirs), `${name}.spec`);
}

/** Devices whose daemon runs now; adb may not see one that is away on command. */
export async function listVirtualDevices(dirs: JuggDirs): Promise<readonly VirtualDeviceRecord[]> {
  const names = await readdir(virtualDeviceDir(dirs)).catch(() => []);
  const records = await Promise.all(
    names
      .filter((name) => name.endsWith('.json'))
      .map(async (name) => {
        const content = await readJson(join(virtualDeviceDir(dirs), name));
        const parsed = recordSchema.safeParse(content);
        if (!parsed.success) return undefined;
        if (await isRunning(parsed.data, content)) return parsed.data;
        if (await isGone(parsed.data.pid)) await removeDead(dirs, parsed.data, content);
        return undefined;
      }),
  );
  return records.filter((record) => record !== undefined);
}

export async function knownVirtualDevices(dirs: JuggDirs): Promise<readonly KnownVirtualDevice[]> {
  return (await listVirtualDevices(dirs)).map(({ name, port }) => ({ name, port, host: '127.0.0.1' }));
}

/** Ends a device's daemon and its app processes; `NO_DEVICE` when there is none of that name. */
export async function stopVirtualDevice(dirs: JuggDirs, name: string): Promise<Result<VirtualDeviceRecord>> {
  const found = await findVirtualDevice(dirs, name);
  if (!found.ok) return found;
  const record = found.value;
  try {
    process.kill(record.pid, 'SIGTERM');
  } catch {
    // It ended by itself meanwhile.
  }
  const deadline = performance.now() + STOP_TIMEOUT_MS;
  while (performance.now() < deadline) {
    if (!processExists(record.pid)) {
      await rm(specFile(dirs, record.name), { force: true });
      return ok(record);
    }
    await delay(POLL_MS);
  }
  return fail(
    'TIMEOUT',
    `The virtual device ${name} (pid ${record.pid}) did not end within ${STOP_TIMEOUT_MS / 1000} s.`,
  );
}

/** What `askVirtualDevice` can ask: see `control/requests.ts` of the virtual device. */
export interface DeviceRequest {
  readonly command: string;
  readonly [key: string]: unknown;
}

const answerSchema = z.union([
  z.object({ ok: z.literal(true), data: z.record(z.string(), z.unknown()) }),
  z.object({ ok: z.literal(false), message: z.string(), code: z.literal('INSTALL_FAILED').optional() }),
]);

/** Asks the daemon of a running device over its own door; what it refuses is `INVALID_PARAMS` in its words. */
export async function askVirtualDevice(
  dirs: JuggDirs,
  name: string,
  request: DeviceRequest,
): Promise<Result<Readonly<Record<string, unknown>>>> {
  const record = await findVirtualDevice(dirs, name);
  if (!record.ok) return record;
  const content = await readJson(join(virtualDeviceDir(dirs), `${record.value.name}.json`));
  const door = doorSchema.safeParse(content);
  if (!door.success) return fail('DEVICE_GONE', `The virtual device ${name} ended meanwhile.`);
  const { port, token } = door.data.control;
  try {
    const response = await fetch(`http://127.0.0.1:${port}/control`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(request),
      signal: AbortSignal.timeout(ASK_TIMEOUT_MS),
    });
    const answer = answerSchema.parse(await response.json());
    return answer.ok ? ok(answer.data) : fail(answer.code ?? 'INVALID_PARAMS', answer.message);
  } catch (error) {
    return fail('DEVICE_GONE', `The virtual device ${name} did not answer: ${String(error)}`);
  }
}

async function findVirtualDevice(dirs: JuggDirs, name: string): Promise<Result<VirtualDeviceRecord>> {
  const running = await listVirtualDevices(dirs);
  const record = running.find((one) => one.name === name || one.serial === name);
  if (record) return ok(record);
  const names = running.map((one) => one.name).join(', ');
  return fail(
    'NO_DEVICE',
    `No virtual device named ${name} is running; ${names === '' ? 'none is: `jugg vd start` starts one.' : `there are: ${names}.`}`,
  );
}

/**
 * Lets the virtual devices of this user (or the one of that name) start an APK that Jugg built or that its user vouches
 * for: any other runs only where its user said so.
 */
export async function trustApk(dirs: JuggDirs, apk: string, only?: string): Promise<void> {
  const digest = createHash('sha256')
    .update(await readFile(apk))
    .digest('hex');
  for (const { name } of await listVirtualDevices(dirs)) {
    if (only !== undefined && only !== name) continue;
    const file = join(virtualDeviceDir(dirs), name, 'trusted-apks');
    const known = await readFile(file, 'utf8').catch(() => '');
    if (!known.includes(digest)) await appendFile(file, `${digest}\n`, { mode: 0o600 });
  }
}

/** What a device that was killed has left, its files and packages aside: the next start finds those as they were. */
async function removeDead(
  dirs: JuggDirs,
  { name, pid }: VirtualDeviceRecord,
  content: unknown,
): Promise<void> {
  const file = join(virtualDeviceDir(dirs), `${name}.json`);
  const now = recordSchema.safeParse(await readJson(file));
  // Another one of that name may have begun.
  if (!now.success || now.data.pid !== pid) return;
  const left = z.object({ socketDir: z.string() }).safeParse(content);
  if (left.success && basename(left.data.socketDir).startsWith('jvd-'))
    await rm(left.data.socketDir, { recursive: true, force: true });
  await rm(file, { force: true });
}

/**
 * A record is believed while its process lives and its door answers: after a crash the port may belong to the device of
 * another Jugg, and the pid to any program (which Linux can tell).
 */
async function isRunning({ pid }: VirtualDeviceRecord, content: unknown): Promise<boolean> {
  if (await isGone(pid)) return false;
  const door = doorSchema.safeParse(content);
  return door.success && accepts(door.data.control.port);
}

/** Whether the process of a record is known to be none of a virtual device's; one that ended and was not waited for has no command line. */
async function isGone(pid: number): Promise<boolean> {
  if (!processExists(pid)) return true;
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => null);
  return command !== null && !command.includes('virtual-device');
}

export function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.setTimeout(1000, () => socket.destroy());
    socket.once('connect', () => {
      resolve(true);
      socket.destroy();
    });
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
  });
}
