import { open, readFile, rename, rm } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { crc32, deflateRaw } from 'node:zlib';
import { fail, ok } from '../shared/outcome.ts';
import type { Result } from '../shared/outcome.ts';
import { readZip } from './zip-reader.ts';
import { MAX_ENTRIES, storedEntry, ZipWriter } from './zip-writer.ts';
import type { ZipEntry } from './zip-writer.ts';

export interface ApkFile {
  /** Name in the APK: `assets/a.txt`, `lib/arm64-v8a/libx.so`, `META-INF/services/…`. */
  readonly name: string;
  /** Absolute path of its content. */
  readonly path: string;
}

export interface ApkParts {
  /** What `aapt2 link` made, or an APK to patch: its entries are taken over as they are. */
  readonly base: string;
  /** Become classes.dex, classes2.dex, … in this order; those of `base` are left out. */
  readonly dexFiles: readonly string[];
  /** Take the place of entries of `base` with the same name. */
  readonly files?: readonly ApkFile[];
  /** Absolute path of the unsigned APK. */
  readonly output: string;
}

/** Stored entries are mapped into memory by Android: resources at 4 bytes, libraries at the largest page size. */
const ALIGNMENT = 4;
const LIBRARY_ALIGNMENT = 16_384;

/** Kinds that are compressed already, and so are not again (aapt2's list, shortened to what occurs). */
const STORED = /\.(?:arsc|dex|so|png|jpe?g|gif|webp|wav|mp[234]|m4a|ogg|opus|aac|mkv|webm|3gp|zip|jar|gz)$/i;

const deflate = promisify(deflateRaw);

/**
 * Puts an unsigned, aligned APK together. The same parts give the same bytes. `APK_NOT_FOUND` for a base that is no zip,
 * `CANCELED`; the output is written whole or not at all.
 */
export async function writeApk(parts: ApkParts, signal: AbortSignal): Promise<Result<void>> {
  const part = `${parts.output}.${randomUUID()}.part`;
  try {
    const written = await writeTo(part, parts, signal);
    if (written.ok) await rename(part, parts.output);
    return written;
  } catch (error) {
    return fail('APK_NOT_FOUND', `${parts.base} cannot be made into an APK: ${String(error)}`);
  } finally {
    await rm(part, { force: true });
  }
}

async function writeTo(path: string, parts: ApkParts, signal: AbortSignal): Promise<Result<void>> {
  const file = await open(path, 'w');
  try {
    const zip = new ZipWriter(file);
    const files = [...dexEntries(parts.dexFiles), ...(parts.files ?? [])];
    const replaced = new Set(files.map(({ name }) => name));
    let count = files.length;
    for await (const entry of readZip(parts.base)) {
      if (signal.aborted) return fail('CANCELED', 'The call was cancelled.');
      if (replaced.has(entry.name) || isDex(entry.name) || isSignature(entry.name)) continue;
      await zip.add(aligned(await entry.raw()));
      count++;
    }
    if (count > MAX_ENTRIES) {
      return fail('FEATURE_NOT_SUPPORTED', `The APK would have ${count} files; a zip holds ${MAX_ENTRIES}.`);
    }
    for (const { name, path: content } of files) {
      if (signal.aborted) return fail('CANCELED', 'The call was cancelled.');
      await zip.add(aligned(await entryOf(name, await readFile(content))));
    }
    await zip.finish();
    return ok(undefined);
  } finally {
    await file.close();
  }
}

function dexEntries(dexFiles: readonly string[]): ApkFile[] {
  return dexFiles.map((path, index) => ({
    name: index === 0 ? 'classes.dex' : `classes${index + 1}.dex`,
    path,
  }));
}

async function entryOf(name: string, content: Buffer): Promise<ZipEntry> {
  if (STORED.test(name) || content.length === 0) return storedEntry(name, content, ALIGNMENT);
  const data = await deflate(content);
  return { name, method: 8, data, crc: crc32(content), size: content.length, alignment: 1 };
}

function aligned(entry: ZipEntry): ZipEntry {
  if (entry.method !== 0) return entry;
  return { ...entry, alignment: entry.name.endsWith('.so') ? LIBRARY_ALIGNMENT : ALIGNMENT };
}

function isDex(name: string): boolean {
  return /^classes\d*\.dex$/.test(name);
}

/** Files of an old signature: they are made anew when the APK is signed. */
function isSignature(name: string): boolean {
  return /^META-INF\/(?:MANIFEST\.MF|[^/]+\.(?:SF|RSA|DSA|EC))$/i.test(name);
}
