import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { juggDirs } from '../../src/shared/paths.ts';
import type { Result } from '../../src/shared/outcome.ts';
import { findAapt2, flatName } from '../../src/toolchain/aapt2.ts';
import type { Aapt2 } from '../../src/toolchain/aapt2.ts';
import { FRAMEWORK } from '../../src/toolchain/runtime.ts';
import { parseAapt2Messages } from '../../src/toolchain/aapt2-messages.ts';
import { artifact, oddFolder, quietWork, valueOf } from './support.ts';

let folder: string;
let aapt2: Aapt2;
let framework: string;
beforeAll(async () => {
  folder = await oddFolder();
  const dirs = juggDirs({ JUGG_HOME: join(folder, 'home') });
  aapt2 = valueOf(await findAapt2(quietWork(), { dirs }));
  framework = await artifact(FRAMEWORK.gav);
  for (const dir of ['res/values', 'res/values-de', 'res/layout']) {
    await mkdir(join(folder, dir), { recursive: true });
  }
  await write('AndroidManifest.xml', '<manifest package="com.ex"><application/></manifest>');
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function write(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

function link(compiled: readonly string[]): Promise<Result<unknown>> {
  return aapt2.link(
    {
      output: join(folder, 'out.apk'),
      manifest: join(folder, 'AndroidManifest.xml'),
      frameworks: [framework],
      compiled,
      stableIds: join(folder, 'ids.txt'),
      textSymbols: join(folder, 'R.txt'),
      minSdk: 26,
      targetSdk: 34,
    },
    quietWork(),
  );
}

async function idOf(name: string): Promise<string | undefined> {
  const symbols = await readFile(join(folder, 'R.txt'), 'utf8');
  return new RegExp(`^int string ${name} (0x\\w+)$`, 'm').exec(symbols)?.[1];
}

describe('compile and link', () => {
  test('single files, with ids that stay when a name comes before them', async () => {
    const strings = await write(
      'res/values/strings.xml',
      '<resources><string name="zoo">Z</string></resources>',
    );
    const german = await write(
      'res/values-de/strings.xml',
      '<resources><string name="zoo">D</string></resources>',
    );
    const outputDir = join(folder, 'flat');
    valueOf(await aapt2.compileFiles({ files: [strings, german], outputDir }, quietWork()));
    const flats = [strings, german].map((file) => join(outputDir, flatName(file)));
    expect(flats.map((flat) => flat.slice(outputDir.length + 1))).toEqual([
      'values_strings.arsc.flat',
      'values-de_strings.arsc.flat',
    ]);
    valueOf(await link(flats));
    const id = await idOf('zoo');
    expect(id).toMatch(/^0x7f/);

    await write(
      'res/values/strings.xml',
      '<resources><string name="ant">A</string><string name="zoo">Z</string></resources>',
    );
    valueOf(await aapt2.compileFiles({ files: [strings], outputDir }, quietWork()));
    valueOf(await link(flats));
    expect(await idOf('zoo')).toBe(id);
    expect(await idOf('ant')).not.toBe(id);
  });

  test('a file that is not well formed: file and line', async () => {
    const file = await write('res/layout/broken.xml', '<LinearLayout>\n  <TextView\n</LinearLayout>\n');
    const compiled = await aapt2.compileFiles(
      { files: [file], outputDir: join(folder, 'flat') },
      quietWork(),
    );
    expect(compiled).toMatchObject({
      ok: false,
      fault: {
        code: 'RESOURCE_ERROR',
        data: { diagnostics: [{ severity: 'error', tool: 'aapt2', file, line: 3 }] },
      },
    });
  });

  test('a name that does not exist: file and line, and the APK of before stays', async () => {
    const before = await readFile(join(folder, 'out.apk'));
    const file = await write(
      'res/layout/main.xml',
      '<TextView xmlns:android="http://schemas.android.com/apk/res/android"\n  android:layout_width="1dp" android:layout_height="1dp"\n  android:text="@string/nowhere"/>\n',
    );
    const outputDir = join(folder, 'flat');
    valueOf(await aapt2.compileFiles({ files: [file], outputDir }, quietWork()));
    const linked = await link([join(outputDir, flatName(file))]);
    expect(linked).toMatchObject({
      ok: false,
      fault: {
        code: 'RESOURCE_ERROR',
        data: {
          diagnostics: [{ severity: 'error', file, message: expect.stringContaining('string/nowhere') }],
        },
      },
    });
    expect((await readFile(join(folder, 'out.apk'))).equals(before)).toBe(true);
  });

  test('a manifest error', async () => {
    const manifest = await write(
      'Bad.xml',
      '<manifest package="com.ex">\n<application android:label="x"/></manifest>',
    );
    const linked = await aapt2.link(
      { output: join(folder, 'bad.apk'), manifest, frameworks: [framework], compiled: [] },
      quietWork(),
    );
    expect(linked).toMatchObject({
      ok: false,
      fault: { code: 'RESOURCE_ERROR', data: { diagnostics: [{ file: manifest, line: 2 }] } },
    });
  });

  test('cancelled', async () => {
    const abort = new AbortController();
    abort.abort();
    const compiled = await aapt2.compileDir(
      { dir: join(folder, 'res'), output: join(folder, 'x.zip') },
      quietWork(abort.signal),
    );
    expect(compiled).toMatchObject({ ok: false, fault: { code: 'CANCELED' } });
  });

  test('cancelled while it runs: the answer comes within half a second, and no output', async () => {
    const many = join(folder, 'many', 'res', 'drawable');
    await mkdir(many, { recursive: true });
    const shape = '<shape xmlns:android="http://schemas.android.com/apk/res/android"/>';
    for (let at = 0; at < 3000; at++) await writeFile(join(many, `d${at}.xml`), shape);
    const abort = new AbortController();
    const output = join(folder, 'many.zip');
    const call = aapt2.compileDir({ dir: join(folder, 'many', 'res'), output }, quietWork(abort.signal));
    // Long enough for the process to run, and far too short for so many files.
    await setTimeout(20);
    const started = performance.now();
    abort.abort();
    expect(await call).toMatchObject({ ok: false, fault: { code: 'CANCELED' } });
    expect(performance.now() - started).toBeLessThan(500);
    await expect(readFile(output)).rejects.toThrow('ENOENT');
  });
});

describe('messages', () => {
  const place = { severity: 'error', tool: 'aapt2', column: null };

  test.each([
    [
      '/a b/res/values/s.xml:3: error: unescaped apostrophe.',
      { ...place, file: '/a b/res/values/s.xml', line: 3, message: 'unescaped apostrophe.' },
    ],
    [
      'C:\\app\\res\\layout\\m.xml:12: error: attribute foo not found.',
      { ...place, file: 'C:\\app\\res\\layout\\m.xml', line: 12, message: 'attribute foo not found.' },
    ],
    [
      "/r/layout/a.xml: error: invalid value (at 'layout_width' with value 'x').",
      {
        ...place,
        file: '/r/layout/a.xml',
        line: null,
        message: "invalid value (at 'layout_width' with value 'x').",
      },
    ],
    ['error: no package.', { ...place, file: null, line: null, message: 'no package.' }],
    [
      '/m.xml:2:7: warn: odd.',
      { severity: 'warning', tool: 'aapt2', file: '/m.xml', line: 2, column: 7, message: 'odd.' },
    ],
    [
      'note: generated.',
      { severity: 'info', tool: 'aapt2', file: null, line: null, column: null, message: 'generated.' },
    ],
  ])('%s', (line, expected) => {
    expect(parseAapt2Messages(`${line}\n`)).toEqual([expected]);
  });

  test('the closing summary goes when the cause is known, and a message may have more lines', () => {
    const output =
      '/m.xml:2: error: resource not found\n  in config de.\n\nerror: failed linking references.\n';
    expect(parseAapt2Messages(output)).toEqual([
      { ...place, file: '/m.xml', line: 2, message: 'resource not found\nin config de.' },
    ]);
    expect(parseAapt2Messages('error: failed linking references.')).toHaveLength(1);
  });
});
