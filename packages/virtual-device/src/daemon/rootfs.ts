import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { socketDir } from '../../../jugg/src/shared/paths.ts';
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

export async function makeFolders(spec: Pick<Spec, 'stateDir' | 'name'>): Promise<DeviceFolders> {
  const base = join(spec.stateDir, spec.name);
  const folders = { base, root: join(base, 'root') };
  for (const folder of Object.values(folders)) await mkdir(folder, { recursive: true, mode: 0o700 });
  return { ...folders, sockets: await mkdtemp(join(socketDir(), 'jvd-')) };
}

export async function removeSockets(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}
