import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { BaselineFile, type Baseline } from './baseline-file.ts';
import { digest } from './changes.ts';
import type { Stored } from './stored-json.ts';
import { BusyMarks, tidyWorkspaces, WorkspaceFolder, type Workspace } from './workspace.ts';

/** Goes up whenever the shape or the meaning of what is stored changes: older stores are then built anew. */
export const STORE_FORMAT = 10;

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
  readonly #baseline: BaselineFile;

  constructor(stateDir: string, projectDir: string) {
    this.#projectDir = projectDir;
    this.root = join(stateDir, 'projects', digest(projectDir).slice(0, 32));
    this.busy = new BusyMarks(this.root);
    this.#workspaces = join(this.root, 'workspaces');
    this.#baseline = new BaselineFile(join(this.root, 'baseline.json'), STORE_FORMAT);
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
      ...[...state.classes.values()].map((one) => one.dex),
    ];
    const gone = await firstMissing(outputs);
    if (gone !== null) return { ok: false, reason: `${gone} is gone`, missing: false };
    return loaded;
  }

  /** Answers the stamp that the store has with it, see `baselineStamp`. */
  saveBaseline(baseline: Baseline): Promise<string> {
    return this.#baseline.save(baseline);
  }

  /** Changes whenever a baseline is saved, by whichever server: a cheap way to know that one's memory is old. */
  baselineStamp(): Promise<string> {
    return this.#baseline.stamp();
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

/** The first of the files that is not there. Lists their folders, which takes less than asking for tens of thousands of files. */
async function firstMissing(paths: readonly string[]): Promise<string | null> {
  const folders = new Map<string, Set<string>>();
  for (const path of paths) {
    const dir = dirname(path);
    let names = folders.get(dir);
    if (names === undefined) {
      names = new Set(await readdir(dir).catch(() => []));
      folders.set(dir, names);
    }
    if (!names.has(basename(path))) return path;
  }
  return null;
}
