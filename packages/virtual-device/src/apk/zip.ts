import { openPromise } from 'yauzl';
import type { Entry, ZipFile } from 'yauzl';

/** One file in an APK. */
export interface ZipEntry {
  readonly name: string;
  readonly compressed: boolean;
  /** Where its bytes begin in the archive. */
  readonly dataStart: number;
}

export interface ApkZip {
  readonly entries: readonly ZipEntry[];
  /** The bytes of a file; `null` when it is not there. */
  read(name: string): Promise<Buffer | null>;
  close(): void;
}

/** Nothing that is read whole from an APK is larger: the manifest, a signature file. */
const MAX_READ = 16 * 1024 * 1024;

/** Opens an APK; `null` when it is not a zip file. */
export async function openApk(path: string): Promise<ApkZip | null> {
  let zip: ZipFile;
  const byName = new Map<string, Entry>();
  const entries: ZipEntry[] = [];
  try {
    zip = await openPromise(path, { lazyEntries: true, autoClose: false });
  } catch {
    return null;
  }
  try {
    for await (const entry of zip.eachEntry()) {
      byName.set(entry.fileName, entry);
      const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
      entries.push({
        name: entry.fileName,
        compressed: entry.compressionMethod !== 0,
        dataStart: fileDataStart,
      });
    }
  } catch {
    zip.close();
    return null;
  }
  return {
    entries,
    async read(name) {
      const entry = byName.get(name);
      if (!entry || entry.uncompressedSize > MAX_READ) return null;
      try {
        const chunks: Buffer[] = [];
        for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(Buffer.from(chunk));
        return Buffer.concat(chunks);
      } catch {
        return null;
      }
    },
    close: () => zip.close(),
  };
}
