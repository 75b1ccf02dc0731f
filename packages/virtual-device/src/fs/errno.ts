/** What a file operation can answer instead of a value; the names are those of errno.h. */
export type Errno =
  | 'ENOENT'
  | 'EACCES'
  | 'EEXIST'
  | 'ENOTDIR'
  | 'EISDIR'
  | 'ENOTEMPTY'
  | 'ELOOP'
  | 'EROFS'
  | 'EINVAL'
  | 'EPERM'
  | 'ENOSPC'
  | 'EIO';

/** bionic's strerror texts, and the numbers that sync v2 sends. */
const TABLE: Readonly<Record<Errno, readonly [number: number, text: string]>> = {
  EPERM: [1, 'Operation not permitted'],
  ENOENT: [2, 'No such file or directory'],
  EIO: [5, 'I/O error'],
  EACCES: [13, 'Permission denied'],
  EEXIST: [17, 'File exists'],
  ENOTDIR: [20, 'Not a directory'],
  EISDIR: [21, 'Is a directory'],
  EINVAL: [22, 'Invalid argument'],
  ENOSPC: [28, 'No space left on device'],
  EROFS: [30, 'Read-only file system'],
  ENOTEMPTY: [39, 'Directory not empty'],
  ELOOP: [40, 'Too many symbolic links encountered'],
};

export function strerror(errno: Errno): string {
  return TABLE[errno][1];
}

export function errnoNumber(errno: Errno): number {
  return TABLE[errno][0];
}

export type FsResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly errno: Errno };

export function done<T>(value: T): FsResult<T> {
  return { ok: true, value };
}

export function failed(errno: Errno): { readonly ok: false; readonly errno: Errno } {
  return { ok: false, errno };
}

/** Runs a host file operation; what the host refuses becomes the same errno here. */
export async function attempt<T>(work: () => Promise<T>): Promise<FsResult<T>> {
  try {
    return done(await work());
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'EIO';
    return failed(code in TABLE ? (code as Errno) : 'EIO');
  }
}
