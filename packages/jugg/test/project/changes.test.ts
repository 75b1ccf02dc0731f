import { cp, mkdir, mkdtemp, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { compareSnapshots, takeSnapshot, type Snapshot } from '../../src/project/changes.ts';
import { readProject } from '../../src/project/direct-model.ts';
import { InputScanner } from '../../src/project/scan.ts';
import { projectInputs, type ProjectInputs } from '../../src/project/source-roots.ts';

const FILES: Record<string, string> = {
  'settings.gradle.kts': 'include(":app", ":lib")',
  'app/build.gradle.kts': 'plugins { id("com.android.application") }\nandroid { namespace = "a" }',
  'lib/build.gradle.kts': 'plugins { id("java-library") }',
  'app/src/main/AndroidManifest.xml': '<manifest/>',
  'app/src/main/java/a/A.java': 'class A {}',
  'app/src/main/kotlin/a/B.kt': 'class B',
  'app/src/debug/java/a/D.java': 'class D {}',
  'app/src/main/res/values/strings.xml': '<resources/>',
  'app/src/main/assets/x.txt': 'x',
  'app/src/main/jniLibs/x86_64/libx.so': 'so',
  'lib/src/main/java/l/L.java': 'class L {}',
  'lib/src/main/resources/l.properties': 'a=b',
};

let dir: string;
let inputs: ProjectInputs;
/** One for all looks of a test: what it remembers must not hide a change. */
let scanner: InputScanner;
beforeEach(async () => {
  scanner = new InputScanner();
  dir = await mkdtemp(join(tmpdir(), 'jugg changes ä-'));
  for (const [path, text] of Object.entries(FILES)) await put(path, text);
  const project = await readProject(dir);
  if (!project.ok) throw new Error(project.fault.message);
  inputs = projectInputs(project.value, project.value.modules);
});
afterEach(async () => {
  await rm(dir, { recursive: true, force: true });
});

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(dir, path)), { recursive: true });
  await writeFile(join(dir, path), text);
}

async function look(known: Snapshot = new Map(), now?: () => number): Promise<Snapshot> {
  return takeSnapshot(await scanner.scan(inputs), known, now);
}

async function changes(before: Snapshot): Promise<string[]> {
  const { changed, deleted } = compareSnapshots(before, await look(before));
  const name = (file: string): string => file.slice(dir.length + 1);
  return [
    ...changed.map((one) => `${one.type} ${name(one.file)}`),
    ...deleted.map((one) => `-${one.type} ${name(one.file)}`),
  ].sort();
}

describe('what changed since a snapshot', () => {
  test('every kind of input is told by its type', async () => {
    expect(await changes(new Map())).toEqual([
      'Asset app/src/main/assets/x.txt',
      'BuildFile app/build.gradle.kts',
      'BuildFile lib/build.gradle.kts',
      'BuildFile settings.gradle.kts',
      'Java app/src/debug/java/a/D.java',
      'Java app/src/main/java/a/A.java',
      'Java lib/src/main/java/l/L.java',
      'Kotlin app/src/main/kotlin/a/B.kt',
      'Manifest app/src/main/AndroidManifest.xml',
      'Native app/src/main/jniLibs/x86_64/libx.so',
      'Other lib/src/main/resources/l.properties',
      'Resource app/src/main/res/values/strings.xml',
    ]);
  });

  test('nothing, and touching, is no change', async () => {
    const before = await look();
    expect(await changes(before)).toEqual([]);
    const later = new Date(Date.now() + 5000);
    await utimes(join(dir, 'app/src/main/java/a/A.java'), later, later);
    expect(await changes(before)).toEqual([]);
  });

  test('added, changed, deleted, renamed', async () => {
    const before = await look();
    await put('app/src/main/java/a/New.java', 'class New {}');
    await put('app/src/main/kotlin/a/B.kt', 'class B2');
    await rm(join(dir, 'app/src/main/assets/x.txt'));
    await rename(join(dir, 'lib/src/main/java/l/L.java'), join(dir, 'lib/src/main/java/l/M.java'));
    expect(await changes(before)).toEqual([
      '-Asset app/src/main/assets/x.txt',
      '-Java lib/src/main/java/l/L.java',
      'Java app/src/main/java/a/New.java',
      'Java lib/src/main/java/l/M.java',
      'Kotlin app/src/main/kotlin/a/B.kt',
    ]);
  });

  test('an editor that saves beside the file and renames', async () => {
    const before = await look();
    const file = join(dir, 'app/src/main/java/a/A.java');
    const save = async (text: string): Promise<void> => {
      await rename(file, `${file}~`);
      await writeFile(join(dir, 'app/src/main/java/a/4913'), text);
      await rename(join(dir, 'app/src/main/java/a/4913'), file);
      await rm(`${file}~`);
    };
    await save('class A { int x; }');
    expect(await changes(before)).toEqual(['Java app/src/main/java/a/A.java']);
    await save('class A {}');
    expect(await changes(before)).toEqual([]);
  });

  test('a name that changes its case only, and a folder that is new', async () => {
    const before = await look();
    await rename(join(dir, 'app/src/main/kotlin/a/B.kt'), join(dir, 'app/src/main/kotlin/a/b.kt'));
    await put('app/src/debug/assets/new/deep/y.txt', 'y');
    expect(await changes(before)).toEqual([
      '-Kotlin app/src/main/kotlin/a/B.kt',
      'Asset app/src/debug/assets/new/deep/y.txt',
      'Kotlin app/src/main/kotlin/a/b.kt',
    ]);
  });

  test('3,000 files that another branch has, and the way back', async () => {
    const branch = async (text: (file: number) => string): Promise<void> => {
      for (let file = 0; file < 3000; file++) {
        await writeFile(join(dir, `app/src/main/java/a/C${file}.java`), text(file));
      }
    };
    await branch((file) => `class C${file} {}`);
    const before = await look();
    await branch((file) => `class C${file} { int other; }`);
    const there = await look(before);
    expect(compareSnapshots(before, there).changed).toHaveLength(3000);
    await branch((file) => `class C${file} {}`);
    expect(compareSnapshots(before, await look(there))).toEqual({ changed: [], deleted: [] });
  });

  test('a reverted edit leaves nothing', async () => {
    const before = await look();
    await put('app/src/main/java/a/A.java', 'class X {}');
    await put('app/src/main/java/a/A.java', 'class A {}');
    expect(await changes(before)).toEqual([]);
  });

  test('another text of the same size within one tick of the clock is seen', async () => {
    for (let round = 0; round < 50; round++) {
      await put('app/src/main/java/a/A.java', `class A${round % 10} {}`);
      const before = await look();
      await put('app/src/main/java/a/A.java', `class B${round % 10} {}`);
      expect(await changes(before)).toEqual(['Java app/src/main/java/a/A.java']);
    }
  });

  test('an older file put in the place of a newer one is seen', async () => {
    const before = await look();
    const old = join(dir, 'old.txt');
    await writeFile(old, 'class Z {}');
    await utimes(old, new Date(0), new Date(0));
    await cp(old, join(dir, 'app/src/main/java/a/A.java'), { preserveTimestamps: true });
    expect(await changes(before)).toEqual(['Java app/src/main/java/a/A.java']);
  });

  test('outputs, tools, tests, other variants and stray files never count', async () => {
    const before = await look();
    for (const path of [
      'app/build/generated/G.java',
      'build/x.java',
      '.gradle/x.kt',
      '.git/x.kt',
      'app/src/main/java/a/build/G.java',
      'app/src/main/java/.idea/G.java',
      'app/src/main/java/a/notes.txt',
      'app/src/main/res/values/strings.xml~',
      'app/src/main/res/values/.strings.xml.swp',
      'app/src/main/res/.DS_Store',
      'app/src/androidTest/java/a/T.java',
      'app/src/test/java/a/T.java',
      'app/src/release/java/a/R.java',
      'README.md',
    ]) {
      await put(path, 'x');
    }
    expect(await changes(before)).toEqual([]);
  });

  test('links are followed, circles are not', async () => {
    const before = await look();
    await put('elsewhere/S.java', 'class S {}');
    await symlink(join(dir, 'elsewhere'), join(dir, 'app/src/main/java/linked'));
    await symlink(join(dir, 'app/src/main/java'), join(dir, 'app/src/main/java/circle'));
    await symlink(join(dir, 'nowhere'), join(dir, 'app/src/main/java/Broken.java'));
    expect(await changes(before)).toEqual(['Java app/src/main/java/linked/S.java']);
  });

  test('an edit of the file behind a link, and a link that leads elsewhere', async () => {
    await put('elsewhere/S.java', 'class S {}');
    await put('elsewhere/T.java', 'class S { int t; }');
    const link = join(dir, 'app/src/main/java/a/S.java');
    await symlink(join(dir, 'elsewhere/S.java'), link);
    const before = await look();
    await put('elsewhere/S.java', 'class S { int s; }');
    expect(await changes(before)).toEqual(['Java app/src/main/java/a/S.java']);
    await put('elsewhere/S.java', 'class S {}');
    expect(await changes(before)).toEqual([]);
    await rm(link);
    await symlink(join(dir, 'elsewhere/T.java'), link);
    expect(await changes(before)).toEqual(['Java app/src/main/java/a/S.java']);
  });

  test('a folder that is replaced by a file, and a project folder that is gone', async () => {
    const before = await look();
    await rm(join(dir, 'app/src/main/res'), { recursive: true });
    await put('app/src/main/res', 'no folder');
    expect(await changes(before)).toEqual(['-Resource app/src/main/res/values/strings.xml']);
    await rm(dir, { recursive: true });
    expect(await changes(before)).toHaveLength(Object.keys(FILES).length);
  });
});

test('5,000 unchanged files are looked at without reading them', async () => {
  for (let folder = 0; folder < 100; folder++) {
    await mkdir(join(dir, `app/src/main/java/p${folder}`));
    for (let file = 0; file < 50; file++) {
      await writeFile(join(dir, `app/src/main/java/p${folder}/C${file}.java`), `class C${file} {}`);
    }
  }
  // Files as young as the snapshot would be read once more.
  const inAMinute = (): number => Date.now() + 60_000;
  const before = await look(new Map(), inAMinute);
  expect(before.size).toBe(5000 + Object.keys(FILES).length);
  const started = performance.now();
  const after = await look(before);
  const ms = performance.now() - started;
  expect([...after].every(([path, seen]) => before.get(path) === seen)).toBe(true);
  // The target is 100 ms on an idle machine; the bound only tells that nothing was read.
  expect(ms).toBeLessThan(1000);
});
