import type { FileKind } from './types.ts';

/**
 * The sync service (AOSP adb/SYNC.TXT and file_sync_protocol.h): requests are a four-letter id and a length or value,
 * followed by a path. Used by the client and by the virtual device. Numbers are little-endian.
 */
export const SYNC_DATA_MAX = 64 * 1024;

/** A path longer than this is refused by adbd (file_sync_service.cpp `kMaxPath`). */
export const SYNC_PATH_MAX = 1024;

export const S_IFMT = 0o170000;
export const S_IFDIR = 0o040000;
export const S_IFREG = 0o100000;
export const S_IFLNK = 0o120000;

/** Size of a `STA2`/`LST2` answer and of the fixed part of a `DNT2` entry, without the id and, for DNT2, the name. */
export const STAT_V2_SIZE = 68;
export const ERRNO_NOENT = 2;

export function syncRequest(
  id: string,
  argument: string | number,
  tail: Uint8Array = Buffer.alloc(0),
): Buffer {
  const body = typeof argument === 'string' ? Buffer.from(argument) : tail;
  const head = Buffer.alloc(8);
  head.write(id, 0, 'latin1');
  head.writeUInt32LE(typeof argument === 'string' ? body.length : argument, 4);
  return Buffer.concat([head, body]);
}

export function kindOfMode(mode: number): FileKind {
  switch (mode & S_IFMT) {
    case S_IFREG:
      return 'file';
    case S_IFDIR:
      return 'directory';
    case S_IFLNK:
      return 'link';
    default:
      return 'other';
  }
}

export interface StatV2 {
  readonly error: number;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly size: number;
  readonly mtimeS: number;
}

/** `sync_stat_v2` after its id: error, dev, ino, mode, nlink, uid, gid, size, atime, mtime, ctime. */
export function decodeStatV2(body: Buffer): StatV2 {
  return {
    error: body.readUInt32LE(0),
    mode: body.readUInt32LE(20),
    uid: body.readUInt32LE(28),
    gid: body.readUInt32LE(32),
    size: Number(body.readBigUInt64LE(36)),
    mtimeS: Number(body.readBigInt64LE(52)),
  };
}

export function encodeStatV2(stat: StatV2 & { readonly ino: number }): Buffer {
  const out = Buffer.alloc(STAT_V2_SIZE);
  out.writeUInt32LE(stat.error, 0);
  out.writeBigUInt64LE(1n, 4);
  out.writeBigUInt64LE(BigInt(stat.ino), 12);
  out.writeUInt32LE(stat.mode, 20);
  out.writeUInt32LE(1, 24);
  out.writeUInt32LE(stat.uid, 28);
  out.writeUInt32LE(stat.gid, 32);
  out.writeBigUInt64LE(BigInt(stat.size), 36);
  const time = BigInt(Math.trunc(stat.mtimeS));
  for (const at of [44, 52, 60]) out.writeBigInt64LE(time, at);
  return out;
}
