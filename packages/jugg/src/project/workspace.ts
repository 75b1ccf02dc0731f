import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { digest } from './changes.ts';

/** What output folders are made for: outputs of one kind of build are never built upon by another. */
export interface Workspace {
  /** Identity of the tools. */
  readonly toolsId: string;
  /** Digest of the project model. */
  readonly modelId: string;
  readonly module: string;
  readonly variant: string;
}

/** Says of outputs that they are being written: a mark that outlives its process means that they cannot be trusted. */
export class BusyMarks {
  readonly #dir: string;

  constructor(dir: string) {
    this.#dir = dir;
  }

  async set(name: string): Promise<void> {
    await mkdir(this.#dir, { recursive: true, mode: 0o700 });
    await writeFile(join(this.#dir, `busy-${name}`), '');
  }

  async clear(name: string): Promise<void> {
    await rm(join(this.#dir, `busy-${name}`), { force: true });
  }

  async has(name: string): Promise<boolean> {
    return (await stat(join(this.#dir, `busy-${name}`)).catch(() => null)) !== null;
  }
}

/** The output folders of one kind of build. */
export class WorkspaceFolder {
  readonly root: string;
  readonly busy: BusyMarks;

  constructor(parent: string, { toolsId, modelId, module, variant }: Workspace) {
    this.root = join(parent, digest(JSON.stringify([toolsId, modelId, module, variant])).slice(0, 24));
    this.busy = new BusyMarks(this.root);
  }

  /** A folder for one module's outputs. */
  moduleDir(module: string): string {
    return join(this.root, 'modules', module === ':' ? 'root' : encodeURIComponent(module.slice(1)));
  }

  get apkDir(): string {
    return join(this.root, 'apk');
  }

  async exists(): Promise<boolean> {
    return (await stat(this.root).catch(() => null))?.isDirectory() ?? false;
  }
}

/**
 * How many workspaces stay beside the current one and that of the last good build: going back to other build files, or to
 * another app of the project, then compiles only what is not as it was.
 */
const KEPT_OTHERS = 1;

/** Removes the workspaces below `parent` that are neither among `used` nor the last ones that were. */
export async function tidyWorkspaces(parent: string, used: readonly WorkspaceFolder[]): Promise<void> {
  const roots = new Set(used.map(({ root }) => root));
  const others: { path: string; usedAt: number }[] = [];
  for (const name of await readdir(parent).catch(() => [])) {
    const path = join(parent, name);
    if (!roots.has(path)) others.push({ path, usedAt: (await stat(path).catch(() => null))?.mtimeMs ?? 0 });
  }
  others.sort((a, b) => b.usedAt - a.usedAt);
  for (const { path } of others.slice(KEPT_OTHERS)) await rm(path, { recursive: true, force: true });
}
