import { close, fstat, open } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import yauzl from 'yauzl';
import type { Entry, ZipFile } from 'yauzl';
import { WindowReader } from './window-reader.ts';
import type { ZipEntry } from './zip-writer.ts';

const openFile = promisify(open);
const statFile = promisify(fstat);
const closeFile = promisify(close);

/** An entry of a zip that is being read. */
export interface ReadEntry {
  readonly name: string;
  /** The bytes as they lie in the zip; method and checksum stay as they are. */
  raw(): Promise<ZipEntry>;
  /** The content. */
  content(): Promise<Uint8Array>;
}

/** Goes through the files of a zip in their order, folders left out. Throws for what is not a zip. */
export async function* readZip(path: string): AsyncGenerator<ReadEntry> {
  const zip = await openZip(path);
  try {
    for await (const entry of zip.eachEntry()) {
      if (!entry.fileName.endsWith('/')) yield reader(zip, entry);
    }
  } finally {
    zip.close();
  }
}

async function openZip(path: string): Promise<ZipFile> {
  const fd = await openFile(path, 'r');
  try {
    const { size } = await statFile(fd);
    return await yauzl.fromRandomAccessReaderPromise(new WindowReader(fd), size, { lazyEntries: true });
  } catch (error) {
    await closeFile(fd);
    throw error;
  }
}

function reader(zip: ZipFile, entry: Entry): ReadEntry {
  return {
    name: entry.fileName,
    async raw() {
      const data = await buffer(await zip.openReadStreamPromise(entry, { decodeFileData: false }));
      return {
        name: entry.fileName,
        method: entry.compressionMethod === 8 ? 8 : 0,
        data,
        crc: entry.crc32,
        size: entry.uncompressedSize,
        alignment: 1,
      };
    },
    async content() {
      return buffer(await zip.openReadStreamPromise(entry));
    },
  };
}
