import { createReadStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import type { Duplex } from 'node:stream';
import { fail, ok } from '../shared/outcome.ts';
import type { Result } from '../shared/outcome.ts';
import type { ByteReader } from './byte-reader.ts';
import { gone } from './faults.ts';
import { syncFailure, withSync } from './sync.ts';
import { S_IFREG, SYNC_DATA_MAX, syncRequest } from './sync-protocol.ts';
import type { Transport } from './transport.ts';
import type { LocalSource, PushOptions, TransferOptions } from './types.ts';

interface OpenedSource {
  readonly size: number;
  readonly mtimeS: number;
  readonly chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** The bytes of a source in pieces that fit a DATA message. */
export async function openSource(source: LocalSource): Promise<Result<OpenedSource>> {
  if (source instanceof Uint8Array) {
    return ok({ size: source.length, mtimeS: Math.floor(Date.now() / 1000), chunks: slices(source) });
  }
  try {
    const info = await stat(source.file);
    if (!info.isFile()) return fail('ENVIRONMENT_ERROR', `${source.file} is not a file.`);
    const chunks = createReadStream(source.file, { highWaterMark: SYNC_DATA_MAX });
    return ok({ size: info.size, mtimeS: Math.floor(info.mtimeMs / 1000), chunks });
  } catch (error) {
    return fail('ENVIRONMENT_ERROR', `${source.file} cannot be read: ${describe(error)}`);
  }
}

function* slices(bytes: Uint8Array): Iterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += SYNC_DATA_MAX) yield bytes.subarray(at, at + SYNC_DATA_MAX);
}

export async function pushFile(
  transport: Transport,
  source: LocalSource,
  remotePath: string,
  options: PushOptions,
  signal: AbortSignal,
): Promise<Result<void>> {
  const opened = await openSource(source);
  if (!opened.ok) return opened;
  const { size, mtimeS, chunks } = opened.value;
  return withSync(transport, signal, async ({ stream, reader, serial }) => {
    const mode = S_IFREG | (options.mode ?? 0o644);
    // The device may refuse in the middle; the answer is read while the data is still on its way.
    let over = false;
    const answered = readStatus(reader, remotePath, serial).finally(() => {
      over = true;
    });
    if (!(await write(stream, syncRequest('SEND', `${remotePath},${mode}`)))) return answered;
    let done = 0;
    try {
      for await (const chunk of chunks) {
        if (over || !(await write(stream, syncRequest('DATA', chunk.length, chunk)))) return await answered;
        done += chunk.length;
        options.onProgress?.(done, size);
      }
    } catch (error) {
      return fail('ENVIRONMENT_ERROR', `Reading the file for ${remotePath} failed: ${describe(error)}`);
    }
    stream.write(syncRequest('DONE', options.mtimeS ?? mtimeS));
    return answered;
  });
}

/** Hands each piece of a remote file to `take`. */
export async function pullChunks(
  transport: Transport,
  remotePath: string,
  options: TransferOptions,
  signal: AbortSignal,
  take: (chunk: Buffer) => void | Promise<void>,
): Promise<Result<void>> {
  return withSync(transport, signal, async ({ stream, reader, serial }) => {
    stream.write(syncRequest('RECV', remotePath));
    let done = 0;
    for (;;) {
      const head = await reader.exactly(8);
      if (!head) return gone(serial);
      const id = head.toString('latin1', 0, 4);
      if (id === 'DONE') return ok(undefined);
      const body = await reader.exactly(head.readUInt32LE(4));
      if (!body) return gone(serial);
      if (id !== 'DATA') return syncFailure(remotePath, body.toString('utf8'));
      done += body.length;
      await take(body);
      options.onProgress?.(done, null);
    }
  });
}

/** To a file beside `localPath`, renamed at the end. */
export async function pullToFile(
  transport: Transport,
  remotePath: string,
  localPath: string,
  options: TransferOptions,
  signal: AbortSignal,
): Promise<Result<void>> {
  const partial = `${localPath}.${process.pid}.part`;
  try {
    const file = await open(partial, 'w');
    let result: Result<void>;
    try {
      result = await pullChunks(transport, remotePath, options, signal, async (chunk) => {
        await file.writeFile(chunk);
      });
    } finally {
      await file.close();
    }
    if (result.ok) await rename(partial, localPath);
    else await rm(partial, { force: true });
    return result;
  } catch (error) {
    await rm(partial, { force: true }).catch(() => {});
    return fail('ENVIRONMENT_ERROR', `${localPath} cannot be written: ${describe(error)}`);
  }
}

async function readStatus(reader: ByteReader, remotePath: string, serial: string): Promise<Result<void>> {
  const head = await reader.exactly(8);
  if (!head) return gone(serial);
  const message = await reader.exactly(head.readUInt32LE(4));
  if (!message) return gone(serial);
  if (head.toString('latin1', 0, 4) === 'OKAY') return ok(undefined);
  return syncFailure(remotePath, message.toString('utf8'));
}

/** False when the stream is no longer there. Waits until the device has taken the data, so memory stays bounded. */
function write(stream: Duplex, data: Buffer): Promise<boolean> {
  return new Promise((resolve) => {
    if (stream.destroyed || stream.writableEnded) resolve(false);
    else stream.write(data, (error) => resolve(!error && !stream.destroyed));
  });
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
