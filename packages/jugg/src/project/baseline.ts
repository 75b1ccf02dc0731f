import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { ChangeType } from '../engine/types.ts';
import { digest, type Snapshot } from './changes.ts';
import { StoredJson, type Stored } from './stored-json.ts';

/** Goes up whenever the shape or the meaning of what is stored changes: older stores are then built anew. */
export const STORE_FORMAT = 5;

const TYPES = [
  'Java',
  'Kotlin',
  'Resource',
  'Asset',
  'Manifest',
  'Native',
  'BuildFile',
  'Other',
] as const satisfies readonly ChangeType[];

const seenSchema = z.object({
  size: z.number(),
  mtimeMs: z.number(),
  ctimeMs: z.number(),
  ino: z.number(),
  hash: z.string(),
  type: z.enum(TYPES),
  settled: z.boolean(),
});

const stateSchema = z.object({
  id: z.string(),
  projectDir: z.string(),
  module: z.string(),
  variant: z.string(),
  applicationId: z.string(),
  versionCode: z.number(),
  minSdk: z.number(),
  launcherActivity: z.string().nullable(),
  debuggable: z.boolean(),
  classes: z.record(z.string(), z.object({ bytes: z.string(), shape: z.string(), dex: z.string() })),
  resources: z.string(),
  manifest: z.string(),
  assets: z.string(),
  libraries: z.string(),
});

const baselineSchema = z.object({
  projectDir: z.string(),
  module: z.string(),
  variant: z.string(),
  /** Identity of the tools that built it. */
  toolsId: z.string(),
  /** Digest of the project model. */
  modelId: z.string(),
  compiledAtMs: z.number(),
  snapshot: z.record(z.string(), seenSchema),
  state: stateSchema,
  /** What `packageApk` needs beyond the classes; paths are absolute and below the store, except for library dex. */
  parts: z.object({
    resourcesApk: z.string(),
    /** Dex files of the libraries, in the order of the APK, and the jar that each was made of. */
    libraryDex: z.array(z.object({ dex: z.string(), jar: z.string() })),
    files: z.array(z.object({ name: z.string(), path: z.string() })),
  }),
});

/** The last successful build as it is kept: what changed since is found by comparing with `snapshot`. */
export type Baseline = z.output<typeof baselineSchema>;
export type ApkParts = Baseline['parts'];

const workspaceSchema = z.object({
  toolsId: z.string(),
  modelId: z.string(),
  module: z.string(),
  variant: z.string(),
});

/** What the output folders were made for; for anything else they are made anew. */
export type Workspace = z.output<typeof workspaceSchema>;

/**
 * What Jugg keeps of one project, below `<state>/projects/<digest of the project's folder>`: never in the project, so that
 * a clean of the project takes nothing away.
 */
export class ProjectStore {
  readonly root: string;
  readonly #projectDir: string;
  readonly #baseline: StoredJson<Baseline>;
  readonly #workspace: StoredJson<Workspace>;

  constructor(stateDir: string, projectDir: string) {
    this.#projectDir = projectDir;
    this.root = join(stateDir, 'projects', digest(projectDir).slice(0, 32));
    this.#baseline = new StoredJson(join(this.root, 'baseline.json'), STORE_FORMAT, baselineSchema);
    this.#workspace = new StoredJson(join(this.root, 'workspace.json'), STORE_FORMAT, workspaceSchema);
  }

  /** The baseline with its outputs checked; the reason says what is wrong when there is none. */
  async loadBaseline(): Promise<Stored<Baseline>> {
    const loaded = await this.#baseline.load();
    if (!loaded.ok) {
      // A full build begins with a cleared store that says what it is for.
      const wasBegun = loaded.missing && (await this.#workspace.load()).ok;
      return wasBegun ? { ...loaded, reason: 'the last full build did not succeed' } : loaded;
    }
    const { parts, state } = loaded.value;
    if (loaded.value.projectDir !== this.#projectDir) {
      return { ok: false, reason: `the stored build is of ${loaded.value.projectDir}`, missing: false };
    }
    const outputs = [
      parts.resourcesApk,
      ...parts.libraryDex.map(({ dex }) => dex),
      ...parts.files.map((file) => file.path),
    ];
    for (const path of [...outputs, ...Object.values(state.classes).map((one) => one.dex)]) {
      if (!(await exists(path))) return { ok: false, reason: `${path} is gone`, missing: false };
    }
    return loaded;
  }

  async saveBaseline(baseline: Baseline): Promise<void> {
    await this.#baseline.save(baseline);
  }

  /** Changes whenever a baseline is saved, by whichever server: a cheap way to know that one's memory is old. */
  async baselineStamp(): Promise<string> {
    try {
      const { ino, mtimeMs, size } = await stat(this.#baseline.path);
      return `${ino}:${mtimeMs}:${size}`;
    } catch {
      return '';
    }
  }

  /** A folder for one module's outputs. */
  moduleDir(module: string): string {
    return join(this.root, 'modules', module === ':' ? 'root' : encodeURIComponent(module.slice(1)));
  }

  /**
   * Says that outputs are being written. When the mark is still there at the next start, the process died in the middle
   * and they cannot be trusted.
   */
  async markBusy(name: string): Promise<void> {
    await mkdir(this.root, { recursive: true, mode: 0o700 });
    await writeFile(join(this.root, `busy-${name}`), '');
  }

  async clearBusy(name: string): Promise<void> {
    await rm(join(this.root, `busy-${name}`), { force: true });
  }

  async isBusy(name: string): Promise<boolean> {
    return exists(join(this.root, `busy-${name}`));
  }

  /** Makes the output folders ready for a build of this kind: kept when they were made for it, else cleared. */
  async prepare(workspace: Workspace): Promise<'kept' | 'cleared'> {
    if (await this.isFor(workspace)) return 'kept';
    await this.clear();
    await this.#workspace.save(workspace);
    return 'cleared';
  }

  /** Whether the output folders were made for a build of this kind. */
  async isFor(workspace: Workspace): Promise<boolean> {
    const loaded = await this.#workspace.load();
    return (
      loaded.ok &&
      loaded.value.toolsId === workspace.toolsId &&
      loaded.value.modelId === workspace.modelId &&
      loaded.value.module === workspace.module &&
      loaded.value.variant === workspace.variant
    );
  }

  /** Forgets everything but the resource ids, which a rebuilt app may as well keep. */
  async clear(): Promise<void> {
    for (const name of ['workspace.json', 'baseline.json', 'modules', 'resources.json', 'apk']) {
      await rm(join(this.root, name), { recursive: true, force: true });
    }
  }
}

export function snapshotOf(baseline: Baseline): Snapshot {
  return new Map(Object.entries(baseline.snapshot));
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch {
    return false;
  }
}
