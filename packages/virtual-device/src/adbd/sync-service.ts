import type { Duplex } from 'node:stream';
import { ByteReader } from '../../../jugg/src/adb/byte-reader.ts';
import {
  encodeStatV2,
  S_IFDIR,
  S_IFLNK,
  S_IFMT,
  S_IFREG,
  SYNC_DATA_MAX,
  SYNC_PATH_MAX,
  syncRequest,
} from '../../../jugg/src/adb/sync-protocol.ts';
import type { Node } from '../fs/device-fs.ts';
import { errnoNumber, strerror } from '../fs/errno.ts';
import { join, parent } from '../fs/paths.ts';
import type { OpenFile } from '../fs/space.ts';
import type { UserFs } from '../fs/user-fs.ts';
import { streamSink } from './stream-io.ts';

const S_IFCHR = 0o020000;

/** The `sync:` service (AOSP daemon/file_sync_service.cpp): one request after the other until QUIT. */
export async function serveSync(stream: Duplex, fs: UserFs): Promise<void> {
  const reader = new ByteReader(stream);
  const sink = streamSink(stream);
  for (;;) {
    const head = await reader.exactly(8);
    if (!head) break;
    const id = head.toString('latin1', 0, 4);
    if (id === 'QUIT') break;
    const length = head.readUInt32LE(4);
    if (length > SYNC_PATH_MAX) {
      await sink.write(failure('path too long'));
      break;
    }
    const body = await reader.exactly(length);
    if (!body) break;
    const path = body.toString('utf8');
    const goesOn = await serveRequest(id, path, { fs, reader, write: (data) => sink.write(data) });
    if (!goesOn) break;
  }
  stream.end();
}

interface Exchange {
  readonly fs: UserFs;
  readonly reader: ByteReader;
  readonly write: (data: Buffer) => Promise<boolean>;
}

async function serveRequest(id: string, path: string, exchange: Exchange): Promise<boolean> {
  switch (id) {
    case 'STAT':
      return exchange.write(await statV1(path, exchange.fs));
    case 'STA2':
    case 'LST2':
      return exchange.write(await statV2(id, path, exchange.fs));
    case 'LIST':
    case 'LIS2':
      return list(path, id === 'LIS2', exchange);
    case 'SEND':
      return receive(path, exchange);
    case 'SND2':
      return receiveV2(path, exchange);
    case 'RECV':
      return send(path, exchange);
    case 'RCV2':
      return sendV2(path, exchange);
    default:
      await exchange.write(failure(`unknown command ${id}`));
      return false;
  }
}

function failure(message: string): Buffer {
  return syncRequest('FAIL', message);
}

function fullMode(node: Node): number {
  const type = { file: S_IFREG, directory: S_IFDIR, link: S_IFLNK, char: S_IFCHR }[node.kind];
  return type | node.mode;
}

async function statV1(path: string, fs: UserFs): Promise<Buffer> {
  const out = Buffer.alloc(16);
  out.write('STAT', 0, 'latin1');
  const found = await fs.stat(path, false);
  if (found.ok) {
    out.writeUInt32LE(fullMode(found.value), 4);
    out.writeUInt32LE(found.value.size >>> 0, 8);
    out.writeUInt32LE(Math.floor(found.value.mtimeMs / 1000), 12);
  }
  return out;
}

async function statV2(id: string, path: string, fs: UserFs): Promise<Buffer> {
  const found = await fs.stat(path, id === 'STA2');
  const body = found.ok
    ? nodeStat(found.value, fs)
    : encodeStatV2({ error: errnoNumber(found.errno), mode: 0, uid: 0, gid: 0, size: 0, mtimeS: 0, ino: 0 });
  return Buffer.concat([Buffer.from(id, 'latin1'), body]);
}

function nodeStat(node: Node, fs: UserFs): Buffer {
  const owner = fs.owner(node.path);
  const mtimeS = Math.floor(node.mtimeMs / 1000);
  return encodeStatV2({
    error: 0,
    mode: fullMode(node),
    uid: owner,
    gid: owner,
    size: node.size,
    mtimeS,
    ino: node.ino,
  });
}

async function list(path: string, v2: boolean, { fs, write }: Exchange): Promise<boolean> {
  const names = await fs.readdir(path);
  // A folder that is not there is an empty one: the protocol has no word for it.
  for (const name of names.ok ? ['.', '..', ...names.value] : []) {
    const found = await fs.stat(join(path, name), false);
    if (!found.ok) continue;
    if (!(await write(v2 ? entryV2(name, found.value, fs) : entryV1(name, found.value)))) return false;
  }
  const end = Buffer.alloc(v2 ? 76 : 20);
  end.write('DONE', 0, 'latin1');
  return write(end);
}

function entryV1(name: string, node: Node): Buffer {
  const bytes = Buffer.from(name);
  const out = Buffer.alloc(20);
  out.write('DENT', 0, 'latin1');
  out.writeUInt32LE(fullMode(node), 4);
  out.writeUInt32LE(node.size >>> 0, 8);
  out.writeUInt32LE(Math.floor(node.mtimeMs / 1000), 12);
  out.writeUInt32LE(bytes.length, 16);
  return Buffer.concat([out, bytes]);
}

function entryV2(name: string, node: Node, fs: UserFs): Buffer {
  const bytes = Buffer.from(name);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return Buffer.concat([Buffer.from('DNT2', 'latin1'), nodeStat(node, fs), length, bytes]);
}

/** SEND: `path,mode`, then DATA until DONE. After a failure the rest of the data is read and thrown away, as adbd does. */
async function receive(request: string, { fs, reader, write }: Exchange): Promise<boolean> {
  const comma = request.lastIndexOf(',');
  const path = comma < 0 ? request : request.slice(0, comma);
  const mode = comma < 0 ? 0o644 : Number(request.slice(comma + 1)) || 0o644;
  let problem: string | null = null;
  const isLink = (mode & S_IFMT) === S_IFLNK;
  let file: OpenFile | null = null;
  let linkTarget = '';
  if (!isLink) {
    // Removed first, so that a link or a read-only file is replaced, not written through.
    await fs.remove(path, false);
    const made = await fs.mkdirs(parent(path), 0o771);
    const opened = made.ok ? await fs.openForWrite(path, 'truncate', permissions(mode)) : made;
    if (opened.ok) file = opened.value;
    else problem = `couldn't create file: ${strerror(opened.errno)}`;
  }
  try {
    for (;;) {
      const head = await reader.exactly(8);
      if (!head) return false;
      const id = head.toString('latin1', 0, 4);
      const value = head.readUInt32LE(4);
      if (id === 'DONE') {
        await file?.close();
        file = null;
        if (isLink) problem = await makeLink(fs, linkTarget, path);
        else if (problem === null) {
          await fs.chmod(path, permissions(mode));
          await fs.utimes(path, value * 1000);
        }
        return await write(problem === null ? syncRequest('OKAY', 0) : failure(problem));
      }
      if (id !== 'DATA' || value > SYNC_DATA_MAX) {
        await write(failure(id === 'DATA' ? 'oversize data message' : 'invalid data message'));
        return false;
      }
      const data = await reader.exactly(value);
      if (!data) return false;
      if (isLink) linkTarget += data.toString('utf8');
      else if (problem === null && file) problem = await append(file, data);
    }
  } finally {
    await file?.close();
  }
}

/** adbd gives the group what the owner has (file_sync_service.cpp `handle_send_file`). */
function permissions(mode: number): number {
  return (mode & 0o777) | ((mode >> 3) & 0o070);
}

async function append(file: OpenFile, data: Buffer): Promise<string | null> {
  try {
    await file.writeFile(data);
    return null;
  } catch {
    return `write failed: ${strerror('ENOSPC')}`;
  }
}

async function makeLink(fs: UserFs, target: string, path: string): Promise<string | null> {
  await fs.remove(path, false);
  const there = target.replace(/\0+$/, '');
  let made = await fs.symlink(there, path);
  // As for files: what is pushed as a folder is not announced (file_sync_service.cpp `handle_send_link`).
  if (!made.ok && made.errno === 'ENOENT' && (await fs.mkdirs(parent(path), 0o771)).ok)
    made = await fs.symlink(there, path);
  return made.ok ? null : `couldn't create symlink: ${strerror(made.errno)}`;
}

/** `SND2`: the path, then mode and flags, then as SEND (file_sync_protocol.h `sync_send_v2`). */
async function receiveV2(path: string, exchange: Exchange): Promise<boolean> {
  const setup = await exchange.reader.exactly(12);
  if (!setup || setup.toString('latin1', 0, 4) !== 'SND2') return false;
  if (!(await plain(setup.readUInt32LE(8), exchange))) return false;
  return receive(`${path},${setup.readUInt32LE(4)}`, exchange);
}

/** `RCV2`: the path, then flags, then as RECV. */
async function sendV2(path: string, exchange: Exchange): Promise<boolean> {
  const setup = await exchange.reader.exactly(8);
  if (!setup || setup.toString('latin1', 0, 4) !== 'RCV2') return false;
  return (await plain(setup.readUInt32LE(4), exchange)) && send(path, exchange);
}

/** Compression (brotli 1, LZ4 2, zstd 4) is not offered in the features; who asks for it all the same is told. */
async function plain(flags: number, { write }: Exchange): Promise<boolean> {
  if (flags === 0) return true;
  await write(failure(`unsupported flags 0x${flags.toString(16)}: this device takes no compression`));
  return false;
}

async function send(path: string, { fs, write }: Exchange): Promise<boolean> {
  const opened = await fs.readChunks(path, READ_BYTES);
  if (!opened.ok) {
    const verb = opened.errno === 'EISDIR' ? 'read' : 'open';
    return write(failure(`${verb} failed: ${strerror(opened.errno)}`));
  }
  // The end goes out with the last data: two small messages in a row cost 40 ms behind an adb server, whose socket
  // towards its client holds back the second until the first is acknowledged (Nagle).
  let messages = Buffer.alloc(HEAD_BYTES);
  let filled = 0;
  for await (const chunk of opened.value) {
    if (filled > 0 && !(await write(messages.subarray(0, filled)))) return false;
    const room = chunk.length + (MESSAGES_AT_ONCE + 1) * HEAD_BYTES;
    // One buffer serves a whole transfer: no part is larger than the first.
    if (messages.length < room) messages = Buffer.allocUnsafe(room);
    filled = putData(chunk, messages);
  }
  filled += syncRequest('DONE', 0).copy(messages, filled);
  return write(messages.subarray(0, filled));
}

const MESSAGES_AT_ONCE = 4;

/** What is read of a file at once; it is sent in messages of the size that the protocol allows. */
const READ_BYTES = MESSAGES_AT_ONCE * SYNC_DATA_MAX;

const HEAD_BYTES = 8;

/** Writes what was read as messages; how many bytes they are. */
function putData(bytes: Buffer, messages: Buffer): number {
  let filled = 0;
  for (let at = 0; at < bytes.length; at += SYNC_DATA_MAX) {
    const data = bytes.subarray(at, at + SYNC_DATA_MAX);
    filled += syncRequest('DATA', data.length).copy(messages, filled);
    filled += data.copy(messages, filled);
  }
  return filled;
}
