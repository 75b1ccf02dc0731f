import type { Entry } from './dsl/entries.ts';
import type { Expr } from './dsl/ast.ts';
import { entriesOf, resolve } from './dsl/entries.ts';
import type { Statement } from './dsl/ast.ts';
import type { Dependency, Refusal } from './model.ts';

export interface AppliedPlugin {
  readonly id: string;
  readonly version: string | null;
  /** False for `apply false`: named only, for the modules. */
  readonly apply: boolean;
  readonly line: number;
}

/** What one module's build file says, before defaults are filled in. */
export interface BuildFacts {
  readonly plugins: AppliedPlugin[];
  namespace: string | null;
  applicationId: string | null;
  applicationIdSuffix: string;
  compileSdk: number | null;
  minSdk: number | null;
  targetSdk: number | null;
  versionCode: number | null;
  versionName: string | null;
  versionNameSuffix: string;
  testRunner: string | null;
  debuggable: boolean | null;
  sourceVersion: number | null;
  targetVersion: number | null;
  toolchain: number | null;
  jvmTarget: number | null;
  buildConfig: boolean | null;
  /** Options of the Kotlin compiler's plug-ins, by the name of their block. */
  readonly pluginOptions: Record<string, string[]>;
  readonly dependencies: Dependency[];
  readonly testDependencies: Dependency[];
  /** See `ModuleModel.lines`. */
  readonly lines: Map<string, number>;
  readonly refusals: Refusal[];
}

export function emptyFacts(): BuildFacts {
  return {
    plugins: [],
    namespace: null,
    applicationId: null,
    applicationIdSuffix: '',
    compileSdk: null,
    minSdk: null,
    targetSdk: null,
    versionCode: null,
    versionName: null,
    versionNameSuffix: '',
    testRunner: null,
    debuggable: null,
    sourceVersion: null,
    targetVersion: null,
    toolchain: null,
    jvmTarget: null,
    buildConfig: null,
    pluginOptions: {},
    dependencies: [],
    testDependencies: [],
    lines: new Map(),
    refusals: [],
  };
}

/** What a reader of a block needs: where the facts go, the variables known so far, and who hears of the rest. */
export interface BlockContext {
  readonly facts: BuildFacts;
  readonly variables: Map<string, Expr>;
  refuse(line: number, what: string): void;
}

export type EntryReader = (entry: Entry, context: BlockContext) => void;

/** Sends each setting of a block to the reader of its name; a name without reader is refused as part of `where`. */
export function readBlock(
  where: string,
  block: readonly Statement[] | null,
  readers: Readonly<Record<string, EntryReader>>,
  context: BlockContext,
): void {
  const entries = entriesOf(block ?? [], context.variables, (line, what) => context.refuse(line, what));
  for (const entry of entries) {
    const reader = Object.hasOwn(readers, entry.name) ? readers[entry.name] : undefined;
    if (where === '') context.facts.lines.set(entry.name, entry.line);
    if (reader) reader(entry, context);
    else context.refuse(entry.line, `\`${where === '' ? '' : `${where}.`}${entry.name}\``);
  }
}

/** The value of `x = v` and its like, variables resolved; `undefined` when there is none. */
export function valueOf(entry: Entry, context: BlockContext): Expr | undefined {
  const [only, second] = entry.args;
  if (only === undefined || second !== undefined || entry.operator === '+=' || entry.operator === '-=') {
    return undefined;
  }
  return resolve(only.value, context.variables);
}

/** A reader that stores one value, or refuses it when the text does not tell it. */
export function setting<T>(
  what: string,
  parse: (value: Expr | undefined) => T | null,
  store: (facts: BuildFacts, value: T) => void,
): EntryReader {
  return (entry, context) => {
    const value = parse(valueOf(entry, context));
    if (value === null) context.refuse(entry.line, `\`${what}\` whose value is computed`);
    else {
      context.facts.lines.set(what, entry.line);
      store(context.facts, value);
    }
  };
}

/** Settings that change neither classes nor resources of the debug variant. */
export const ignored: EntryReader = () => {};

/** A switch that Jugg can only build when it is off. */
export function mustBeOff(what: string): EntryReader {
  return (entry, context) => {
    const value = valueOf(entry, context);
    if (value?.kind !== 'bool' || value.value) context.refuse(entry.line, `\`${what}\``);
  };
}
