import type { FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';

/** One file of a zip, as it is stored. */
export interface ZipEntry {
  /** With `/` between folders, no leading one. */
  readonly name: string;
  /** 0 stored, 8 deflated; `data` is what lies in the zip. */
  readonly method: 0 | 8;
  readonly data: Uint8Array;
  readonly crc: number;
  /** Bytes after inflating. */
  readonly size: number;
  /** The data of a stored entry begins at a multiple of this. */
  readonly alignment: number;
}

/** 1981-01-01 01:01:02, the date that the Android build tools write: the same content gives the same bytes. */
const DOS_TIME = 0x0821;
const DOS_DATE = 0x0221;

const LOCAL_HEADER = 0x04034b50;
const CENTRAL_HEADER = 0x02014b50;
const END_OF_CENTRAL = 0x06054b50;
const UTF8_NAMES = 0x0800;
/** Version 2.0 of the format: folders and deflate (APPNOTE 4.4.3). */
const VERSION = 20;

/**
 * Extra field of the Android tools for alignment: multiple (16 bit), then zeros (apksig, ApkSigner, header id 0xd935).
 * Signing keeps the alignment that it finds there.
 */
const ALIGNMENT_FIELD = 0xd935;
const ALIGNMENT_FIELD_MIN = 6;

/** More would need the 64-bit format, which Android's class loaders do not read. */
export const MAX_ENTRIES = 0xffff;

const MAX_PENDING_BYTES = 1024 * 1024;
/** Below the 1,024 that systems take in one call (IOV_MAX). */
const MAX_PENDING = 900;

/** Writes a zip to a file from front to back. */
export class ZipWriter {
  readonly #file: FileHandle;
  readonly #central: Buffer[] = [];
  #offset = 0;
  /** What is written with the next call: one for each of thousands of small entries takes longer than their content. */
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  async add(entry: ZipEntry): Promise<void> {
    const name = Buffer.from(entry.name, 'utf8');
    const start = this.#offset;
    const extra = entry.method === 0 ? padding(start + 30 + name.length, entry.alignment) : Buffer.alloc(0);
    const header = Buffer.alloc(30);
    header.writeUInt32LE(LOCAL_HEADER, 0);
    writeCommon(header, 4, entry, name.length);
    header.writeUInt16LE(extra.length, 28);
    await this.#write(header, name, extra, entry.data);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(CENTRAL_HEADER, 0);
    central.writeUInt16LE(VERSION, 4);
    writeCommon(central, 6, entry, name.length);
    central.writeUInt32LE(start, 42);
    this.#central.push(central, name);
  }

  /** Writes the directory; the caller closes the file. */
  async finish(): Promise<void> {
    const directory = Buffer.concat(this.#central);
    const count = this.#central.length / 2;
    const end = Buffer.alloc(22);
    end.writeUInt32LE(END_OF_CENTRAL, 0);
    end.writeUInt16LE(count, 8);
    end.writeUInt16LE(count, 10);
    end.writeUInt32LE(directory.length, 12);
    end.writeUInt32LE(this.#offset, 16);
    await this.#write(directory, end);
    await this.#flush();
  }

  async #write(...parts: Uint8Array[]): Promise<void> {
    for (const part of parts) {
      if (part.length === 0) continue;
      this.#pending.push(part);
      this.#pendingBytes += part.length;
      this.#offset += part.length;
    }
    if (this.#pendingBytes >= MAX_PENDING_BYTES || this.#pending.length >= MAX_PENDING) await this.#flush();
  }

  async #flush(): Promise<void> {
    const pending = this.#pending;
    this.#pending = [];
    this.#pendingBytes = 0;
    if (pending.length > 0) await this.#file.writev(pending);
  }
}

/** An entry whose content is kept as it is. */
export function storedEntry(name: string, data: Uint8Array, alignment: number): ZipEntry {
  return { name, method: 0, data, crc: crc32(data), size: data.length, alignment };
}

/** The fields that the local and the central header have in common, from `at` on. */
function writeCommon(header: Buffer, at: number, entry: ZipEntry, nameLength: number): void {
  header.writeUInt16LE(VERSION, at);
  header.writeUInt16LE(/^[\x20-\x7e]*$/.test(entry.name) ? 0 : UTF8_NAMES, at + 2);
  header.writeUInt16LE(entry.method, at + 4);
  header.writeUInt16LE(DOS_TIME, at + 6);
  header.writeUInt16LE(DOS_DATE, at + 8);
  header.writeUInt32LE(entry.crc, at + 10);
  header.writeUInt32LE(entry.data.length, at + 14);
  header.writeUInt32LE(entry.size, at + 18);
  header.writeUInt16LE(nameLength, at + 22);
}

/** The extra field that moves data which would begin at `start` to a multiple of `alignment`. */
function padding(start: number, alignment: number): Buffer {
  if (alignment <= 1) return Buffer.alloc(0);
  const missing = (alignment - ((start + ALIGNMENT_FIELD_MIN) % alignment)) % alignment;
  const field = Buffer.alloc(ALIGNMENT_FIELD_MIN + missing);
  field.writeUInt16LE(ALIGNMENT_FIELD, 0);
  field.writeUInt16LE(field.length - 4, 2);
  field.writeUInt16LE(alignment, 4);
  return field;
}
