import { access, readdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** An Android SDK; a part that is not installed is null. Paths are absolute. */
export interface Sdk {
  readonly home: string;
  /** Newest version of the build tools, e.g. `35.0.0`. */
  readonly buildTools: string | null;
  readonly aapt2: string | null;
  readonly d8Jar: string | null;
  readonly apksignerJar: string | null;
  readonly adb: string | null;
  /** `android.jar` of the newest platform and its API level. */
  readonly platform: { readonly jar: string; readonly api: number } | null;
}

export interface SdkSearch {
  readonly env?: NodeJS.ProcessEnv;
  readonly platform?: NodeJS.Platform;
  readonly home?: string;
  /** A project whose `local.properties` may name its SDK. */
  readonly projectDir?: string;
}

/**
 * Finds the Android SDK: the project's `local.properties`, `ANDROID_HOME`, `ANDROID_SDK_ROOT`, then where Android Studio
 * puts it. Null is a normal answer: Jugg has tools of its own.
 */
export async function findSdk(search: SdkSearch = {}): Promise<Sdk | null> {
  const env = search.env ?? process.env;
  const platform = search.platform ?? process.platform;
  const home = search.home ?? homedir();
  const named = search.projectDir === undefined ? null : await sdkDirOf(search.projectDir);
  const places = [named, env['ANDROID_HOME'], env['ANDROID_SDK_ROOT'], ...usualPlaces(platform, env, home)];
  for (const place of places) {
    const sdk = place ? await examine(place, platform) : null;
    if (sdk !== null) return sdk;
  }
  return null;
}

function usualPlaces(platform: NodeJS.Platform, env: NodeJS.ProcessEnv, home: string): string[] {
  if (platform === 'darwin') return [join(home, 'Library', 'Android', 'sdk')];
  if (platform === 'win32') {
    return [join(env['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local'), 'Android', 'Sdk')];
  }
  return [join(home, 'Android', 'Sdk'), '/usr/lib/android-sdk', '/opt/android-sdk'];
}

/** `sdk.dir` of `local.properties`; Java properties escape `:` and `\` with a backslash. */
async function sdkDirOf(projectDir: string): Promise<string | null> {
  const text = await readFile(join(projectDir, 'local.properties'), 'utf8').catch(() => '');
  const value = /^\s*sdk\.dir\s*[=:]\s*(.+?)\s*$/m.exec(text)?.[1];
  return value === undefined ? null : value.replaceAll(/\\(.)/g, '$1');
}

/** Null for a folder that holds nothing of an SDK. */
async function examine(home: string, platform: NodeJS.Platform): Promise<Sdk | null> {
  const exe = platform === 'win32' ? '.exe' : '';
  const [buildTools] = await versions(join(home, 'build-tools'), /^\d+\.\d+\.\d+$/);
  const [newest] = await versions(join(home, 'platforms'), /^android-\d+$/);
  const tools = buildTools === undefined ? null : join(home, 'build-tools', buildTools);
  const platformJar =
    newest === undefined ? null : await present(join(home, 'platforms', newest, 'android.jar'));
  const adb = await present(join(home, 'platform-tools', `adb${exe}`));
  if (tools === null && platformJar === null && adb === null) return null;
  return {
    home,
    buildTools: buildTools ?? null,
    aapt2: tools === null ? null : await present(join(tools, `aapt2${exe}`)),
    d8Jar: tools === null ? null : await present(join(tools, 'lib', 'd8.jar')),
    apksignerJar: tools === null ? null : await present(join(tools, 'lib', 'apksigner.jar')),
    adb,
    platform:
      platformJar === null ? null : { jar: platformJar, api: Number(newest?.slice('android-'.length)) },
  };
}

/** Names in a folder that look like versions, newest first. */
async function versions(folder: string, pattern: RegExp): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => pattern.test(name))
    .toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true }));
}

async function present(path: string): Promise<string | null> {
  return access(path).then(
    () => path,
    () => null,
  );
}
