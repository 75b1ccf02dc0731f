import { ANDROID } from './android-block.ts';
import {
  emptyFacts,
  ignored,
  readBlock,
  setting,
  type BlockContext,
  type BuildFacts,
  type EntryReader,
} from './build-facts.ts';
import { PLUGIN_BLOCKS } from './compiler-plugins.ts';
import { readDependencies } from './dependency-block.ts';
import { entriesOf, type Entry } from './dsl/entries.ts';
import type { DslLanguage } from './dsl/lexer.ts';
import { findMistake } from './dsl/mistakes.ts';
import { parseScript } from './dsl/parser.ts';
import { boolOf, intOf, javaVersionOf, textOf } from './dsl/values.ts';
import type { Expr } from './dsl/ast.ts';

const toolchain: Record<string, EntryReader> = {
  languageVersion: setting('toolchain.languageVersion', javaVersionOf, (facts, value) => {
    facts.toolchain = value;
  }),
};

const COMPILER_OPTIONS: Record<string, EntryReader> = {
  jvmTarget: setting('jvmTarget', javaVersionOf, (facts, value) => (facts.jvmTarget = value)),
};

const KOTLIN: Record<string, EntryReader> = {
  jvmToolchain: setting('jvmToolchain', intOf, (facts, value) => (facts.toolchain = value)),
  compilerOptions: (entry, context) =>
    readBlock('kotlin.compilerOptions', entry.block, COMPILER_OPTIONS, context),
  // Only asks for more warnings.
  explicitApi: ignored,
};

const JAVA: Record<string, EntryReader> = {
  toolchain: (entry, context) => readBlock('java.toolchain', entry.block, toolchain, context),
  sourceCompatibility: setting('sourceCompatibility', javaVersionOf, (facts, value) => {
    facts.sourceVersion = value;
  }),
  targetCompatibility: setting('targetCompatibility', javaVersionOf, (facts, value) => {
    facts.targetVersion = value;
  }),
  withSourcesJar: ignored,
  withJavadocJar: ignored,
};

const TOP: Record<string, EntryReader> = {
  plugins: readPlugins,
  apply: applyPlugin,
  android: (entry, context) => readBlock('', entry.block, ANDROID, context),
  kotlin: (entry, context) => readBlock('kotlin', entry.block, KOTLIN, context),
  java: (entry, context) => readBlock('java', entry.block, JAVA, context),
  sourceCompatibility: (entry, context) => JAVA['sourceCompatibility']?.(entry, context),
  targetCompatibility: (entry, context) => JAVA['targetCompatibility']?.(entry, context),
  dependencies: readDependencies,
  ...PLUGIN_BLOCKS,
  repositories: ignored,
  group: ignored,
  version: ignored,
  description: ignored,
  ext: readExtra,
  extra: readExtra,
};

/** Reads the text of a module's build file. `variables` are those the root build file defines. */
export function readBuildFile(
  text: string,
  language: DslLanguage,
  file: string,
  variables: ReadonlyMap<string, Expr> = new Map(),
): BuildFacts {
  const facts = emptyFacts();
  const context: BlockContext = {
    facts,
    variables: new Map(variables),
    refuse: (line, what) => facts.refusals.push({ file, line, what }),
  };
  const script = parseScript(text, language);
  if (script.fault) context.refuse(script.fault.line, script.fault.what);
  readBlock('', script.statements, TOP, context);
  // What comes of the rest of such a file is no news.
  const mistake = findMistake(text, language);
  if (mistake !== null)
    facts.refusals.splice(0, facts.refusals.length, { file, ...mistake, isMistake: true });
  return facts;
}

/** `plugins { id("x") version "y" apply false }`. */
export function readPlugins(entry: Entry, context: BlockContext): void {
  for (const one of entriesOf(entry.block ?? [], context.variables, (l, w) => context.refuse(l, w))) {
    const name = textOf(one.args[0]?.value);
    const known: Record<string, string> = { java: 'java', 'java-library': 'java-library' };
    const id =
      one.name === 'id'
        ? name
        : one.name === 'kotlin' && name !== null
          ? `org.jetbrains.kotlin.${name}`
          : (known[one.name] ?? null);
    if (id === null) {
      context.refuse(one.line, `the plug-in \`${one.name}\`, whose name Jugg cannot tell`);
      continue;
    }
    const part = (key: string): Expr | undefined => one.infix.find((item) => item.name === key)?.value;
    const version = part('version') ?? inner(one, 'version');
    const apply = boolOf(part('apply') ?? inner(one, 'apply')) ?? true;
    context.facts.plugins.push({ id, version: textOf(version), apply, line: one.line });
  }
}

/** `id("x").version("y").apply(false)`: the calls come as the block of the first one. */
function inner(entry: Entry, name: string): Expr | undefined {
  for (const one of entriesOf(entry.block ?? [], new Map(), () => {})) {
    if (one.name === name) return one.args[0]?.value;
    const deeper = inner(one, name);
    if (deeper !== undefined) return deeper;
  }
  return undefined;
}

/** `apply plugin: 'x'`, `apply(plugin = "x")`. */
function applyPlugin(entry: Entry, context: BlockContext): void {
  const [arg, more] = entry.args;
  const id = textOf(arg?.value);
  if (arg?.name === 'plugin' && id !== null && more === undefined) {
    context.facts.plugins.push({ id, version: null, apply: true, line: entry.line });
  } else context.refuse(entry.line, '`apply` of another script');
}

/** `ext.x = 1`, `ext { x = 1 }`. */
export function readExtra(entry: Entry, context: BlockContext): void {
  for (const one of entriesOf(entry.block ?? [], context.variables, () => {})) {
    const value = one.args[0]?.value;
    if (value !== undefined && value.kind !== 'chain') context.variables.set(one.name, value);
  }
}
