import { randomUUID } from 'node:crypto';
import { open, readFile, rm, stat } from 'node:fs/promises';
import { z } from 'zod';
import type { BuildState, ChangeType } from '../engine/types.ts';
import { digest, type Seen, type Snapshot } from './changes.ts';
import { StoredJson, type Stored, stampOf } from './stored-json.ts';
import type { Workspace } from './workspace.ts';

/** What `packageApk` needs beyond the classes; paths are absolute and below the store, except for library dex. */
export interface ApkParts {
  readonly resourcesApk: string;
  /** Dex files of the libraries, in the order of the APK, and the jar that each was made of. */
  readonly libraryDex: { readonly dex: string; readonly jar: string }[];
  readonly files: { readonly name: string; readonly path: string }[];
}

/** The last successful build as it is kept: what changed since is found by comparing with `snapshot`. Immutable. */
export interface Baseline extends Workspace {
  readonly projectDir: string;
  readonly compiledAtMs: number;
  readonly snapshot: Snapshot;
  readonly state: BuildState;
  readonly parts: ApkParts;
}

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
const classSchema = z.object({ bytes: z.string(), shape: z.string(), dex: z.string() });
const partsSchema = z.object({
  resourcesApk: z.string(),
  libraryDex: z.array(z.object({ dex: z.string(), jar: z.string() })),
  files: z.array(z.object({ name: z.string(), path: z.string() })),
});
const headSchema = z.object({
  projectDir: z.string(),
  module: z.string(),
  variant: z.string(),
  toolsId: z.string(),
  modelId: z.string(),
  compiledAtMs: z.number(),
  state: z.object({
    id: z.string(),
    projectDir: z.string(),
    module: z.string(),
    variant: z.string(),
    applicationId: z.string(),
    versionCode: z.number(),
    minSdk: z.number(),
    launcherActivity: z.string().nullable(),
    debuggable: z.boolean(),
    resources: z.string(),
    manifest: z.string(),
    assets: z.string(),
    libraries: z.string(),
  }),
});

const wholeSchema = z.object({
  /** What is appended names it. */
  uuid: z.string(),
  head: headSchema,
  parts: partsSchema,
  snapshot: z.record(z.string(), seenSchema),
  classes: z.record(z.string(), classSchema),
});
type Whole = z.output<typeof wholeSchema>;

/** What a later baseline has other than the one before it; `null` for what is gone. */
const stepSchema = z.object({
  uuid: z.string(),
  /** Steps are counted from 1. */
  number: z.number(),
  head: headSchema,
  parts: partsSchema.nullable(),
  snapshot: z.record(z.string(), seenSchema.nullable()),
  classes: z.record(z.string(), classSchema.nullable()),
});
type Step = z.output<typeof stepSchema>;

/** The baseline that this process has written last, and how much was appended since it was written whole. */
interface Written {
  readonly uuid: string;
  readonly baseline: Baseline;
  readonly steps: number;
  readonly appended: number;
  readonly stamp: string;
}

/** So much may be appended before all is written again, in bytes; to read it takes as long as the rest of a small project. */
const MAX_APPENDED = 512 * 1024;

/**
 * A baseline on disk: written whole at first, and then what changed is appended, so that keeping a small edit of a large project
 * costs little. Each appended line begins with the digest of the rest: what is cut short or belongs to another whole is
 * not read, nor what comes behind it, which leaves an earlier good build.
 */
export class BaselineFile {
  readonly #whole: StoredJson<Whole>;
  readonly #steps: string;
  #written: Written | null = null;

  constructor(path: string, format: number) {
    this.#whole = new StoredJson(path, format, wholeSchema);
    this.#steps = `${path}.steps`;
  }

  async load(): Promise<Stored<Baseline>> {
    const loaded = await this.#whole.load();
    if (!loaded.ok) return loaded;
    const { uuid, snapshot, classes } = loaded.value;
    let { head, parts } = loaded.value;
    const seen = new Map(Object.entries(snapshot));
    const states = new Map(Object.entries(classes));
    for (const step of await this.#readSteps(uuid)) {
      ({ head } = step);
      parts = step.parts ?? parts;
      apply(seen, step.snapshot);
      apply(states, step.classes);
    }
    const value: Baseline = { ...head, parts, snapshot: seen, state: { ...head.state, classes: states } };
    return { ok: true, value };
  }

  /** Answers the stamp of what was written. */
  async save(baseline: Baseline): Promise<string> {
    const before = this.#written;
    // Another process may have written since; and a write that fails leaves who knows what.
    this.#written = null;
    if (before === null || before.appended > MAX_APPENDED || before.stamp !== (await this.stamp())) {
      this.#written = await this.#saveWhole(baseline);
      return this.#written.stamp;
    }
    const number = before.steps + 1;
    const { uuid } = before;
    const body = JSON.stringify({ uuid, number, ...difference(before.baseline, baseline) } satisfies Step);
    const line = `${digest(body)} ${body}\n`;
    const stamp = `${before.stamp.split(' ')[0]} ${await append(this.#steps, line)}`;
    const appended = before.appended + line.length;
    this.#written = { uuid, baseline, steps: number, appended, stamp };
    return stamp;
  }

  /** Changes whenever a baseline is saved, by whichever process. */
  async stamp(): Promise<string> {
    const stamps: string[] = [];
    for (const path of [this.#whole.path, this.#steps]) {
      const found = await stat(path).catch(() => null);
      stamps.push(found === null ? '' : stampOf(found));
    }
    return stamps.join(' ').trim();
  }

  async #saveWhole(baseline: Baseline): Promise<Written> {
    const uuid = randomUUID();
    const { snapshot, parts, state } = baseline;
    const stamp = await this.#whole.save({
      uuid,
      head: headOf(baseline),
      parts,
      snapshot: Object.fromEntries(snapshot),
      classes: Object.fromEntries(state.classes),
    });
    await rm(this.#steps, { force: true });
    return { uuid, baseline, steps: 0, appended: 0, stamp };
  }

  async #readSteps(uuid: string): Promise<Step[]> {
    const text = await readFile(this.#steps, 'utf8').catch(() => '');
    const steps: Step[] = [];
    for (const line of text.split('\n')) {
      const space = line.indexOf(' ');
      const body = line.slice(space + 1);
      if (space < 0 || line.slice(0, space) !== digest(body)) break;
      const parsed = stepSchema.safeParse(JSON.parse(body));
      if (!parsed.success || parsed.data.uuid !== uuid || parsed.data.number !== steps.length + 1) break;
      steps.push(parsed.data);
    }
    return steps;
  }
}

/** Answers the file's stamp with the line in it. */
async function append(path: string, line: string): Promise<string> {
  const file = await open(path, 'a', 0o600);
  try {
    await file.appendFile(line);
    return stampOf(await file.stat());
  } finally {
    await file.close();
  }
}

function headOf(baseline: Baseline): Whole['head'] {
  const { projectDir, module, variant, toolsId, modelId, compiledAtMs } = baseline;
  const { classes: _, ...state } = baseline.state;
  return { projectDir, module, variant, toolsId, modelId, compiledAtMs, state };
}

function difference(before: Baseline, after: Baseline): Omit<Step, 'uuid' | 'number'> {
  const sameParts = JSON.stringify(before.parts) === JSON.stringify(after.parts);
  return {
    head: headOf(after),
    parts: sameParts ? null : after.parts,
    snapshot: changedEntries<Seen>(before.snapshot, after.snapshot, (a, b) => isSameSeen(a, b)),
    classes: changedEntries(
      before.state.classes,
      after.state.classes,
      (a, b) => a.bytes === b.bytes && a.shape === b.shape && a.dex === b.dex,
    ) satisfies Record<string, ReturnType<BuildState['classes']['get']> | null>,
  };
}

function isSameSeen(a: Seen, b: Seen): boolean {
  return (
    a.hash === b.hash &&
    a.mtimeMs === b.mtimeMs &&
    a.ctimeMs === b.ctimeMs &&
    a.ino === b.ino &&
    a.size === b.size &&
    a.settled === b.settled &&
    a.type === b.type
  );
}

function changedEntries<T>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
  isSame: (a: T, b: T) => boolean,
): Record<string, T | null> {
  const changed: Record<string, T | null> = {};
  if (before === after) return changed;
  for (const [key, value] of after) {
    const old = before.get(key);
    if (old !== value && (old === undefined || !isSame(old, value))) changed[key] = value;
  }
  for (const key of before.keys()) if (!after.has(key)) changed[key] = null;
  return changed;
}

function apply<T>(to: Map<string, T>, changes: Readonly<Record<string, T | null>>): void {
  for (const [key, value] of Object.entries(changes)) {
    if (value === null) to.delete(key);
    else to.set(key, value);
  }
}
