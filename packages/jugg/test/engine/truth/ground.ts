import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { BuildState, CompileOutcome, Diagnostic, Explanation } from '../../../src/engine/types.ts';
import { ProjectStore } from '../../../src/project/baseline.ts';
import { digest } from '../../../src/project/changes.ts';
import type { WorkspaceFolder } from '../../../src/project/workspace.ts';
import type { Result } from '../../../src/shared/outcome.ts';
import { quietWork, type Bench } from '../support.ts';
import { apply, touchedModules, type Step } from './script.ts';

/** What a build came to, in a form that can be compared. */
export type Verdict =
  | { readonly ok: true; readonly content: Readonly<Record<string, string>> }
  | {
      readonly ok: false;
      readonly code: string;
      readonly errors: readonly string[];
      readonly message: string;
    };

export interface Compiled {
  readonly said: Explanation | null;
  readonly result: Result<CompileOutcome>;
  readonly verdict: Verdict;
}

/** A project that is edited, and a copy of it that is built from nothing. */
export class Ground {
  readonly #bench: Bench;
  readonly #edited: string;
  readonly #clean: string;
  /** Modules of the copy whose outputs are older than their sources. */
  #dirty: Set<string> = new Set();
  #resourcesDirty = true;
  #last: Verdict | null = null;
  /** Of the copy's last build; `null` when that failed. */
  #lastId: string | null = null;
  /** Where its outputs were when it was last built well. */
  #folder: WorkspaceFolder | null = null;
  #cleared = 0;

  constructor(bench: Bench, name: string) {
    this.#bench = bench;
    this.#edited = join(bench.folder, name, 'Zähler & co');
    this.#clean = join(bench.folder, name, 'copy');
  }

  async write(step: Omit<Step, 'name'>): Promise<void> {
    for (const dir of [this.#edited, this.#clean]) await apply(dir, step);
    for (const module of touchedModules(step)) this.#dirty.add(module);
    const files = [...Object.keys(step.write), ...step.remove];
    this.#resourcesDirty ||= files.some((file) => file.includes('/res/') || file.endsWith('Manifest.xml'));
  }

  async compile(): Promise<Compiled> {
    const said = await this.#bench.engine.explain({ projectDir: this.#edited });
    const result = await this.#build(this.#edited);
    return { said: said.ok ? said.value : null, result, verdict: await verdictOf(result, this.#edited) };
  }

  /**
   * Builds the copy: whole, or only its changed modules and those for which `reaches` says that they depend on one. Outputs
   * of the others are those of clean builds too.
   */
  async cleanCompile(
    whole: boolean,
    reaches: (changed: ReadonlySet<string>) => ReadonlySet<string>,
  ): Promise<Verdict> {
    if (!whole && this.#dirty.size === 0 && this.#last !== null) return this.#last;
    const store = new ProjectStore(this.#bench.dirs.state, this.#clean);
    const folder = await this.#written(store);
    if (whole || this.#dirty.has('')) await rm(store.root, { recursive: true, force: true });
    await mkdir(store.root, { recursive: true });
    // Another content, so that the engine forgets what it knew of the outputs.
    await writeFile(join(store.root, 'baseline.json'), `cleared ${this.#cleared++}`);
    if (!whole) {
      if (this.#resourcesDirty) await rm(join(store.root, 'resources.json'), { force: true });
      for (const module of reaches(this.#dirty))
        if (folder !== null) await rm(folder.moduleDir(`:${module}`), { recursive: true, force: true });
      await rm(join(store.root, 'dex'), { recursive: true, force: true });
    }
    // Which number a name has does not matter, but it has to be the same one to be compared.
    const ids = (of: string): string =>
      join(new ProjectStore(this.#bench.dirs.state, of).root, 'resources', 'ids.txt');
    await mkdir(dirname(ids(this.#clean)), { recursive: true });
    await cp(ids(this.#edited), ids(this.#clean)).catch(() => {});
    const result = await this.#build(this.#clean);
    if (result.ok) {
      this.#dirty = new Set();
      this.#resourcesDirty = false;
    }
    this.#lastId = result.ok ? result.value.state.id : null;
    this.#last = await verdictOf(result, this.#clean);
    return this.#last;
  }

  /**
   * The engine writes down its baseline behind its answer: what is cleared now must not be written then. Answers where the
   * last good build put its outputs.
   */
  async #written(store: ProjectStore): Promise<WorkspaceFolder | null> {
    for (;;) {
      const stored = this.#lastId === null ? null : await store.loadBaseline();
      if (stored?.ok && stored.value.state.id === this.#lastId) this.#folder = store.workspace(stored.value);
      else if (stored !== null) {
        await setTimeout(10);
        continue;
      }
      return this.#folder;
    }
  }

  async lastState(): Promise<BuildState | null> {
    return this.#bench.engine.lastState(this.#edited);
  }

  relative(file: string): string {
    return file.startsWith(this.#edited) ? file.slice(this.#edited.length + 1) : file;
  }

  async close(): Promise<void> {
    await rm(dirname(this.#edited), { recursive: true, force: true });
    for (const dir of [this.#edited, this.#clean])
      await rm(new ProjectStore(this.#bench.dirs.state, dir).root, { recursive: true, force: true });
  }

  #build(projectDir: string): Promise<Result<CompileOutcome>> {
    return this.#bench.engine.compile({ projectDir, allowGradle: false }, quietWork());
  }
}

async function verdictOf(result: Result<CompileOutcome>, dir: string): Promise<Verdict> {
  if (result.ok) return { ok: true, content: await contentOf(result.value.state) };
  const list = result.fault.data?.['diagnostics'];
  // The engine's own faults carry its own diagnostics.
  const diagnostics = Array.isArray(list) ? (list as Diagnostic[]) : [];
  const errors = diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ file, line }) => `${file?.startsWith(dir) ? file.slice(dir.length + 1) : file}:${line}`);
  return { ok: false, code: result.fault.code, errors: [...new Set(errors)], message: result.fault.message };
}

/**
 * Everything in the app by name. A class is told by its shape and by what D8 made of it: the Kotlin compiler writes inherited
 * members in another order when it finds a super type as class file in place of source, which D8 sorts.
 */
async function contentOf(state: BuildState): Promise<Record<string, string>> {
  const { resources, manifest, assets, libraries } = state;
  const content: Record<string, string> = { resources, manifest, assets, libraries };
  for (const [name, { shape, dex }] of state.classes) {
    const globals = await readFile(dex.replace(/\.dex$/, '.globals')).catch(() => '');
    content[name] = `shape ${shape} dex ${digest(await readFile(dex))} globals ${digest(globals)}`;
  }
  return content;
}
