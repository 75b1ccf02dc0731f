import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import type { Baseline } from '../project/baseline-file.ts';
import { ProjectStore } from '../project/baseline.ts';
import { takeSnapshot, type Snapshot } from '../project/changes.ts';
import { InputScanner, type ScannedFile } from '../project/scan.ts';
import type { ProjectInputs } from '../project/source-roots.ts';
import type { Stored } from '../project/stored-json.ts';
import type { Workspace } from '../project/workspace.ts';
import { BuildMemo } from './build-memo.ts';
import { KnownOutputs } from './known-outputs.ts';
import { JavaSources } from './java-source.ts';
import { ModuleStore } from './module-store.ts';
import { tidyLinks, tidyOutputs } from './tidy.ts';

/** The inputs as they are now. */
export interface Look {
  readonly files: readonly ScannedFile[];
  readonly snapshot: Snapshot;
}

const TIDY_EVERY_MS = 24 * 3600 * 1000;

/** What one engine remembers of one project; everything that matters is also on disk. */
export class Session {
  readonly store: ProjectStore;
  readonly javaSources = new JavaSources();
  /** How long the last compile of each kind of plan took, in ms. */
  readonly lastMs = new Map<string, number>();
  /** Outputs by content that are there. */
  known = new KnownOutputs();
  memo = new BuildMemo();
  readonly #owner = randomUUID();
  /** The outputs that were last built upon, and what is known of them. */
  #outputs: { readonly root: string; readonly store: ModuleStore } | null = null;
  #baseline: Stored<Baseline> | null = null;
  #stamp = '';
  #saving: Promise<void> | null = null;
  /** When old outputs were last looked for. */
  #tidiedAt = Number.NEGATIVE_INFINITY;
  /** The link that was the newest one when old links were last looked for. */
  #tidiedLink = '';
  /** Digests of files by their stamps: a file is read once, however often somebody asks. */
  #known: Snapshot = new Map();
  readonly #scanner = new InputScanner();
  #lastLook: { readonly scanned: readonly ScannedFile[]; readonly look: Look } | null = null;

  constructor(stateDir: string, projectDir: string) {
    this.store = new ProjectStore(stateDir, projectDir);
  }

  /** The last good build; read again when another server has made one since. */
  async baseline(): Promise<Stored<Baseline>> {
    if (this.#saving !== null && this.#baseline !== null) return this.#baseline;
    const stamp = await this.store.baselineStamp();
    // Why there is none may change: a build that is begun and does not succeed writes no baseline.
    if (this.#baseline?.ok && stamp === this.#stamp) return this.#baseline;
    const loaded = await this.store.loadBaseline();
    if (stamp !== this.#stamp) {
      // What this one has not written yet is older than what the other has.
      this.#forgetOutputs();
    }
    this.#stamp = stamp;
    this.#baseline = loaded;
    return loaded;
  }

  /**
   * Keeps a baseline. It counts at once; writing it, which takes longer than a small compile, goes on behind the answer. Should
   * that fail, there is none, and the next build says why.
   */
  saveBaseline(baseline: Baseline): void {
    this.#baseline = { ok: true, value: baseline };
    const outputs = this.#outputs?.store;
    const save = async (): Promise<void> => {
      // The answer first: what follows keeps the processor for a moment.
      await breathe();
      await outputs?.saved();
      try {
        // Not the stamp of what is there then: another server may have written since.
        this.#stamp = await this.store.saveBaseline(baseline);
      } catch (error) {
        this.#baseline = {
          ok: false,
          reason: `the last build could not be kept: ${String(error)}`,
          missing: false,
        };
        this.#stamp = await this.store.baselineStamp();
      }
    };
    const before = this.#saving ?? Promise.resolve();
    const saving: Promise<void> = before.then(save).finally(() => {
      if (this.#saving === saving) this.#saving = null;
    });
    this.#saving = saving;
  }

  /** Resolves when everything that counts is on disk. */
  async saved(): Promise<void> {
    await this.#saving;
    await this.#outputs?.store.saved();
  }

  /** Resolves when the records of outputs are on disk. */
  async recordsSaved(): Promise<void> {
    await this.#outputs?.store.saved();
  }

  /**
   * The output folders for a build of this kind, for writing. What is known of them is forgotten when another kind of build,
   * or another server, has been at them since: also one that failed.
   */
  async outputsFor(workspace: Workspace): Promise<ModuleStore> {
    // What is still being written must not come after what is written now.
    await this.saved();
    const baseline = await this.baseline();
    const folder = await this.store.openWorkspace(workspace, baseline.ok ? baseline.value : null);
    const isOwn = await this.store.claim(this.#owner);
    if (this.#outputs !== null && isOwn && this.#outputs.root === folder.root) return this.#outputs.store;
    this.#forgetOutputs();
    const store = new ModuleStore(this.store, folder);
    this.#outputs = { root: folder.root, store };
    return store;
  }

  #forgetOutputs(): void {
    this.#outputs = null;
    this.forgetFiles();
    this.memo = new BuildMemo();
  }

  /** Outputs by content may have gone: each one is looked for again. */
  forgetFiles(): void {
    this.known = new KnownOutputs();
  }

  /** The inputs as they are; the same object while nothing changes. */
  async look(inputs: ProjectInputs): Promise<Look> {
    const scanned = await this.#scanner.scan(inputs);
    const last = this.#lastLook;
    if (last !== null && isSameList(last.scanned, scanned)) return last.look;
    if (this.#known.size === 0) {
      const baseline = await this.baseline();
      if (baseline.ok) this.#known = baseline.value.snapshot;
    }
    const snapshot = await takeSnapshot(scanned, this.#known);
    this.#known = snapshot;
    const look = { files: scanned.filter((file) => snapshot.has(file.path)), snapshot };
    // A file that may still be written to is read again.
    const isSettled = [...snapshot.values()].every(({ settled }) => settled);
    this.#lastLook = isSettled && look.files.length === scanned.length ? { scanned, look } : null;
    return look;
  }

  /** Those of `files` that are not as they were when they were looked at. */
  async movedSince(look: Look, files: Iterable<string>): Promise<Set<string>> {
    const moved = new Set<string>();
    for (const file of files) {
      const seen = look.snapshot.get(file);
      const now = await stat(file).catch(() => null);
      const same =
        seen !== undefined &&
        now !== null &&
        now.size === seen.size &&
        now.mtimeMs === seen.mtimeMs &&
        now.ctimeMs === seen.ctimeMs;
      if (!same) moved.add(file);
    }
    return moved;
  }

  /**
   * Removes what nothing refers to any more after a build with another link. Old links are large; to look for old outputs
   * takes a while in a large project, and is done once a day.
   */
  async tidy(baseline: Baseline, now: number): Promise<void> {
    const { root } = this.store;
    const { resourcesApk } = baseline.parts;
    if (resourcesApk === this.#tidiedLink) return;
    this.#tidiedLink = resourcesApk;
    await tidyLinks(root, baseline, now);
    if (now - this.#tidiedAt < TIDY_EVERY_MS) return;
    this.#tidiedAt = now;
    if ((await tidyOutputs(root, baseline, now)) > 0) this.forgetFiles();
  }

  get dexDir(): string {
    return join(this.store.root, 'dex');
  }
}

function isSameList(before: readonly ScannedFile[], now: readonly ScannedFile[]): boolean {
  return before.length === now.length && before.every((file, index) => file === now[index]);
}
