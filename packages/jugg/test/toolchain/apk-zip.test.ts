import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeApk } from '../../src/toolchain/apk-zip.ts';
import { onPath, runChild } from '../../src/toolchain/child.ts';
import { readZip } from '../../src/toolchain/zip-reader.ts';
import { oddFolder, valueOf } from './support.ts';

const { signal } = new AbortController();
let folder: string;
beforeEach(async () => {
  folder = await oddFolder();
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function file(name: string, content: string | Buffer): Promise<string> {
  const path = join(folder, name);
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, content);
  return path;
}

/** A zip without anything, as a base. */
async function emptyZip(): Promise<string> {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  return file('empty.zip', end);
}

async function contents(apk: string): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>();
  for await (const entry of readZip(apk)) found.set(entry.name, Buffer.from(await entry.content()));
  return found;
}

/** Where the data of each stored entry begins, read from the local headers by hand. */
async function storedOffsets(apk: string): Promise<Map<string, number>> {
  const bytes = await readFile(apk);
  const offsets = new Map<string, number>();
  let at = 0;
  while (bytes.readUInt32LE(at) === 0x04034b50) {
    const nameLength = bytes.readUInt16LE(at + 26);
    const name = bytes.toString('utf8', at + 30, at + 30 + nameLength);
    const data = at + 30 + nameLength + bytes.readUInt16LE(at + 28);
    if (bytes.readUInt16LE(at + 8) === 0) offsets.set(name, data);
    at = data + bytes.readUInt32LE(at + 18);
  }
  return offsets;
}

test('dex files, assets and libraries come in; stored ones are aligned, the rest is small', async () => {
  const text = 'hello '.repeat(1000);
  const output = join(folder, 'out.apk');
  valueOf(
    await writeApk(
      {
        base: await emptyZip(),
        dexFiles: [await file('a.dex', 'dex one'), await file('b.dex', 'dex two')],
        files: [
          { name: 'assets/größe.txt', path: await file('t.txt', text) },
          { name: 'assets/p.png', path: await file('p.png', randomBytes(33)) },
          { name: 'lib/x86_64/libx.so', path: await file('libx.so', randomBytes(1001)) },
        ],
        output,
      },
      signal,
    ),
  );
  const found = await contents(output);
  expect([...found.keys()]).toEqual([
    'classes.dex',
    'classes2.dex',
    'assets/größe.txt',
    'assets/p.png',
    'lib/x86_64/libx.so',
  ]);
  expect(found.get('classes2.dex')?.toString()).toBe('dex two');
  expect(found.get('assets/größe.txt')?.toString()).toBe(text);
  const offsets = await storedOffsets(output);
  expect([...offsets.keys()]).not.toContain('assets/größe.txt');
  for (const name of ['classes.dex', 'classes2.dex', 'assets/p.png'])
    expect((offsets.get(name) ?? 1) % 4).toBe(0);
  expect((offsets.get('lib/x86_64/libx.so') ?? 1) % 16_384).toBe(0);
  const unzip = await onPath('unzip');
  if (unzip !== null) expect((await runChild(unzip, ['-t', output], { signal })).exitCode).toBe(0);
});

test('patching an APK: its dex files and its signature go, a named file is replaced, the rest stays as it is', async () => {
  const first = join(folder, 'first.apk');
  const a = await file('a.txt', 'a '.repeat(500));
  valueOf(
    await writeApk(
      {
        base: await emptyZip(),
        dexFiles: [await file('a.dex', 'old'), await file('b.dex', 'old too')],
        files: [
          { name: 'assets/a.txt', path: a },
          { name: 'assets/b.txt', path: await file('b.txt', 'b') },
          { name: 'META-INF/CERT.SF', path: a },
          { name: 'META-INF/MANIFEST.MF', path: a },
          { name: 'META-INF/services/x.Y', path: a },
        ],
        output: first,
      },
      signal,
    ),
  );
  const output = join(folder, 'second.apk');
  const parts = {
    base: first,
    dexFiles: [await file('n.dex', 'new')],
    files: [{ name: 'assets/b.txt', path: await file('c.txt', 'c') }],
    output,
  };
  valueOf(await writeApk(parts, signal));
  const found = await contents(output);
  expect([...found.keys()]).toEqual(['assets/a.txt', 'META-INF/services/x.Y', 'classes.dex', 'assets/b.txt']);
  expect(found.get('classes.dex')?.toString()).toBe('new');
  expect(found.get('assets/b.txt')?.toString()).toBe('c');
  expect(found.get('assets/a.txt')?.toString()).toBe('a '.repeat(500));
});

test('a base that is no zip, and a cancel, leave nothing behind', async () => {
  const base = await file('no.apk', 'no');
  const output = join(folder, 'out.apk');
  expect(await writeApk({ base, dexFiles: [], output }, signal)).toMatchObject({
    ok: false,
    fault: { code: 'APK_NOT_FOUND' },
  });
  const dexFiles = [await file('a.dex', 'x')];
  const canceled = await writeApk({ base: await emptyZip(), dexFiles, output }, AbortSignal.abort());
  expect(canceled).toMatchObject({ ok: false, fault: { code: 'CANCELED' } });
  expect((await readdir(folder)).toSorted()).toEqual(['a.dex', 'empty.zip', 'no.apk']);
});
