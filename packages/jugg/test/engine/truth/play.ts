import type { Explanation } from '../../../src/engine/types.ts';
import type { Bench } from '../support.ts';
import { Ground, type Compiled, type Verdict } from './ground.ts';
import type { Tree } from './render.ts';
import type { Script, Step } from './script.ts';

/** Where the edits come from: made up as they are played, or written down. */
export interface Source {
  readonly files: Tree;
  /** `null` at the end. */
  next(rejected: boolean): Step | null;
}

export interface Played {
  /** As it was played, up to the failure. */
  readonly script: Script;
  readonly failure: string | null;
  readonly rejected: number;
  readonly cleanBuilds: number;
}

/** A clean build of everything at each so-many-th step, and at the end; of the touched modules in between. */
const WHOLE_EVERY = 5;

let grounds = 0;

/** Plays edits on a project; after each one the app must be what a clean build makes of the same files. */
export async function play(bench: Bench, source: Source, steps: number): Promise<Played> {
  const ground = new Ground(bench, `truth-${grounds++}`);
  const played: Step[] = [];
  let rejected = 0;
  let cleanBuilds = 0;
  const end = (failure: string | null): Played => {
    const script = { about: failure ?? '', files: { ...source.files }, steps: played };
    return { script, failure, rejected, cleanBuilds };
  };
  try {
    let tree: Tree = source.files;
    let step: Step = { name: 'the project', write: { ...source.files }, remove: [], touch: null };
    for (let at = 0; ; at++) {
      if (at > 0) {
        played.push(step);
        tree = treeAfter(tree, step);
      }
      await ground.write(step);
      const before = await ground.lastState();
      const compiled = await ground.compile();
      const whole = at % WHOLE_EVERY === 0 || at === steps;
      if (whole) cleanBuilds += 1;
      const clean = await ground.cleanCompile(whole, (changed) => reached(tree, changed));
      const wrong = differences(compiled.verdict, clean) ?? misprediction(compiled, ground);
      if (wrong !== null) return end(`step ${at} (${step.name}): ${wrong}`);
      if (!compiled.verdict.ok) {
        rejected += 1;
        const after = await ground.lastState();
        if (after?.id !== before?.id) return end(`step ${at} (${step.name}): the last good state changed`);
      }
      const next = at < steps ? source.next(!compiled.verdict.ok) : null;
      if (next === null) return end(null);
      step = next;
    }
  } finally {
    await ground.close();
  }
}

export function written(script: Script): Source {
  const steps = script.steps.values();
  return { files: script.files, next: () => steps.next().value ?? null };
}

export function treeAfter(tree: Tree, { write, remove }: Step): Tree {
  const kept = Object.entries(tree).filter(([file]) => !remove.includes(file));
  return { ...Object.fromEntries(kept), ...write };
}

/** The changed modules, and all that depend on them as the build files say. */
function reached(tree: Tree, changed: ReadonlySet<string>): Set<string> {
  const found = new Set(changed);
  for (let size = -1; size !== found.size;) {
    size = found.size;
    for (const [file, text] of Object.entries(tree)) {
      const [module = '', name] = file.split('/');
      if (name !== 'build.gradle.kts') continue;
      if ([...text.matchAll(/project\(":(\w+)"\)/g)].some((match) => found.has(match[1] ?? '')))
        found.add(module);
    }
  }
  return found;
}

/** What two builds of the same files do not agree upon. */
function differences(incremental: Verdict, clean: Verdict): string | null {
  if (!incremental.ok || !clean.ok) {
    if (incremental.ok) return `accepted, but a clean build says ${clean.ok ? '' : clean.message}`;
    if (clean.ok) return `rejected, but a clean build is well: ${incremental.message}`;
    if (incremental.code !== clean.code)
      return `${incremental.code} in place of ${clean.code}: ${incremental.message}`;
    const strange = incremental.errors.filter((error) => !clean.errors.includes(error));
    return strange.length === 0 ? null : `errors at ${strange.join(', ')}, not at ${clean.errors.join(', ')}`;
  }
  const names = new Set([...Object.keys(incremental.content), ...Object.keys(clean.content)]);
  const wrong = [...names].flatMap((name) => {
    const [mine, right] = [incremental.content[name], clean.content[name]];
    if (mine === right) return [];
    if (mine === undefined) return [`${name} is missing`];
    if (right === undefined) return [`${name} is left over`];
    const [was, is] = [mine.split(' '), right.split(' ')];
    const part = was[was.findIndex((one, at) => one !== is[at]) - 1] ?? 'content';
    return [`${name} is another (${part})`];
  });
  return wrong.length === 0 ? null : wrong.join(', ');
}

/** Phases that belong to every compile, and to no plan. */
const ALWAYS = new Set(['Changes', 'Tools']);
const IF_NEEDED = ' (if needed)';

/** What `explain` said that the compile then did not do, or the other way round. */
function misprediction({ said, result }: Compiled, ground: Ground): string | null {
  if (said === null || !result.ok) return null;
  const { kind, compiledFiles, timings } = result.value;
  if (said.kind !== kind) return `explain said ${said.kind}, but it was ${kind}`;
  const again = said.recompileBecause.map(({ file }) => file);
  const named = (files: readonly string[]): string => files.map((file) => ground.relative(file)).join(', ');
  const untold = compiledFiles.filter((file) => !said.files.includes(file) && !again.includes(file));
  if (untold.length > 0) return `explain did not say that it would compile ${named(untold)}`;
  const left = said.files.filter((file) => isCompiled(file) && !compiledFiles.includes(file));
  if (left.length > 0) return `explain said that it would compile ${named(left)}`;
  return mispredictedStages(said, Object.keys(timings));
}

function mispredictedStages(said: Explanation, phases: readonly string[]): string | null {
  const stages = said.stages.map((stage) => stage.replace(IF_NEEDED, ''));
  const untold = phases.filter((phase) => !ALWAYS.has(phase) && !stages.includes(phase));
  if (untold.length > 0) return `explain did not tell of ${untold.join(', ')}`;
  const left = said.stages.filter((stage) => !stage.endsWith(IF_NEEDED) && !phases.includes(stage));
  return left.length === 0 ? null : `explain told of ${left.join(', ')}, which did not come`;
}

const isCompiled = (file: string): boolean => /\.(?:java|kt)$/.test(file) || file.includes('/res/');
