import { cp, mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createEngine } from '../../src/engine/index.ts';
import type { BuildState, CompileOutcome, Diagnostic, Engine } from '../../src/engine/types.ts';
import { ProjectStore } from '../../src/project/baseline.ts';
import type { Fault, Result } from '../../src/shared/outcome.ts';
import { juggDirs, type JuggDirs } from '../../src/shared/paths.ts';
import type { WorkContext } from '../../src/shared/progress.ts';
import type { RuntimeFiles } from '../../src/toolchain/runtime.ts';
import { HOST_FILES } from '../toolchain/support.ts';

const REPOSITORY = fileURLToPath(new URL('../../../../', import.meta.url));
const SAMPLE = join(REPOSITORY, 'samples', 'counter');

/** Where translated libraries and framework stubs are kept between test runs: they take 15 s, and never change. */
export const CACHE = join(REPOSITORY, 'build', 'test-cache', 'engine');

export const MAIN = 'app/src/main/kotlin/dev/jugg/sample/counter';
export const APP_JAVA = 'app/src/main/java/dev/jugg/sample/counter';
export const PARTS = 'library/src/main/kotlin/dev/jugg/sample/parts';
export const RES = 'app/src/main/res';

export function quietWork(signal: AbortSignal = new AbortController().signal): WorkContext {
  return { signal, phase: () => {}, log: () => {} };
}

/** A copy of the sample with a state folder of its own; the engine may be closed and made anew. */
export class Bench {
  readonly folder: string;
  readonly projectDir: string;
  readonly dirs: JuggDirs;
  readonly files: RuntimeFiles;
  readonly log: string[] = [];
  #engine: Engine | null = null;

  private constructor(folder: string, cache: string) {
    this.folder = folder;
    this.projectDir = join(folder, 'Zähler & co');
    this.files = { jar: join(folder, 'compile-host.jar'), list: HOST_FILES.list };
    this.dirs = { ...juggDirs({ JUGG_HOME: join(folder, 'home') }), cache };
  }

  /** With a copy of the sample, or with a project of these files. */
  static async open(files?: Readonly<Record<string, string>>, cache = CACHE): Promise<Bench> {
    const bench = new Bench(await mkdtemp(join(tmpdir(), 'jugg engine é-')), cache);
    // A copy: a build of the host beside the tests would pull its jar from under a running JVM.
    await cp(HOST_FILES.jar, bench.files.jar);
    if (files === undefined) await cp(SAMPLE, bench.projectDir, { recursive: true });
    for (const [file, text] of Object.entries(files ?? {})) await bench.write(file, text);
    return bench;
  }

  get engine(): Engine {
    this.#engine ??= createEngine({ dirs: this.dirs, files: this.files });
    return this.#engine;
  }

  /** As when the server is started again. */
  async restart(): Promise<void> {
    await this.#engine?.close();
    this.#engine = null;
  }

  async close(): Promise<void> {
    await this.restart();
    await rm(this.folder, { recursive: true, force: true });
  }

  path(file: string): string {
    return join(this.projectDir, file);
  }

  async read(file: string): Promise<string> {
    return readFile(this.path(file), 'utf8');
  }

  async write(file: string, text: string | Uint8Array): Promise<void> {
    await mkdir(dirname(this.path(file)), { recursive: true });
    await writeFile(this.path(file), text);
  }

  async replace(file: string, from: string, to: string): Promise<void> {
    const text = await this.read(file);
    if (!text.includes(from)) throw new Error(`${file} does not contain ${from}`);
    await this.write(file, text.replace(from, to));
  }

  /** Runs `check` while a text is replaced, and puts it back. */
  async whileReplaced(file: string, from: string, to: string, check: () => Promise<void>): Promise<void> {
    const text = await this.read(file);
    await this.replace(file, from, to);
    try {
      await check();
    } finally {
      await this.write(file, text);
    }
  }

  async readIfThere(file: string): Promise<string | null> {
    return this.read(file).catch(() => null);
  }

  async removeIfThere(file: string): Promise<void> {
    await rm(this.path(file), { force: true });
  }

  async remove(file: string): Promise<void> {
    await rm(this.path(file));
  }

  async touch(file: string): Promise<void> {
    const now = new Date();
    await utimes(this.path(file), now, now);
  }

  /** `onPhase` is told as each phase begins. */
  async compile(
    signal?: AbortSignal,
    onPhase: (name: string) => void = () => {},
  ): Promise<Result<CompileOutcome>> {
    this.log.length = 0;
    const work = { ...quietWork(signal), phase: onPhase, log: (line: string) => void this.log.push(line) };
    return this.engine.compile({ projectDir: this.projectDir, allowGradle: false }, work);
  }

  async build(): Promise<CompileOutcome> {
    return valueOf(await this.compile());
  }

  /** The fault of a compile that must fail, with its errors. */
  async fault(): Promise<{ fault: Fault; diagnostics: readonly Diagnostic[] }> {
    const result = await this.compile();
    if (result.ok) throw new Error('the compile should have failed');
    const list = result.fault.data?.['diagnostics'];
    // The engine's own faults carry its own diagnostics.
    const diagnostics = Array.isArray(list) ? (list as Diagnostic[]) : [];
    return { fault: result.fault, diagnostics: diagnostics.filter((one) => one.severity === 'error') };
  }

  /** What a clean build of the same sources makes in another folder; it starts with the same resource ids. */
  async cleanBuild(): Promise<BuildState> {
    const copy = await mkdtemp(join(this.folder, 'copy-'));
    await cp(this.projectDir, copy, { recursive: true });
    const ids = (dir: string): string =>
      join(new ProjectStore(this.dirs.state, dir).root, 'resources', 'ids.txt');
    await mkdir(dirname(ids(copy)), { recursive: true });
    await cp(ids(this.projectDir), ids(copy));
    const outcome = valueOf(await this.engine.compile({ projectDir: copy, allowGradle: false }, quietWork()));
    if (outcome.kind !== 'full') throw new Error(`a clean build was ${outcome.kind}`);
    await rm(copy, { recursive: true });
    await rm(new ProjectStore(this.dirs.state, copy).root, { recursive: true });
    return outcome.state;
  }
}

export function valueOf<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new Error(
    `${result.fault.code}: ${result.fault.message}\n${JSON.stringify(result.fault.data ?? {}, null, 1)}`,
  );
}

/** All that a state says of the app's content; dex files are told by the classes they hold. */
export function contentOf(state: BuildState): object {
  const classes = [...state.classes].map(([name, { bytes, shape }]) => [name, bytes, shape]);
  const { resources, manifest, assets, libraries } = state;
  return {
    classes: Object.fromEntries(classes.map(([name, ...rest]) => [name, rest])),
    resources,
    manifest,
    assets,
    libraries,
  };
}

/** Names of the classes that are new, gone, or have other bytes; with `shape` those whose shape changed. */
export function changedClasses(
  before: BuildState,
  after: BuildState,
  what: 'bytes' | 'shape' = 'bytes',
): string[] {
  const names = new Set([...before.classes.keys(), ...after.classes.keys()]);
  return [...names]
    .filter((name) => before.classes.get(name)?.[what] !== after.classes.get(name)?.[what])
    .sort();
}
