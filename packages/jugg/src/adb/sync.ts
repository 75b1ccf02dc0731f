import type { Duplex } from 'node:stream';
import { fail, ok } from '../shared/outcome.ts';
import type { Result } from '../shared/outcome.ts';
import { ByteReader } from './byte-reader.ts';
import { onAbort } from './deadline.ts';
import { gone } from './faults.ts';
import { decodeStatV2, ERRNO_NOENT, kindOfMode, STAT_V2_SIZE, syncRequest } from './sync-protocol.ts';
import type { Transport } from './transport.ts';
import type { DirEntry, FileStat } from './types.ts';

/** One sync stream, while it is open. */
export interface SyncSession {
  readonly stream: Duplex;
  readonly reader: ByteReader;
  readonly serial: string;
}

/** Opens a sync stream for `use`, and closes it afterwards and when `signal` is aborted. */
export async function withSync<T>(
  transport: Transport,
  signal: AbortSignal,
  use: (session: SyncSession) => Promise<Result<T>>,
): Promise<Result<T>> {
  const opened = await transport.openStream('sync:', signal);
  if (!opened.ok) return opened;
  const stream = opened.value;
  const stopListening = onAbort(signal, () => {
    stream.destroy();
  });
  const result = await use({ stream, reader: new ByteReader(stream), serial: transport.serial });
  stopListening();
  stream.destroy();
  return result;
}

/** A FAIL message of the device: what it says, for which file. */
export function syncFailure(remotePath: string, message: string): ReturnType<typeof fail> {
  return fail('ENVIRONMENT_ERROR', `The device refused ${remotePath}: ${message}.`, {
    data: { remotePath, deviceMessage: message },
  });
}

/** Follows links when `follow`, which sync v1 cannot: there the answer is the link itself. */
export async function statFile(
  transport: Transport,
  remotePath: string,
  follow: boolean,
  signal: AbortSignal,
): Promise<Result<FileStat | null>> {
  const v2 = transport.features.has('stat_v2');
  return withSync(transport, signal, async ({ stream, reader, serial }) => {
    stream.write(syncRequest(v2 ? (follow ? 'STA2' : 'LST2') : 'STAT', remotePath));
    const answer = await reader.exactly(v2 ? 4 + STAT_V2_SIZE : 16);
    if (!answer) return gone(serial);
    if (!v2) {
      const mode = answer.readUInt32LE(4);
      if (mode === 0) return ok(null);
      return ok(fileStat(mode, answer.readUInt32LE(8), answer.readUInt32LE(12), null, null));
    }
    const stat = decodeStatV2(answer.subarray(4));
    if (stat.error === ERRNO_NOENT) return ok(null);
    if (stat.error !== 0) return syncFailure(remotePath, `error ${stat.error}`);
    return ok(fileStat(stat.mode, stat.size, stat.mtimeS, stat.uid, stat.gid));
  });
}

export async function listFolder(
  transport: Transport,
  remotePath: string,
  signal: AbortSignal,
): Promise<Result<readonly DirEntry[]>> {
  const v2 = transport.features.has('ls_v2');
  return withSync(transport, signal, async ({ stream, reader, serial }) => {
    stream.write(syncRequest(v2 ? 'LIS2' : 'LIST', remotePath));
    const entries: DirEntry[] = [];
    for (;;) {
      const head = await reader.exactly(v2 ? 4 + STAT_V2_SIZE + 4 : 20);
      if (!head) return gone(serial);
      if (head.toString('latin1', 0, 4) === 'DONE') return ok(entries);
      const nameBytes = await reader.exactly(head.readUInt32LE(head.length - 4));
      if (!nameBytes) return gone(serial);
      const name = nameBytes.toString('utf8');
      if (name === '.' || name === '..') continue;
      if (v2) {
        const stat = decodeStatV2(head.subarray(4));
        entries.push({ name, ...fileStat(stat.mode, stat.size, stat.mtimeS, stat.uid, stat.gid) });
      } else {
        const [mode, size, mtimeS] = [head.readUInt32LE(4), head.readUInt32LE(8), head.readUInt32LE(12)];
        entries.push({ name, ...fileStat(mode, size, mtimeS, null, null) });
      }
    }
  });
}

function fileStat(
  mode: number,
  size: number,
  mtimeS: number,
  uid: number | null,
  gid: number | null,
): FileStat {
  return { mode: mode & 0o7777, kind: kindOfMode(mode), size, mtimeS, uid, gid };
}
