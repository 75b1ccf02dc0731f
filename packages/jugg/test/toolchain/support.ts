import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Result } from '../../src/shared/outcome.ts';
import { juggDirs } from '../../src/shared/paths.ts';
import type { JuggDirs } from '../../src/shared/paths.ts';
import type { WorkContext } from '../../src/shared/progress.ts';
import { resolveArtifacts } from '../../src/toolchain/artifacts.ts';
import { createCompileHost } from '../../src/toolchain/compile-host.ts';
import type { CompileHostOptions, JuggCompileHost } from '../../src/toolchain/compile-host.ts';
import type { RuntimeFiles } from '../../src/toolchain/runtime.ts';

const REPOSITORY = fileURLToPath(new URL('../../../../', import.meta.url));

/** The host's own files as the build leaves them, before anything is bundled. */
export const HOST_FILES = {
  jar: join(REPOSITORY, 'jvm/compile-host/target/compile-host.jar'),
  list: join(REPOSITORY, 'jvm/compile-host/runtime-artifacts.json'),
};

export const KOTLIN_STDLIB = 'org.jetbrains.kotlin:kotlin-stdlib:2.4.21';

/** A folder whose name has what trips programs up: blanks and letters beyond ASCII. */
export async function oddFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'jugg töst ünd é-'));
}

export function quietWork(signal: AbortSignal = new AbortController().signal): WorkContext {
  return { signal, phase: () => {}, log: () => {} };
}

export interface HostBench {
  readonly folder: string;
  readonly host: JuggCompileHost;
  readonly dirs: JuggDirs;
  readonly files: RuntimeFiles;
  close(): Promise<void>;
}

/** A compile host with folders of its own, and the user's class-path snapshots left alone. */
export async function hostBench(
  options: Omit<CompileHostOptions, 'dirs' | 'files'> = {},
): Promise<HostBench> {
  const folder = await oddFolder();
  const dirs = juggDirs({ JUGG_HOME: join(folder, 'home') });
  // A copy: a build of the host beside the tests would pull its jar from under a running JVM.
  const files = { jar: join(folder, 'compile-host.jar'), list: HOST_FILES.list };
  await cp(HOST_FILES.jar, files.jar);
  const host = createCompileHost({
    dirs,
    files,
    classData: false,
    // As in a container or a service: Java must still find names beyond ASCII.
    env: { ...process.env, LC_ALL: 'C' },
    ...options,
  });
  return {
    folder,
    host,
    dirs,
    files,
    async close() {
      await host.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The value of a result that must be one; the fault is the message of the failure. */
export function valueOf<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new Error(
    `${result.fault.code}: ${result.fault.message}\n${JSON.stringify(result.fault.data ?? {}, null, 1)}`,
  );
}

/** Path of one artifact in the local repository. */
export async function artifact(gav: string): Promise<string> {
  const { signal } = new AbortController();
  const paths = valueOf(await resolveArtifacts([{ gav }], { signal, onProgress: () => {} }));
  return paths.get(gav) ?? '';
}
