import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { aapt2, exists, javaHome, mavenFile, testCache } from './local-tools.ts';

const run = promisify(execFile);
const here = dirname(fileURLToPath(import.meta.url));
const fixtureDir = join(here, 'fixture-app');
const FRAMEWORK = 'org.robolectric:android-all:15-robolectric-13954326';
const R8 = 'com.android.tools:r8:9.5.28';

/** The package of the fixture app. */
export const FIXTURE_PACKAGE = 'dev.jugg.fixture';

export interface Fixture {
  /** Absolute path of the (unsigned) APK. */
  readonly apk: string;
  /** Folder with the class files of the app. */
  readonly classes: string;
}

/**
 * Builds the fixture app with aapt2, javac and D8, once: the result is kept by the content of its sources.
 *
 * @param changes source files (relative to the app's folder) with other content than the fixture's own
 */
export async function buildFixture(changes: Readonly<Record<string, string>> = {}): Promise<Fixture> {
  return buildApp(fixtureDir, changes, { compileOnly: [], packed: [] });
}

/** The APK that tests the fixture app with its own runner and JUnit 4. */
export async function buildFixtureTests(): Promise<Fixture> {
  const app = await buildFixture();
  const packed = [await mavenFile('junit:junit:4.13.2'), await mavenFile('org.hamcrest:hamcrest-core:1.3')];
  return buildApp(join(here, 'fixture-tests'), {}, { compileOnly: [app.classes], packed });
}

/** Another app, which uses what the fixture app offers. */
export async function buildFixtureClient(): Promise<Fixture> {
  const app = await buildFixture();
  const shared = ['Calls', 'Rows'].map((name) => `src/dev/jugg/fixture/${name}.java`);
  const changes = await Promise.all(shared.map(async (file) => [file, await fixtureSource(file)] as const));
  return buildApp(join(here, 'fixture-client'), Object.fromEntries(changes), {
    compileOnly: [app.classes],
    packed: [],
  });
}

/** Another app, of a newer target, that does what the platform holds against an app. */
export function buildPlatformFixture(): Promise<Fixture> {
  return buildApp(join(here, 'fixture-platform'), {}, { compileOnly: [], packed: [] });
}

interface Libraries {
  /** On the class path of the compiler only. */
  readonly compileOnly: readonly string[];
  /** Jars that become part of the APK. */
  readonly packed: readonly string[];
}

async function buildApp(
  folder: string,
  changes: Readonly<Record<string, string>>,
  libraries: Libraries,
): Promise<Fixture> {
  const sources = await readTree(folder);
  for (const [file, content] of Object.entries(changes)) sources.set(file, Buffer.from(content));
  const hash = createHash('sha256');
  for (const [file, content] of [...sources].sort(([a], [b]) => (a < b ? -1 : 1)))
    hash.update(`${file}\0`).update(content);
  const dir = join(testCache, `fixture-${hash.digest('hex').slice(0, 16)}`);
  const fixture = { apk: join(dir, 'app.apk'), classes: join(dir, 'classes') };
  if (await exists(fixture.apk)) return fixture;
  const work = await mkdtemp(join(tmpdir(), 'jugg-fixture-'));
  for (const [file, content] of sources) {
    const path = join(work, 'app', file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
  await build(work, libraries);
  await mkdir(testCache, { recursive: true });
  await rename(join(work, 'out'), dir).catch(async () => {
    // Another worker was first, or the temporary folder is on another disk.
    if (!(await exists(fixture.apk))) await copyTree(join(work, 'out'), dir);
  });
  await rm(work, { recursive: true, force: true });
  return fixture;
}

/** The source text of one file of the fixture app. */
export function fixtureSource(file: string): Promise<string> {
  return readFile(join(fixtureDir, file), 'utf8');
}

/**
 * Compiles a changed class of the fixture app to a dex file of its own.
 *
 * @param name binary name of the class, which is alone in its source file
 * @param source the whole new source file
 */
export async function dexOfChanged(
  fixture: Fixture,
  name: string,
  source: string,
  outDir: string,
): Promise<string> {
  const file = join(outDir, 'src', `${name.replaceAll('.', '/')}.java`);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, source);
  const classes = join(outDir, 'classes');
  const classPath = [fixture.classes, await mavenFile(FRAMEWORK)].join(delimiter);
  const javac = join(await javaHome(), 'bin', 'javac');
  await run(javac, ['-nowarn', '--release', '8', '-g', '-cp', classPath, '-d', classes, file]);
  await d8([...(await listTree(classes)), '--classpath', fixture.classes, '--output', outDir]);
  return join(outDir, 'classes.dex');
}

async function build(work: string, { compileOnly, packed }: Libraries): Promise<void> {
  const app = join(work, 'app');
  const out = join(work, 'out');
  const classes = join(out, 'classes');
  await mkdir(classes, { recursive: true });
  const tool = await aapt2();
  const framework = await mavenFile(FRAMEWORK);
  const compiled = join(work, 'res.zip');
  const linked = join(work, 'linked.apk');
  const generated = join(work, 'gen');
  await run(tool, ['compile', '--dir', join(app, 'res'), '-o', compiled]);
  const manifest = join(app, 'AndroidManifest.xml');
  await run(tool, [
    'link',
    '-o',
    linked,
    '-I',
    framework,
    '--manifest',
    manifest,
    '--java',
    generated,
    ...((await exists(join(app, 'assets'))) ? ['-A', join(app, 'assets')] : []),
    compiled,
  ]);
  const jdk = join(await javaHome(), 'bin');
  const java = [...(await listTree(join(app, 'src'))), ...(await listTree(generated))];
  await run(join(jdk, 'javac'), [
    '-nowarn',
    '--release',
    '8',
    '-g',
    '-cp',
    [framework, ...compileOnly, ...packed].join(delimiter),
    '-d',
    classes,
    ...java,
  ]);
  // Two dex files, as larger apps have.
  const [first, second] = [join(work, 'dex1'), join(work, 'dex2')];
  await mkdir(first);
  await mkdir(second);
  const isSecond = (file: string): boolean => basename(file).startsWith('Storage');
  const all = await listTree(classes);
  const known = [classes, ...compileOnly].flatMap((path) => ['--classpath', path]);
  await d8([...all.filter((file) => !isSecond(file)), ...packed, ...known, '--output', first]);
  const add = ['-C', first, 'classes.dex'];
  if (all.some(isSecond)) {
    await d8([...all.filter(isSecond), ...known, '--output', second]);
    await rename(join(second, 'classes.dex'), join(second, 'classes2.dex'));
    add.push('-C', second, 'classes2.dex');
  }
  await run(join(jdk, 'jar'), ['--update', '--no-manifest', '--file', linked, ...add]);
  await copyFile(linked, join(out, 'app.apk'));
}

/** D8 for API 26, with the framework and the JDK as libraries. */
export async function d8(args: readonly string[]): Promise<void> {
  const java = join(await javaHome(), 'bin', 'java');
  const framework = await mavenFile(FRAMEWORK);
  const options = ['--debug', '--min-api', '26', '--lib', framework, '--lib', await javaHome()];
  await run(java, ['-cp', await mavenFile(R8), 'com.android.tools.r8.D8', ...options, ...args]);
}

async function readTree(dir: string): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for (const file of await listTree(dir)) files.set(relative(dir, file), await readFile(file));
  return files;
}

async function listTree(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

async function copyTree(from: string, to: string): Promise<void> {
  for (const file of await listTree(from)) {
    const target = join(to, relative(from, file));
    await mkdir(dirname(target), { recursive: true });
    await copyFile(file, target);
  }
}
