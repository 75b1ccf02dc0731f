import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { writeApk } from '../../../jugg/src/toolchain/apk-zip.ts';
import { buildFixture } from '../app-process/fixture-apk.ts';
import { exists, javaHome, mavenFile, testCache } from '../app-process/local-tools.ts';

const run = promisify(execFile);
const here = dirname(fileURLToPath(import.meta.url));
const PASSWORD = 'testing';

/** Key stores of the test signers, made once. */
async function keyStore(name: string): Promise<string> {
  const file = join(testCache, `signer-${name}.p12`);
  if (await exists(file)) return file;
  await mkdir(testCache, { recursive: true });
  const keytool = join(await javaHome(), 'bin', 'keytool');
  const part = `${file}.${process.pid}`;
  const args = ['-alias', 'test', '-storetype', 'PKCS12', '-storepass', PASSWORD, '-keystore', part];
  const what = ['-dname', `CN=${name}`, '-keyalg', 'RSA', '-keysize', '2048', '-validity', '10000'];
  await run(keytool, ['-genkeypair', ...args, ...what]);
  await rename(part, file);
  return file;
}

export interface Signing {
  /** Which of the test keys. */
  readonly signer?: 'one' | 'two';
  /** Signature schemes, e.g. `12`. */
  readonly schemes?: string;
}

/** Aligns and signs an APK with Google's own apksig, once for each content. */
export async function signApk(
  apk: string,
  { signer = 'one', schemes = '12' }: Signing = {},
): Promise<string> {
  const digest = createHash('sha256')
    .update(await readFile(apk))
    .update(`${signer} ${schemes}`)
    .digest('hex');
  const signed = join(testCache, `signed-${digest.slice(0, 16)}.apk`);
  if (await exists(signed)) return signed;
  const work = await mkdtemp(join(tmpdir(), 'sign-'));
  try {
    const part = `${signed}.${process.pid}`;
    await copyFile(await sign(apk, work, signer, schemes), part);
    await rename(part, signed);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return signed;
}

/** What apksig 2.3 reaches into on a newer JDK. */
const EXPORTS = ['x509', 'util', 'pkcs'].flatMap((name) => [
  '--add-exports',
  `java.base/sun.security.${name}=ALL-UNNAMED`,
]);

async function sign(apk: string, work: string, signer: string, schemes: string): Promise<string> {
  const aligned = join(work, 'aligned.apk');
  const dexFiles = await dexOf(apk, work);
  const written = await writeApk({ base: apk, dexFiles, output: aligned }, AbortSignal.timeout(60_000));
  if (!written.ok) throw new Error(written.fault.message);
  if (schemes === '') return aligned;
  const java = join(await javaHome(), 'bin', 'java');
  const classPath = [await mavenFile(APKSIG), await signerClasses()].join(delimiter);
  const out = join(work, 'signed.apk');
  await run(java, [
    ...EXPORTS,
    '-cp',
    classPath,
    'SignApk',
    aligned,
    out,
    await keyStore(signer),
    PASSWORD,
    schemes,
  ]);
  return out;
}

const APKSIG = 'com.android.tools.build:apksig:2.3.0';

/** The compiled signer, made once for each content. */
async function signerClasses(): Promise<string> {
  const source = join(here, 'SignApk.java');
  const digest = createHash('sha256')
    .update(await readFile(source))
    .digest('hex');
  const folder = join(testCache, `signer-${digest.slice(0, 16)}`);
  if (await exists(join(folder, 'SignApk.class'))) return folder;
  await run(join(await javaHome(), 'bin', 'javac'), ['-d', folder, '-cp', await mavenFile(APKSIG), source]);
  return folder;
}

/** The zip writer takes dex files by path. */
async function dexOf(apk: string, folder: string): Promise<string[]> {
  const jar = join(await javaHome(), 'bin', 'jar');
  const names = ['classes.dex', 'classes2.dex'];
  // Nothing is extracted, and nothing said, when one is not there.
  await run(jar, ['--extract', '--file', apk, ...names], { cwd: folder });
  const files = names.map((name) => join(folder, name));
  const there = await Promise.all(files.map(exists));
  return files.filter((_, index) => there[index]);
}

/** The fixture app, signed. */
export async function signedFixture(): Promise<string> {
  const fixture = await buildFixture();
  return signApk(fixture.apk);
}
