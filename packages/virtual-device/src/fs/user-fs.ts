import type { DeviceFs, Node } from './device-fs.ts';
import { done, failed } from './errno.ts';
import type { FsResult } from './errno.ts';
import { FIRST_APP_UID, UID_MEDIA_RW, UID_ROOT, UID_SHELL, UID_SYSTEM } from './layout.ts';
import { isWithin, normalize, parent } from './paths.ts';
import type { OpenFile } from './space.ts';

/** Tells which app a package's data folder belongs to. */
export type OwnerOf = (packageName: string) => number | null;

type Access = 'read' | 'write' | 'list';

/**
 * The files as one user of the device sees them: the shell cannot look into apps' data, an app only into its own
 * (SELinux and DAC of a phone; here by path, as the host has but one user).
 */
export class UserFs {
  readonly uid: number;
  readonly #fs: DeviceFs;
  readonly #ownerOf: OwnerOf;
  readonly #umask: number;

  /** `umask`: permissions that what is made here does not get. */
  constructor(fs: DeviceFs, uid: number, ownerOf: OwnerOf, umask = 0) {
    this.#fs = fs;
    this.uid = uid;
    this.#ownerOf = ownerOf;
    this.#umask = umask;
  }

  /** The owner of a path without links. */
  owner(path: string): number {
    const app = /^\/(?:data\/data|storage\/emulated\/0\/Android\/(?:data|media|obb))\/([^/]+)/.exec(path);
    if (app?.[1]) return this.#ownerOf(app[1]) ?? UID_SYSTEM;
    if (isWithin(path, '/data/local') || isWithin(path, '/data/local/tmp')) return UID_SHELL;
    if (isWithin(path, '/storage/emulated')) return UID_MEDIA_RW;
    return isWithin(path, '/data') ? UID_SYSTEM : UID_ROOT;
  }

  /** What can still be written; `null` when nothing limits it. */
  freeBytes(): number | null {
    return this.#fs.space.free();
  }

  stat(path: string, follow = true): Promise<FsResult<Node>> {
    return this.#checked(path, 'read', () => this.#fs.stat(path, follow), follow);
  }

  readFile(path: string): Promise<FsResult<Buffer>> {
    return this.#checked(path, 'read', () => this.#fs.readFile(path));
  }

  /** The content in parts of at most `size` bytes, so that a large file is never whole in memory. */
  readChunks(path: string, size: number): Promise<FsResult<AsyncIterable<Buffer>>> {
    return this.#checked(path, 'read', () => this.#fs.readChunks(path, size));
  }

  readdir(path: string): Promise<FsResult<string[]>> {
    return this.#checked(path, 'list', () => this.#fs.readdir(path));
  }

  /** The path without links, on the device and on the host, when this user may read it. */
  locate(path: string): Promise<FsResult<{ readonly path: string; readonly hostPath: string }>> {
    return this.#checked(path, 'read', async () => {
      const resolved = await this.#fs.resolve(path);
      if (!resolved.ok) return resolved;
      return done({ path: resolved.value, hostPath: this.#fs.hostPath(resolved.value) });
    });
  }

  openForWrite(path: string, how: 'truncate' | 'append', mode = 0o666): Promise<FsResult<OpenFile>> {
    return this.#checked(path, 'write', () => this.#fs.openForWrite(path, how, mode & ~this.#umask));
  }

  async writeFile(path: string, data: Uint8Array, mode?: number): Promise<FsResult<void>> {
    const opened = await this.openForWrite(path, 'truncate', mode);
    if (!opened.ok) return opened;
    try {
      await opened.value.writeFile(data);
      return done(undefined);
    } catch {
      return failed('ENOSPC');
    } finally {
      await opened.value.close();
    }
  }

  mkdir(path: string, mode = 0o777): Promise<FsResult<void>> {
    return this.#checked(path, 'write', () => this.#fs.mkdir(path, mode & ~this.#umask));
  }

  /** With all folders above it. */
  async mkdirs(path: string, mode?: number): Promise<FsResult<void>> {
    const found = await this.stat(path);
    if (found.ok) return found.value.kind === 'directory' ? done(undefined) : failed('ENOTDIR');
    if (found.errno !== 'ENOENT' || normalize(path) === '/') return found;
    const above = await this.mkdirs(parent(normalize(path)), mode);
    if (!above.ok) return above;
    const made = await this.mkdir(path, mode);
    return made.ok || made.errno === 'EEXIST' ? done(undefined) : made;
  }

  remove(path: string, recursive: boolean): Promise<FsResult<void>> {
    return this.#checked(path, 'write', () => this.#fs.remove(path, recursive), false);
  }

  rmdir(path: string): Promise<FsResult<void>> {
    return this.#checked(path, 'write', () => this.#fs.rmdir(path), false);
  }

  async rename(from: string, to: string): Promise<FsResult<void>> {
    return this.#checked(
      from,
      'write',
      () => this.#checked(to, 'write', () => this.#fs.rename(from, to), false),
      false,
    );
  }

  symlink(target: string, path: string): Promise<FsResult<void>> {
    return this.#checked(path, 'write', () => this.#fs.symlink(target, path), false);
  }

  /** Another name for a file. */
  hardLink(from: string, path: string): Promise<FsResult<void>> {
    return this.#checked(
      from,
      'read',
      () => this.#checked(path, 'write', () => this.#fs.hardLink(from, path), false),
      false,
    );
  }

  chmod(path: string, mode: number): Promise<FsResult<void>> {
    return this.#checked(path, 'write', () => this.#fs.chmod(path, mode));
  }

  utimes(path: string, mtimeMs: number): Promise<FsResult<void>> {
    return this.#checked(path, 'write', () => this.#fs.utimes(path, mtimeMs));
  }

  async mayWrite(path: string): Promise<boolean> {
    const at = await this.#fs.resolve(path);
    return at.ok && this.#allowed(at.value, 'write') && this.#fs.mayChange(path);
  }

  async #checked<T>(
    path: string,
    access: Access,
    work: () => Promise<FsResult<T>>,
    follow = true,
  ): Promise<FsResult<T>> {
    const resolved = await this.#fs.resolve(path, follow);
    // A path that cannot be resolved inside a folder that is closed must not tell what is in there.
    const at = resolved.ok ? resolved.value : normalize(path);
    if (!this.#allowed(at, access)) return failed('EACCES');
    if (!resolved.ok) return resolved;
    return work();
  }

  #allowed(path: string, access: Access): boolean {
    if (this.uid === UID_ROOT || this.uid === UID_SYSTEM) return true;
    const data = /^\/data\/data\/([^/]+)/.exec(path);
    if (data?.[1]) return this.#ownerOf(data[1]) === this.uid;
    if (access === 'list' && /^\/data(\/app|\/data|\/user)?$/.test(path)) return false;
    if (access !== 'write') return true;
    if (isWithin(path, '/data/app')) return false;
    if (isWithin(path, '/data/local/tmp')) return this.uid < FIRST_APP_UID && path !== '/data/local/tmp';
    if (path === '/data' || /^\/data\/[^/]+$/.test(path)) return false;
    return true;
  }
}
