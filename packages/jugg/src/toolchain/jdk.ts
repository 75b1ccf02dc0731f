import { access, readdir, readFile, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fail, ok } from '../shared/outcome.ts';
import type { Result } from '../shared/outcome.ts';

/** A Java development kit. Paths are absolute. */
export interface Jdk {
  readonly home: string;
  /** Feature release: 17, 21, … */
  readonly version: number;
  readonly java: string;
  readonly keytool: string;
  /** A `JAVA_HOME` that does not do, with the reason: this JDK was taken in its place. */
  readonly passedOver?: string;
}

/** The compile host and the virtual device are built for this release. */
const MINIMUM = 17;

export interface JdkSearch {
  readonly env?: NodeJS.ProcessEnv;
  readonly platform?: NodeJS.Platform;
  readonly home?: string;
}

interface Candidate {
  readonly home: string;
  /** Where the name came from, for people. */
  readonly from: string;
  /** True when the user named it for Jugg: then nothing else is taken instead. */
  readonly binding?: boolean;
}

/**
 * Finds a JDK of at least Java 17 that has a compiler: `JUGG_JAVA_HOME` (binding), `JAVA_HOME`, Android Studio's
 * runtime, `java` on the path, then the system's usual folders. `JDK_UNSUITABLE` names all that was looked at.
 */
export async function findJdk(search: JdkSearch = {}): Promise<Result<Jdk>> {
  const looked: string[] = [];
  for await (const candidate of candidates(search)) {
    const found = await examine(candidate.home, search.platform ?? process.platform);
    if (typeof found !== 'string') {
      const named = looked.find((line) => line.startsWith('JAVA_HOME '));
      return ok(named === undefined ? found : { ...found, passedOver: named });
    }
    const line = `${candidate.from} ${candidate.home}: ${found}`;
    if (!looked.includes(line)) looked.push(line);
    if (candidate.binding) break;
  }
  const seen = looked.length > 0 ? ` Looked at: ${looked.join('; ')}.` : ' No Java was found.';
  return fail(
    'JDK_UNSUITABLE',
    `Jugg needs a JDK of version ${MINIMUM} or newer with javac.${seen} Install one and set JAVA_HOME or JUGG_JAVA_HOME.`,
    { data: { looked } },
  );
}

async function* candidates(search: JdkSearch): AsyncGenerator<Candidate> {
  const env = search.env ?? process.env;
  const platform = search.platform ?? process.platform;
  const home = search.home ?? homedir();
  const named = env['JUGG_JAVA_HOME'];
  if (named) yield { home: named, from: 'JUGG_JAVA_HOME', binding: true };
  if (env['JAVA_HOME']) yield { home: env['JAVA_HOME'], from: 'JAVA_HOME' };
  for (const place of studioPlaces(platform, env, home)) {
    if (await exists(place)) yield { home: place, from: 'Android Studio' };
  }
  for (const folder of (env['PATH'] ?? '').split(delimiter)) {
    const java = join(folder, executable('java', platform));
    if (folder !== '' && (await exists(java))) {
      yield { home: dirname(dirname(await realpath(java))), from: 'PATH' };
    }
  }
  for (const [folder, inside] of systemFolders(platform, env, home)) {
    const names = await readdir(folder).catch(() => []);
    for (const name of newestFirst(names)) yield { home: join(folder, name, inside), from: 'system' };
  }
}

function studioPlaces(platform: NodeJS.Platform, env: NodeJS.ProcessEnv, home: string): string[] {
  if (platform === 'darwin') {
    const app = 'Applications/Android Studio.app/Contents/jbr/Contents/Home';
    return [join('/', app), join(home, app)];
  }
  if (platform === 'win32') {
    const roots = [env['ProgramFiles'], env['LOCALAPPDATA'] && join(env['LOCALAPPDATA'], 'Programs')];
    return roots.flatMap((root) =>
      root ? [join(root, 'Android', 'Android Studio', 'jbr'), join(root, 'Android Studio', 'jbr')] : [],
    );
  }
  return [
    join(home, 'android-studio', 'jbr'),
    '/opt/android-studio/jbr',
    '/usr/local/android-studio/jbr',
    '/snap/android-studio/current/jbr',
    join(home, '.local/share/JetBrains/Toolbox/apps/android-studio/jbr'),
  ];
}

/** Folders of JDKs, with the path of the Java home inside each. */
function systemFolders(platform: NodeJS.Platform, env: NodeJS.ProcessEnv, home: string): [string, string][] {
  if (platform === 'darwin') {
    const machines = 'Library/Java/JavaVirtualMachines';
    return [
      [join('/', machines), 'Contents/Home'],
      [join(home, machines), 'Contents/Home'],
    ];
  }
  if (platform === 'win32') {
    const root = env['ProgramFiles'] ?? 'C:\\Program Files';
    return ['Java', 'Eclipse Adoptium', 'Microsoft', 'Zulu'].map((vendor) => [join(root, vendor), '']);
  }
  return [
    ['/usr/lib/jvm', ''],
    [join(home, '.sdkman/candidates/java'), ''],
    [join(home, '.jdks'), ''],
  ];
}

function newestFirst(names: readonly string[]): string[] {
  return names.toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true }));
}

/** The JDK at `home`, or what is wrong with it. */
async function examine(home: string, platform: NodeJS.Platform): Promise<Jdk | string> {
  const java = join(home, 'bin', executable('java', platform));
  if (!(await exists(java))) return 'no bin/java';
  if (!(await exists(join(home, 'bin', executable('javac', platform)))))
    return 'no javac (a runtime, not a JDK)';
  const release = await readFile(join(home, 'release'), 'utf8').catch(() => '');
  const version = Number(/^JAVA_VERSION="(?:1\.)?(\d+)/m.exec(release)?.[1] ?? Number.NaN);
  if (Number.isNaN(version)) return 'no version in its release file';
  if (version < MINIMUM) return `version ${version}`;
  return { home, version, java, keytool: join(home, 'bin', executable('keytool', platform)) };
}

function executable(name: string, platform: NodeJS.Platform): string {
  return platform === 'win32' ? `${name}.exe` : name;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
