import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { fail, ok } from '../shared/outcome.ts';
import type { Result } from '../shared/outcome.ts';
import { shippedFile } from '../shared/paths.ts';
import { resolveArtifacts } from './artifacts.ts';
import type { ArtifactSpec, ResolveOptions } from './artifacts.ts';
import { findJdk } from './jdk.ts';
import type { Jdk } from './jdk.ts';

/** A line of a `runtime-artifacts.json`; `role` says what a file that is not on the class path is for. */
const runtimeArtifacts = z.array(z.object({ gav: z.string(), role: z.string(), bytes: z.number().int() }));
export type RuntimeArtifact = z.infer<typeof runtimeArtifacts>[number];

/** Android 15's framework with code: what apps compile against (as stubs) and what aapt2 links against. */
export const FRAMEWORK: RuntimeArtifact = {
  gav: 'org.robolectric:android-all:15-robolectric-13954326',
  role: 'framework',
  bytes: 186_001_690,
};

/** D8 when there is no SDK. */
export const D8: RuntimeArtifact = { gav: 'com.android.tools:r8:9.5.28', role: 'd8', bytes: 21_188_744 };

/** Holds aapt2 2.20 for Linux, macOS and Windows, for when there is no SDK. */
export const AAPT2: RuntimeArtifact = {
  gav: 'org.apktool:apktool-lib:3.0.3',
  role: 'aapt2',
  bytes: 13_993_238,
};

/** Signs on Java newer than 17, where the compile host's own (2.3.0) cannot make v1 signatures. */
export const APKSIG: RuntimeArtifact = {
  gav: 'com.android.tools.build:apksig:9.1.0',
  role: 'apksig',
  bytes: 507_000,
};

/** The host's own signer makes v1 signatures with classes of the JDK that changed after this version. */
export const LAST_JAVA_OF_OWN_SIGNER = 17;

/** Our own jars and lists; other places only in tests, which run before anything is bundled. */
export interface RuntimeFiles {
  readonly jar: string;
  readonly list: string;
}

/** A JVM program of ours with all that it needs. */
export interface Runtime {
  readonly jdk: Jdk;
  /** Ours first. */
  readonly classPath: readonly string[];
}

export interface VirtualDeviceRuntime {
  readonly java: string;
  readonly classPath: readonly string[];
  readonly frameworkJar: string;
  readonly nativeJar: string;
}

export function compileHostFiles(): RuntimeFiles {
  return { jar: shippedFile('jars/compile-host.jar'), list: shippedFile('runtime/compile-host.json') };
}

export function virtualDeviceFiles(): RuntimeFiles {
  return { jar: shippedFile('jars/virtual-device.jar'), list: shippedFile('runtime/virtual-device.json') };
}

/** JDK and class path of the compile host; fetches what is missing. */
export async function compileHostRuntime(
  options: ResolveOptions,
  files: RuntimeFiles = compileHostFiles(),
): Promise<Result<Runtime>> {
  const jdk = await findJdk(options.env ? { env: options.env } : {});
  if (!jdk.ok) return jdk;
  const list = await readRuntimeList(files.list);
  if (!list.ok) return list;
  const paths = await resolveArtifacts(list.value, options);
  if (!paths.ok) return paths;
  return ok({ jdk: jdk.value, classPath: [files.jar, ...paths.value.values()] });
}

/** What an app process of the virtual device is started with; fetches what is missing. */
export async function virtualDeviceRuntime(
  options: ResolveOptions,
  files: RuntimeFiles = virtualDeviceFiles(),
): Promise<Result<VirtualDeviceRuntime>> {
  const jdk = await findJdk(options.env ? { env: options.env } : {});
  if (!jdk.ok) return jdk;
  const list = await readRuntimeList(files.list);
  if (!list.ok) return list;
  const paths = await resolveArtifacts(list.value, options);
  if (!paths.ok) return paths;
  const byRole = (role: string): string[] =>
    list.value.flatMap((artifact) => {
      const path = paths.value.get(artifact.gav);
      return artifact.role === role && path !== undefined ? [path] : [];
    });
  const [frameworkJar] = byRole('framework');
  const [nativeJar] = byRole('native');
  if (frameworkJar === undefined || nativeJar === undefined) {
    return fail('INTERNAL_ERROR', `${files.list} names no artifact with the role framework or native.`);
  }
  return ok({
    java: jdk.value.java,
    classPath: [files.jar, ...byRole('classpath')],
    frameworkJar,
    nativeJar,
  });
}

/** Fetches everything that Jugg may need without an SDK, in one stream of progress. */
export async function prefetch(options: ResolveOptions): Promise<Result<{ readonly files: number }>> {
  const jdk = await findJdk(options.env ? { env: options.env } : {});
  const specs: ArtifactSpec[] = [FRAMEWORK, D8, AAPT2];
  if (jdk.ok && jdk.value.version > LAST_JAVA_OF_OWN_SIGNER) specs.push(APKSIG);
  for (const files of [compileHostFiles(), virtualDeviceFiles()]) {
    const list = await readRuntimeList(files.list);
    if (!list.ok) return list;
    specs.push(...list.value);
  }
  const unique = [...new Map(specs.map((spec) => [spec.gav, spec])).values()];
  const paths = await resolveArtifacts(unique, options);
  return paths.ok ? ok({ files: paths.value.size }) : paths;
}

/** Reads a shipped list of artifacts. */
export async function readRuntimeList(path: string): Promise<Result<readonly RuntimeArtifact[]>> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch {
    return fail('ENVIRONMENT_ERROR', `${path} is missing: this Jugg is not built. Run \`npm run setup\`.`);
  }
  const parsed = runtimeArtifacts.safeParse(JSON.parse(text));
  return parsed.success ? ok(parsed.data) : fail('INTERNAL_ERROR', `${path} is not a list of artifacts.`);
}
