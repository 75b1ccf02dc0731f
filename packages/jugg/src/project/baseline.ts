import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { ChangeType } from '../engine/types.ts';
import { digest, type Snapshot } from './changes.ts';
import { StoredJson, type Stored } from './stored-json.ts';
import { BusyMarks, tidyWorkspaces, WorkspaceFolder, type Workspace } from './workspace.ts';

/** Goes up whenever the shape or the meaning of what is stored changes: older stores are then built anew. */
export const STORE_FORMAT = 6;

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

/**
 * What Jugg keeps of one project, below `<state>/projects/<digest of the project's folder>`: never in the project, so that
 * a clean of the project takes nothing away.
 */
export class ProjectStore {
  readonly root: string;
  /** Of what all workspaces share: the resources. */
  readonly busy: BusyMarks;
  readonly #projectDir: string;
  readonly #workspaces: string;
  readonly #baseline: StoredJson<Baseline>;

  constructor(stateDir: string, projectDir: string) {
    this.#projectDir = projectDir;
    this.root = join(stateDir, 'projects', digest(projectDir).slice(0, 32));
    this.busy = new BusyMarks(this.root);
    this.#workspaces = join(this.root, 'workspaces');
    this.#baseline = new StoredJson(join(this.root, 'baseline.json'), STORE_FORMAT, baselineSchema);
  }

  /** The baseline with its outputs checked; the reason says what is wrong when there is none. */
  async loadBaseline(): Promise<Stored<Baseline>> {
    const loaded = await this.#baseline.load();
    if (!loaded.ok) {
      const wasBegun = loaded.missing && (await readdir(this.#workspaces).catch(() => [])).length > 0;
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

  /** The output folders of builds of one kind. A failed build of another kind leaves those of the baseline alone. */
  workspace(of: Workspace): WorkspaceFolder {
    return new WorkspaceFolder(this.#workspaces, of);
  }

  /** Makes the output folders of a build, and removes those that nobody will come back to. */
  async openWorkspace(of: Workspace, baseline: Workspace | null): Promise<WorkspaceFolder> {
    const folder = this.workspace(of);
    if (await folder.exists()) return folder;
    await mkdir(folder.root, { recursive: true, mode: 0o700 });
    await tidyWorkspaces(this.#workspaces, [
      folder,
      ...(baseline === null ? [] : [this.workspace(baseline)]),
    ]);
    return folder;
  }

  /**
   * Notes who writes to this store from now on. False when it was somebody else until now: what `owner` remembers of outputs
   * may then be older than they are.
   */
  async claim(owner: string): Promise<boolean> {
    const file = join(this.root, 'owner');
    if ((await readFile(file, 'utf8').catch(() => '')) === owner) return true;
    await writeFile(file, owner, { mode: 0o600 });
    return false;
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
