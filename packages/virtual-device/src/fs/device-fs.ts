import { constants } from 'node:fs';
import * as fs from 'node:fs/promises';
import { join as hostJoin } from 'node:path';
import { attempt, done, failed } from './errno.ts';
import type { FsResult } from './errno.ts';
import { FOLDERS, LINKS } from './layout.ts';
import { isWithin, join, normalize, parent } from './paths.ts';
import { HOST_SPACE, limited } from './space.ts';
import type { OpenFile, Space } from './space.ts';
import type { VirtualFiles } from './virtual-files.ts';

/** A name in the device's file system, found. */
export interface Node {
  /** Without links, except perhaps the last name. */
  readonly path: string;
  readonly kind: 'file' | 'directory' | 'link' | 'char';
  readonly mode: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ino: number;
  /** Of a link. */
  readonly target: string | null;
}

const MAX_LINKS = 40;

/** Folders that are always there and never links: nobody can remove them, so they need not be looked at each time. */
const FIXED_FOLDERS: ReadonlySet<string> = new Set([
  '/data',
  '/data/app',
  '/data/data',
  '/data/local',
  '/data/local/tmp',
  '/storage',
  '/storage/emulated',
  '/storage/emulated/0',
]);

/**
 * The device's files: a folder of the host that is `/` on the device, with the device's own links and virtual files
 * on top. Names are looked up one by one and links are followed here, never by the host, so that neither `..` nor a
 * link leads out of the folder.
 */
export class DeviceFs {
  readonly #root: string;
  readonly #virtual: VirtualFiles;
  readonly space: Space;

  constructor(root: string, virtual: VirtualFiles, space: Space = HOST_SPACE) {
    this.#root = root;
    this.#virtual = virtual;
    this.space = space;
  }

  /** Makes the folders that every device has. */
  async prepare(): Promise<void> {
    for (const [path, mode] of FOLDERS) {
      await fs.mkdir(this.hostPath(path), { recursive: true });
      await fs.chmod(this.hostPath(path), mode | 0o700).catch(() => {});
    }
  }

  /** Where a path without links (see {@link resolve}) is on the host. */
  hostPath(path: string): string {
    return hostJoin(this.#root, ...path.split('/').filter((part) => part !== ''));
  }

  /**
   * The path without links; the last name may be missing. With `follow`, a link in the last place is followed, too.
   */
  async resolve(path: string, follow = true): Promise<FsResult<string>> {
    let pending = normalize(path)
      .split('/')
      .filter((part) => part !== '');
    let at = '/';
    for (let links = 0; pending.length > 0;) {
      const [name = '', ...rest] = pending;
      pending = rest;
      const next = join(at, name);
      const found = FIXED_FOLDERS.has(next) ? null : await this.#look(next);
      const target = pending.length > 0 || follow ? (found?.target ?? null) : null;
      if (target === null) {
        if (pending.length > 0 && found && found.kind !== 'directory') {
          return failed(found.kind === 'missing' ? 'ENOENT' : 'ENOTDIR');
        }
        at = next;
        continue;
      }
      if (++links > MAX_LINKS) return failed('ELOOP');
      // A relative target counts from the folder that holds the link.
      pending = [...normalize(target, at).split('/'), ...pending].filter((part) => part !== '');
      at = '/';
    }
    return done(at);
  }

  async stat(path: string, follow = true): Promise<FsResult<Node>> {
    const resolved = await this.resolve(path, follow);
    if (!resolved.ok) return resolved;
    const at = resolved.value;
    const link = LINKS.get(at);
    const base = { path: at, ino: inode(at), target: null };
    if (link !== undefined) {
      return done({ ...base, kind: 'link', mode: 0o777, size: link.length, mtimeMs: 0, target: link });
    }
    const virtual = this.#virtual.stat(at);
    if (virtual) return done({ ...base, ...virtual, mtimeMs: Date.now() });
    return attempt(async () => {
      const host = this.hostPath(at);
      const info = await fs.lstat(host);
      const kind = info.isSymbolicLink() ? 'link' : info.isDirectory() ? 'directory' : 'file';
      const target = kind === 'link' ? await fs.readlink(host) : null;
      return {
        ...base,
        kind,
        mode: info.mode & 0o7777,
        size: info.size,
        mtimeMs: info.mtimeMs,
        ino: info.ino,
        target,
      };
    });
  }

  async readFile(path: string): Promise<FsResult<Buffer>> {
    const found = await this.stat(path);
    if (!found.ok) return found;
    if (found.value.kind === 'directory') return failed('EISDIR');
    const virtual = this.#virtual.read(found.value.path);
    if (virtual) return done(virtual);
    return attempt(() => fs.readFile(this.hostPath(found.value.path)));
  }

  /** The content in parts of at most `size` bytes; each holds until the next is asked for. */
  async readChunks(path: string, size: number): Promise<FsResult<AsyncIterable<Buffer>>> {
    const found = await this.stat(path);
    if (!found.ok) return found;
    if (found.value.kind === 'directory') return failed('EISDIR');
    const virtual = this.#virtual.read(found.value.path);
    if (virtual) return done(chunksOf(virtual, size));
    return attempt(async () => {
      const file = await fs.open(this.hostPath(found.value.path), 'r');
      return partsOf(file, size);
    });
  }

  /** Names in a folder, sorted, without `.` and `..`. */
  async readdir(path: string): Promise<FsResult<string[]>> {
    const found = await this.stat(path);
    if (!found.ok) return found;
    const at = found.value.path;
    if (found.value.kind !== 'directory') return failed('ENOTDIR');
    const names = new Set(this.#virtual.list(at));
    for (const link of LINKS.keys())
      if (parent(link) === at) names.add(link.slice(at.length).replace(/^\//, ''));
    const listed = await attempt(() => fs.readdir(this.hostPath(at)));
    if (!listed.ok && names.size === 0) return listed;
    if (listed.ok) for (const name of listed.value) names.add(name);
    return done([...names].sort());
  }

  /** Opens a host file for writing. `mode` is given to a new file only; the host's own umask does not count. */
  async openForWrite(path: string, how: 'truncate' | 'append', mode = 0o666): Promise<FsResult<OpenFile>> {
    const target = await this.#writable(path);
    if (!target.ok) return target;
    const flags = constants.O_WRONLY | (how === 'append' ? constants.O_APPEND : constants.O_TRUNC);
    const create = constants.O_CREAT | constants.O_EXCL;
    return attempt(async () => {
      const made = await fs.open(target.value, flags | create, mode).catch((error: unknown) => {
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') return null;
        throw error;
      });
      await made?.chmod(mode | 0o600);
      return limited(made ?? (await fs.open(target.value, flags)), this.space);
    });
  }

  async mkdir(path: string, mode = 0o777): Promise<FsResult<void>> {
    const target = await this.#writable(path, false);
    if (!target.ok) return target;
    return attempt(async () => {
      await fs.mkdir(target.value);
      await fs.chmod(target.value, mode | 0o700);
    });
  }

  /** A file or link; folders with `recursive` only. */
  async remove(path: string, recursive: boolean): Promise<FsResult<void>> {
    const target = await this.#removable(path);
    if (!target.ok) return target;
    const found = await this.stat(path, false);
    if (!found.ok) return found;
    if (found.value.kind !== 'directory') return attempt(() => fs.unlink(target.value));
    if (!recursive) return failed('EISDIR');
    return attempt(() => fs.rm(target.value, { recursive: true }));
  }

  async rmdir(path: string): Promise<FsResult<void>> {
    const target = await this.#removable(path);
    return target.ok ? attempt(() => fs.rmdir(target.value)) : target;
  }

  async rename(from: string, to: string): Promise<FsResult<void>> {
    const source = await this.#removable(from);
    if (!source.ok) return source;
    const target = await this.#writable(to, false);
    return target.ok ? attempt(() => fs.rename(source.value, target.value)) : target;
  }

  async symlink(target: string, path: string): Promise<FsResult<void>> {
    const at = await this.#writable(path, false);
    return at.ok ? attempt(() => fs.symlink(target, at.value)) : at;
  }

  /** Another name for a file; of folders there is none. */
  async hardLink(from: string, path: string): Promise<FsResult<void>> {
    const source = await this.#removable(from);
    if (!source.ok) return source;
    const at = await this.#writable(path, false);
    return at.ok ? attempt(() => fs.link(source.value, at.value)) : at;
  }

  /** Whether what is there may be changed at all. */
  async mayChange(path: string): Promise<boolean> {
    return (await this.#writable(path)).ok;
  }

  async chmod(path: string, mode: number): Promise<FsResult<void>> {
    const target = await this.#writable(path);
    return target.ok ? attempt(() => fs.chmod(target.value, mode)) : target;
  }

  async utimes(path: string, mtimeMs: number): Promise<FsResult<void>> {
    const target = await this.#writable(path);
    return target.ok ? attempt(() => fs.utimes(target.value, mtimeMs / 1000, mtimeMs / 1000)) : target;
  }

  async #removable(path: string): Promise<FsResult<string>> {
    return FIXED_FOLDERS.has(normalize(path)) ? failed('EACCES') : this.#writable(path, false);
  }

  /** The host path for changing `path`; the folder above must be there. */
  async #writable(path: string, follow = true): Promise<FsResult<string>> {
    const resolved = await this.resolve(path, follow);
    if (!resolved.ok) return resolved;
    const at = resolved.value;
    if (isWithin(at, '/system') || isWithin(at, '/vendor') || LINKS.has(at)) return failed('EROFS');
    if (at === '/' || parent(at) === '/') return failed('EROFS');
    if (isWithin(at, '/proc') || isWithin(at, '/dev')) return failed('EACCES');
    return done(this.hostPath(at));
  }

  /** What is at a path whose folders are known to be no links. */
  async #look(
    path: string,
  ): Promise<{ readonly kind: 'directory' | 'other' | 'missing'; readonly target: string | null }> {
    const own = LINKS.get(path);
    if (own !== undefined) return { kind: 'other', target: own };
    const virtual = this.#virtual.stat(path);
    if (virtual) return { kind: virtual.kind === 'directory' ? 'directory' : 'other', target: null };
    const info = await attempt(() => fs.lstat(this.hostPath(path)));
    if (!info.ok) return { kind: 'missing', target: null };
    if (!info.value.isSymbolicLink())
      return { kind: info.value.isDirectory() ? 'directory' : 'other', target: null };
    const link = await attempt(() => fs.readlink(this.hostPath(path)));
    return { kind: 'other', target: link.ok ? link.value : null };
  }
}

async function* chunksOf(data: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < data.length; at += size) yield data.subarray(at, at + size);
}

/** With one buffer for the whole file, which is closed at its end or when the reader has enough. */
async function* partsOf(file: fs.FileHandle, size: number): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(size);
  try {
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, size);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** A stable number for names that have no inode on the host. */
function inode(path: string): number {
  let hash = 17;
  for (const char of path) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) >>> 0;
  return hash;
}
