import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { z } from 'zod';
import type { ProjectStore } from '../project/baseline.ts';
import { STORE_FORMAT } from '../project/baseline.ts';
import { StoredJson } from '../project/stored-json.ts';
import type { WorkspaceFolder } from '../project/workspace.ts';
import { classInfo } from '../toolchain/host-replies.ts';
import type { ModuleDirs } from './build-unit.ts';
import { NO_RECORD, type Inputs, type ModuleRecord } from './module-record.ts';
import { resourceRecordSchema, type ResourceRecord } from './stages/resources.ts';

const inputs = z.record(z.string(), z.string());
const seen = z.record(
  z.string(),
  z.object({
    abi: z.string(),
    nested: z.string(),
    copied: z.string(),
    isKotlin: z.boolean(),
    constants: z.array(z.string()),
  }),
);
const stage = z.object({ inputs, seen, classes: z.array(classInfo) });
const moduleSchema: z.ZodType<ModuleRecord> = z.object({
  kotlin: stage
    .extend({
      java: inputs,
      javaAbi: inputs,
      notCompared: z.array(z.string()),
      inlineSources: z.array(z.string()),
      gone: z.array(z.object({ name: z.string(), sourceFile: z.string(), above: z.array(z.string()) })),
    })
    .nullable(),
  java: stage.extend({ resourceNames: z.string() }).nullable(),
});

/**
 * The records of the output folders of one workspace, in memory and on disk. Before outputs are written the folder is marked; a
 * mark that outlives the process makes the next one forget what it knew of it. Records are written behind the answer: those of
 * many modules take longer than a small compile.
 */
export class ModuleStore {
  readonly #store: ProjectStore;
  readonly #folder: WorkspaceFolder;
  readonly #records = new Map<string, ModuleRecord>();
  readonly #unsaved = new Set<string>();
  #saving: Promise<void> = Promise.resolve();
  #resources: ResourceRecord | null | undefined;

  constructor(store: ProjectStore, folder: WorkspaceFolder) {
    this.#store = store;
    this.#folder = folder;
  }

  dirs(module: string): ModuleDirs {
    const root = this.#folder.moduleDir(module);
    return {
      root,
      kotlinClasses: join(root, 'kotlin'),
      kotlinCache: join(root, 'kotlin-cache'),
      javaClasses: join(root, 'java'),
      aside: join(root, 'java-aside'),
      generated: join(root, 'generated'),
    };
  }

  async module(name: string): Promise<ModuleRecord> {
    const known = this.#records.get(name);
    if (known) return known;
    if (await this.#folder.busy.has(busyName(name))) return NO_RECORD;
    const loaded = await this.#moduleFile(name).load();
    const record = loaded.ok ? await withExistingClasses(loaded.value) : NO_RECORD;
    this.#records.set(name, record);
    return record;
  }

  /** Runs `change` on the outputs of a module and keeps the record it answers. */
  async change<T extends { readonly record: ModuleRecord }>(
    name: string,
    change: () => Promise<T>,
  ): Promise<T> {
    // A mark must not be taken away by what is written of the record before.
    await this.#saving;
    this.#unsaved.delete(name);
    this.#records.delete(name);
    await this.#folder.busy.set(busyName(name));
    const outcome = await change();
    this.#records.set(name, outcome.record);
    this.#unsaved.add(name);
    return outcome;
  }

  /** Writes what is not on disk yet; it need not be waited for before a build is answered. */
  saved(): Promise<void> {
    this.#saving = this.#saving.then(() => this.#saveAll());
    return this.#saving;
  }

  async #saveAll(): Promise<void> {
    for (const name of this.#unsaved) {
      this.#unsaved.delete(name);
      const record = this.#records.get(name);
      try {
        if (record !== undefined) await this.#moduleFile(name).save(record);
        await this.#folder.busy.clear(busyName(name));
      } catch {
        // The mark stays, so that nobody takes the older record for the truth; this process knows the newer one.
      }
      // Each of them keeps the processor for a moment.
      await breathe();
    }
  }

  /** Makes sure that these sources count as changed: they changed while a compiler may have been reading them. */
  async distrust(files: ReadonlySet<string>): Promise<void> {
    // A copy: `change` takes each record out and puts it in again, which a map's own iteration would visit without end.
    for (const [name, record] of Array.from(this.#records)) {
      const { kotlin, java } = record;
      const touched = [...files].some(
        (file) => file in (kotlin?.inputs ?? {}) || file in (java?.inputs ?? {}),
      );
      if (!touched) continue;
      const without = (inputs: Inputs): Inputs =>
        Object.fromEntries(Object.entries(inputs).map(([file, hash]) => [file, files.has(file) ? '' : hash]));
      await this.change(name, async () => ({
        record: {
          kotlin: kotlin && { ...kotlin, inputs: without(kotlin.inputs), java: without(kotlin.java) },
          java: java && { ...java, inputs: without(java.inputs) },
        },
      }));
    }
    const resources = this.#resources;
    if (resources && [...files].some((file) => file in resources.files)) {
      const kept = Object.entries(resources.files).filter(([file]) => !files.has(file));
      await this.changeResources(async () => ({
        record: { ...resources, files: Object.fromEntries(kept), linked: null },
      }));
    }
  }

  async resources(): Promise<ResourceRecord | null> {
    if (this.#resources === undefined) {
      const loaded = (await this.#store.busy.has('resources')) ? null : await this.#resourceFile().load();
      this.#resources = loaded?.ok ? loaded.value : null;
    }
    return this.#resources;
  }

  async changeResources<T extends { readonly record: ResourceRecord }>(change: () => Promise<T>): Promise<T> {
    this.#resources = null;
    await this.#store.busy.set('resources');
    const outcome = await change();
    await this.#resourceFile().save(outcome.record);
    await this.#store.busy.clear('resources');
    this.#resources = outcome.record;
    return outcome;
  }

  #moduleFile(name: string): StoredJson<ModuleRecord> {
    return new StoredJson(join(this.#folder.moduleDir(name), 'record.json'), STORE_FORMAT, moduleSchema);
  }

  #resourceFile(): StoredJson<ResourceRecord> {
    return new StoredJson(join(this.#store.root, 'resources.json'), STORE_FORMAT, resourceRecordSchema);
  }
}

/** Somebody may have cleared a folder: what is not there is made anew. */
async function withExistingClasses(record: ModuleRecord): Promise<ModuleRecord> {
  const complete = async (classes: readonly { readonly file: string }[] | undefined): Promise<boolean> => {
    for (const { file } of classes ?? []) {
      if (!(await stat(file).catch(() => null))?.isFile()) return false;
    }
    return true;
  };
  return {
    kotlin: (await complete(record.kotlin?.classes)) ? record.kotlin : null,
    java: (await complete(record.java?.classes)) ? record.java : null,
  };
}

function busyName(module: string): string {
  return `module-${encodeURIComponent(module)}`;
}
