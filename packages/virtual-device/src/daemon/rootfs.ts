import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { socketDir } from '../../../jugg/src/shared/paths.ts';
import { processExists } from '../../../jugg/src/shared/process-exists.ts';
import type { Spec } from '../spec.ts';

/** The folders of one device on the host. */
export interface DeviceFolders {
  /** `<stateDir>/<name>` */
  readonly base: string;
  /** What is `/` on the device. */
  readonly root: string;
  /** Sockets of the apps; short, and gone when the device is. */
  readonly sockets: string;
}

const PREFIX = 'jvd-';
/** In a folder `jvd-<pid>-…`: when that process began, as ids are used again. */
const OWNER_FILE = 'owner';

export async function makeFolders(spec: Pick<Spec, 'stateDir' | 'name'>): Promise<DeviceFolders> {
  await removeDeadSockets();
  const base = join(spec.stateDir, spec.name);
  const folders = { base, root: join(base, 'root') };
  for (const folder of Object.values(folders)) await mkdir(folder, { recursive: true, mode: 0o700 });
  const sockets = await mkdtemp(join(socketDir(), `${PREFIX}${process.pid}-`));
  await writeFile(join(sockets, OWNER_FILE), await beginning(process.pid), { mode: 0o600 });
  return { ...folders, sockets };
}

export async function removeSockets(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}

/** Socket folders of devices that were killed, whatever their names: only where the owner is known to be dead. */
async function removeDeadSockets(): Promise<void> {
  const names = await readdir(socketDir()).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(PREFIX))) {
    const folder = join(socketDir(), name);
    const pid = /^jvd-(\d+)-/.exec(name)?.[1];
    const began = await readFile(join(folder, OWNER_FILE), 'utf8').catch(() => null);
    if (pid === undefined || (await isSameProcess(Number(pid), began))) continue;
    // Of another user, perhaps: then it cannot be removed, and need not be.
    await removeSockets(folder).catch(() => {});
  }
}

async function isSameProcess(pid: number, began: string | null): Promise<boolean> {
  return processExists(pid) && (began === null || (await beginning(pid)) === began);
}

/** When a process began, in ticks since boot (field 22 of `/proc/<pid>/stat`); `?` where only its id is known. */
async function beginning(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name, in brackets, may hold anything.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  // One that ended and was not waited for is still listed.
  return fields[0] === 'Z' ? 'ended' : (fields[19] ?? '?');
}
