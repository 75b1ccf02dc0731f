import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ok } from '../shared/outcome.ts';
import type { Result } from '../shared/outcome.ts';
import { juggDirs } from '../shared/paths.ts';
import type { JuggDirs } from '../shared/paths.ts';
import type { WorkContext } from '../shared/progress.ts';
import { resolveArtifacts } from './artifacts.ts';
import { findJdk } from './jdk.ts';
import { resourceTableOf } from './resource-table.ts';
import { FRAMEWORK } from './runtime.ts';
import { findSdk } from './sdk.ts';
import type { CompileHost } from './types.ts';

/** Raised when the stubs come out differently for the same framework: the old ones are then made anew. */
const STUB_FORMAT = 4;

export interface BootClassPath {
  /** Goes on the class path of javac and kotlinc. */
  readonly compile: readonly string[];
  /** `bootClassPath` of the dexing calls: a folder in it is a Java home, for the `java.*` that stubs lack. */
  readonly dex: readonly string[];
  /** What aapt2 links against (`-I`): the resource table of `framework`. */
  readonly resources: string;
  readonly framework: string;
  readonly api: number;
  readonly source: 'sdk' | 'framework';
}

export interface BootClassPathOptions {
  readonly dirs?: JuggDirs;
  readonly env?: NodeJS.ProcessEnv;
  readonly projectDir?: string;
}

/**
 * What an app compiles against: the SDK's `android.jar` of its newest platform, else stubs made once from Android 15's
 * framework. The framework itself cannot be used: it says `@Nullable` where the SDK says nothing, and Kotlin then refuses
 * ordinary code such as `findViewById<View>(id).text`.
 */
export async function bootClassPath(
  host: CompileHost & {
    stubJar(request: { input: string; output: string }, work: WorkContext): Promise<Result<void>>;
  },
  work: WorkContext,
  options: BootClassPathOptions = {},
): Promise<Result<BootClassPath>> {
  const env = options.env ?? process.env;
  const { cache } = options.dirs ?? juggDirs();
  const tables = join(cache, 'resource-tables');
  const sdk = await findSdk({ env, ...(options.projectDir ? { projectDir: options.projectDir } : {}) });
  if (sdk?.platform) {
    const { jar, api } = sdk.platform;
    const resources = await resourceTableOf(jar, tables);
    return ok({ compile: [jar], dex: [jar], resources, framework: jar, api, source: 'sdk' });
  }
  const jdk = await findJdk({ env });
  if (!jdk.ok) return jdk;
  const resolved = await resolveArtifacts([FRAMEWORK], {
    signal: work.signal,
    onProgress: (line) => work.log(line),
    env,
  });
  if (!resolved.ok) return resolved;
  const framework = resolved.value.get(FRAMEWORK.gav) ?? '';
  const { size } = await stat(framework);
  const version = FRAMEWORK.gav.split(':')[2] ?? '';
  const stubs = join(cache, 'stubs', `android-${version}-${size}-${STUB_FORMAT}.jar`);
  if (!(await exists(stubs))) {
    work.log(`Making stubs of the framework in ${stubs}`);
    const made = await host.stubJar({ input: framework, output: stubs }, work);
    if (!made.ok) return made;
  }
  return ok({
    compile: [stubs],
    dex: [stubs, jdk.value.home],
    resources: await resourceTableOf(framework, tables),
    framework,
    api: 35,
    source: 'framework',
  });
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
