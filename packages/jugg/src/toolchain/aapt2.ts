import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import type { Diagnostic } from '../shared/diagnostic.ts';
import { fail, ok } from '../shared/outcome.ts';
import type { Result } from '../shared/outcome.ts';
import { juggDirs } from '../shared/paths.ts';
import type { JuggDirs } from '../shared/paths.ts';
import type { WorkContext } from '../shared/progress.ts';
import { findAapt2Binary } from './aapt2-binary.ts';
import type { Aapt2Binary } from './aapt2-binary.ts';
import { parseAapt2Messages } from './aapt2-messages.ts';
import { runChild } from './child.ts';

/** All paths are absolute. */
export interface LinkRequest {
  /** The APK without code and signature. */
  readonly output: string;
  readonly manifest: string;
  /** Usually the framework alone; also APKs of features. */
  readonly frameworks: readonly string[];
  /** Compiled resources (`.flat` files or zips of them) from the weakest to the strongest: libraries first, the app last. */
  readonly compiled: readonly string[];
  readonly assetDirs?: readonly string[];
  /** Folder for `R.java` of the app and of `extraPackages`. */
  readonly javaDir?: string;
  readonly extraPackages?: readonly string[];
  /** File for `R.txt`. */
  readonly textSymbols?: string;
  /** Ids of earlier links, kept and added to: names keep their ids, so that code compiled before stays right. */
  readonly stableIds?: string;
  readonly minSdk?: number;
  readonly targetSdk?: number;
  readonly versionCode?: number;
  readonly versionName?: string;
  /** Application id, where it differs from the manifest's package. */
  readonly renamePackage?: string;
  /** Package of `R`, where it differs from the manifest's. */
  readonly customPackage?: string;
  /** Marks the app as debuggable. */
  readonly debug?: boolean;
  /** `R`'s fields are not final: for libraries. */
  readonly nonFinalIds?: boolean;
}

/** Messages of a run that succeeded: warnings. */
export interface Aapt2Reply {
  readonly diagnostics: readonly Diagnostic[];
}

/** aapt2. A message that is an error makes a call fail with `RESOURCE_ERROR` and `data.diagnostics`. */
export interface Aapt2 {
  readonly binary: Aapt2Binary;
  /** Compiles a whole `res` folder to one zip of `.flat` files. */
  compileDir(
    request: { readonly dir: string; readonly output: string },
    work: WorkContext,
  ): Promise<Result<Aapt2Reply>>;
  /** Compiles single files, each to `<outputDir>/<flatName(file)>`. */
  compileFiles(
    request: { readonly files: readonly string[]; readonly outputDir: string },
    work: WorkContext,
  ): Promise<Result<Aapt2Reply>>;
  link(request: LinkRequest, work: WorkContext): Promise<Result<Aapt2Reply>>;
}

export interface Aapt2Options {
  readonly dirs?: JuggDirs;
  readonly env?: NodeJS.ProcessEnv;
  readonly projectDir?: string;
}

/** Finds aapt2 and, at first use, unpacks it. */
export async function findAapt2(work: WorkContext, options: Aapt2Options = {}): Promise<Result<Aapt2>> {
  const binary = await findAapt2Binary(
    {
      dirs: options.dirs ?? juggDirs(),
      env: options.env ?? process.env,
      platform: process.platform,
      arch: process.arch,
      ...(options.projectDir === undefined ? {} : { projectDir: options.projectDir }),
    },
    work,
  );
  return binary.ok ? ok(aapt2At(binary.value)) : binary;
}

/** The name that aapt2 gives to the compiled form of a resource file: `values-de_strings.arsc.flat`. */
export function flatName(file: string): string {
  const folder = basename(dirname(file));
  const name = basename(file);
  const isValues = folder === 'values' || folder.startsWith('values-');
  return `${folder}_${isValues ? name.replace(/\.xml$/i, '.arsc') : name}.flat`;
}

function aapt2At(binary: Aapt2Binary): Aapt2 {
  return {
    binary,
    async compileDir({ dir, output }, work) {
      await mkdir(dirname(output), { recursive: true });
      return whole(output, (part) => run(binary.path, ['compile', '--dir', dir, '-o', part], work));
    },
    async compileFiles({ files, outputDir }, work) {
      await mkdir(outputDir, { recursive: true });
      return run(binary.path, ['compile', '-o', outputDir, ...files], work);
    },
    async link(request, work) {
      await mkdir(dirname(request.output), { recursive: true });
      if (request.javaDir !== undefined) await mkdir(request.javaDir, { recursive: true });
      const args = await linkArguments(request);
      return whole(request.output, (part) => run(binary.path, ['link', '-o', part, ...args], work));
    },
  };
}

async function linkArguments(request: LinkRequest): Promise<string[]> {
  const option = (name: string, value: string | number | undefined): string[] =>
    value === undefined ? [] : [name, String(value)];
  const { stableIds } = request;
  const known = stableIds !== undefined && (await isFile(stableIds));
  return [
    '--manifest',
    request.manifest,
    ...request.frameworks.flatMap((path) => ['-I', path]),
    '--auto-add-overlay',
    '--no-version-vectors',
    ...option('--java', request.javaDir),
    ...(request.extraPackages?.length ? ['--extra-packages', request.extraPackages.join(':')] : []),
    ...option('--output-text-symbols', request.textSymbols),
    ...(known ? ['--stable-ids', stableIds] : []),
    ...option('--emit-ids', stableIds),
    ...option('--min-sdk-version', request.minSdk),
    ...option('--target-sdk-version', request.targetSdk),
    ...option('--version-code', request.versionCode),
    ...option('--version-name', request.versionName),
    ...option('--rename-manifest-package', request.renamePackage),
    ...option('--custom-package', request.customPackage),
    ...(request.debug ? ['--debug-mode'] : []),
    ...(request.nonFinalIds ? ['--non-final-ids'] : []),
    ...(request.assetDirs ?? []).flatMap((dir) => ['-A', dir]),
    // Overlays: a later one wins over an earlier one.
    ...request.compiled.flatMap((path) => ['-R', path]),
  ];
}

async function run(path: string, args: readonly string[], work: WorkContext): Promise<Result<Aapt2Reply>> {
  const outcome = await runChild(path, args, { signal: work.signal });
  if (outcome.canceled) return fail('CANCELED', 'The call was cancelled.');
  if (outcome.startFailure !== null) {
    return fail('ENVIRONMENT_ERROR', `${path} cannot be started: ${outcome.startFailure}`);
  }
  const output = `${outcome.stderr}\n${outcome.stdout}`;
  const diagnostics = parseAapt2Messages(output);
  const first = diagnostics.find(({ severity }) => severity === 'error');
  if (outcome.exitCode === 0 && first === undefined) return ok({ diagnostics });
  if (first === undefined) {
    const detail = output.trim() || `exit code ${outcome.exitCode}`;
    return fail(
      'ENVIRONMENT_ERROR',
      `aapt2 failed without a message of the known form: ${detail.slice(0, 500)}`,
    );
  }
  const place = first.file === null ? '' : `${first.file}${first.line === null ? '' : `:${first.line}`}: `;
  return fail('RESOURCE_ERROR', `${place}${first.message}`, { data: { diagnostics } });
}

/** Lets `make` write to a name beside the target: a failed run leaves the old file. */
async function whole(
  target: string,
  make: (part: string) => Promise<Result<Aapt2Reply>>,
): Promise<Result<Aapt2Reply>> {
  const part = join(dirname(target), `.${randomUUID()}-${basename(target)}`);
  try {
    const made = await make(part);
    if (made.ok) await rename(part, target);
    return made;
  } finally {
    await rm(part, { force: true });
  }
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile() && found.size > 0,
    () => false,
  );
}
