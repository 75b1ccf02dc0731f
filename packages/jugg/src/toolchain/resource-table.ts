import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readZip } from './zip-reader.ts';
import { storedEntry, ZipWriter } from './zip-writer.ts';

/** All that aapt2 reads of an APK that it links against: the table, and the platform's version from the manifest. */
const READ_BY_AAPT2 = new Set(['resources.arsc', 'AndroidManifest.xml']);

/** aapt2 maps a stored table into memory instead of inflating it. */
const ALIGNMENT = 4;

/**
 * A small APK to link against instead of a framework, made once and kept in `dir`. aapt2 goes through the entries of what it links
 * against, and a framework with code has 71,000: 0.3 s of every link. What cannot be made into one is answered as it is.
 */
export async function resourceTableOf(framework: string, dir: string): Promise<string> {
  const { size, mtimeMs } = await stat(framework);
  const key = createHash('sha256').update(`${framework} ${size} ${mtimeMs}`).digest('hex');
  const target = join(dir, `${key.slice(0, 32)}.apk`);
  if (await exists(target)) return target;
  await mkdir(dir, { recursive: true });
  const part = `${target}.${randomUUID()}`;
  try {
    if (!(await copyTable(framework, part))) return framework;
    await rename(part, target);
    return target;
  } finally {
    await rm(part, { force: true });
  }
}

/** False when there is no table in it. */
async function copyTable(framework: string, output: string): Promise<boolean> {
  const file = await open(output, 'w');
  let hasTable = false;
  try {
    const zip = new ZipWriter(file);
    for await (const entry of readZip(framework)) {
      if (!READ_BY_AAPT2.has(entry.name)) continue;
      await zip.add(storedEntry(entry.name, await entry.content(), ALIGNMENT));
      hasTable ||= entry.name.endsWith('.arsc');
    }
    await zip.finish();
  } finally {
    await file.close();
  }
  return hasTable;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
