import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { aapt2, exists, javaHome, mavenFile, testCache } from '../app-process/local-tools.ts';
import { signApk } from './signed-apk.ts';
import type { Signing } from './signed-apk.ts';

const run = promisify(execFile);

export interface ManifestParts {
  readonly packageName?: string;
  readonly versionCode?: number;
  readonly minSdk?: number;
  readonly targetSdk?: number;
  /** Attributes of `<application>`. */
  readonly application?: string;
  /** Inside of `<application>`. */
  readonly components?: string;
  /** Attributes of `<manifest>`. */
  readonly root?: string;
  /** ABIs that it has a native library for. */
  readonly nativeFor?: readonly string[];
}

/** An APK without code, linked by aapt2 and signed: all that the package manager looks at. */
export async function manifestApk(parts: ManifestParts = {}, signing: Signing = {}): Promise<string> {
  const {
    packageName = 'dev.jugg.plain',
    versionCode = 5,
    minSdk = 26,
    targetSdk = 34,
    nativeFor = [],
  } = parts;
  const manifest = `<?xml version="1.0" encoding="utf-8"?>
<manifest xmlns:android="http://schemas.android.com/apk/res/android" package="${packageName}" android:versionCode="${versionCode}" android:versionName="1.${versionCode}" ${parts.root ?? ''}>
  <uses-sdk android:minSdkVersion="${minSdk}" android:targetSdkVersion="${targetSdk}"/>
  <uses-permission android:name="android.permission.CAMERA"/>
  <application android:hasCode="false" android:debuggable="true" ${parts.application ?? ''}>
    ${parts.components ?? ''}
  </application>
</manifest>`;
  const file = join(
    testCache,
    `manifest-${createHash('sha256').update(manifest).update(String(nativeFor)).digest('hex').slice(0, 16)}.apk`,
  );
  if (!(await exists(file))) await link(manifest, nativeFor, file);
  return signApk(file, signing);
}

async function link(manifest: string, nativeFor: readonly string[], file: string): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), 'manifest-'));
  const xml = join(work, 'AndroidManifest.xml');
  const out = join(work, 'out.apk');
  await writeFile(xml, manifest);
  const framework = await mavenFile('org.robolectric:android-all:15-robolectric-13954326');
  await run(await aapt2(), ['link', '-o', out, '-I', framework, '--manifest', xml]);
  for (const abi of nativeFor) {
    await mkdir(join(work, 'lib', abi), { recursive: true });
    await writeFile(join(work, 'lib', abi, 'libnone.so'), 'no code');
  }
  if (nativeFor.length > 0)
    await run(join(await javaHome(), 'bin', 'jar'), ['--update', '--file', out, '-C', work, 'lib']);
  await mkdir(testCache, { recursive: true });
  await copyFile(out, `${file}.${process.pid}`);
  await rename(`${file}.${process.pid}`, file);
  await rm(work, { recursive: true, force: true });
}
