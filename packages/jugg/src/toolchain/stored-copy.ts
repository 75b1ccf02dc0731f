import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { readZip } from './zip-reader.ts';
import { storedEntry, ZipWriter } from './zip-writer.ts';

const ALIGNMENT = 4;

/** Which entries to take over, and one without which a zip is not what it is taken for. */
interface Wanted {
  readonly isWanted: (name: string) => boolean;
  readonly needs: string | null;
}

/**
 * A copy of a zip whose entries are not compressed, made once and kept in `dir`: compilers read the same classes of the same
 * jars in every run, and inflating them is a tenth of a small compile. Answers the zip itself when it lacks what it needs.
 */
export async function storedCopy(
  zip: string,
  dir: string,
  { isWanted, needs }: Wanted = { isWanted: () => true, needs: null },
): Promise<string> {
  const { size, mtimeMs } = await stat(zip);
  const key = createHash('sha256').update(`${zip} ${size} ${mtimeMs}`).digest('hex');
  const target = join(dir, `${key.slice(0, 32)}${extname(zip)}`);
  if (await exists(target)) return target;
  await mkdir(dir, { recursive: true });
  const part = `${target}.${randomUUID()}`;
  try {
    const names = await copy(zip, part, isWanted);
    if (needs !== null && !names.includes(needs)) return zip;
    await rename(part, target);
    return target;
  } finally {
    await rm(part, { force: true });
  }
}

/** Answers the names of the entries. */
async function copy(from: string, to: string, isWanted: (name: string) => boolean): Promise<string[]> {
  const file = await open(to, 'w');
  const names: string[] = [];
  try {
    const zip = new ZipWriter(file);
    for await (const entry of readZip(from)) {
      if (!isWanted(entry.name)) continue;
      await zip.add(storedEntry(entry.name, await entry.content(), ALIGNMENT));
      names.push(entry.name);
    }
    await zip.finish();
  } finally {
    await file.close();
  }
  return names;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
