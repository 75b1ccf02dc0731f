import { emptyFacts, ignored, readBlock, type BlockContext, type EntryReader } from './build-facts.ts';
import { readExtra, readPlugins } from './build-file.ts';
import { entriesOf, resolve, type Entry } from './dsl/entries.ts';
import type { Expr } from './dsl/ast.ts';
import type { DslLanguage } from './dsl/lexer.ts';
import { findMistake } from './dsl/mistakes.ts';
import { parseScript } from './dsl/parser.ts';
import { textOf } from './dsl/values.ts';
import type { Place, Refusal } from './model.ts';

/** What the root build file says for all modules. */
export interface RootFacts {
  /** Versions of plug-ins by id, of `plugins { }` and of `buildscript { dependencies { classpath } }`. */
  readonly pluginVersions: ReadonlyMap<string, string>;
  /** Where each of them stands. */
  readonly places: ReadonlyMap<string, Place>;
  readonly variables: ReadonlyMap<string, Expr>;
  readonly refusals: readonly Refusal[];
}

const PLUGIN_OF_ARTIFACT: Readonly<Record<string, string>> = {
  'com.android.tools.build:gradle': 'com.android.application',
  'org.jetbrains.kotlin:kotlin-gradle-plugin': 'org.jetbrains.kotlin.android',
};

/** Reads the build file of the root project, which is expected to build nothing itself. */
export function readRootBuild(text: string, language: DslLanguage, file: string): RootFacts {
  const versions = new Map<string, string>();
  const places = new Map<string, Place>();
  const add = (id: string, version: string, line: number): void => {
    versions.set(id, version);
    places.set(id, { file, line });
  };
  const refusals: Refusal[] = [];
  const context: BlockContext = {
    facts: emptyFacts(),
    variables: new Map(),
    refuse: (line, what) => refusals.push({ file, line, what }),
  };
  const readers: Record<string, EntryReader> = {
    plugins: (entry) => {
      readPlugins(entry, context);
      for (const plugin of context.facts.plugins) {
        if (plugin.version !== null) add(plugin.id, plugin.version, plugin.line);
        if (plugin.apply) context.refuse(plugin.line, `the plug-in \`${plugin.id}\` on the root project`);
      }
    },
    buildscript: (entry) => readBuildscript(entry, context, add),
    ext: readExtra,
    extra: readExtra,
    allprojects: (entry) => readBlock('allprojects', entry.block, { repositories: ignored }, context),
    repositories: ignored,
    task: cleanTask,
    tasks: cleanTask,
    group: ignored,
    version: ignored,
    description: ignored,
  };
  const script = parseScript(text, language);
  if (script.fault) context.refuse(script.fault.line, script.fault.what);
  readBlock('', script.statements, readers, context);
  const mistake = findMistake(text, language);
  return {
    pluginVersions: versions,
    places,
    variables: context.variables,
    refusals: mistake === null ? refusals : [{ file, ...mistake, isMistake: true }],
  };
}

/** Old templates define a task `clean` in the root project; it builds nothing. */
function cleanTask(entry: Entry, context: BlockContext): void {
  const texts = JSON.stringify([entry.args, entry.block]);
  if (!texts.includes('"clean"')) context.refuse(entry.line, `\`${entry.name}\``);
}

function readBuildscript(
  entry: Entry,
  context: BlockContext,
  add: (id: string, version: string, line: number) => void,
): void {
  const dependencies: EntryReader = (block) => {
    for (const one of entriesOf(block.block ?? [], context.variables, () => {})) {
      const value = one.args[0]?.value;
      const text = value === undefined ? null : textOf(resolve(value, context.variables));
      const [group, name, version] = (text ?? '').split(':');
      const plugin = PLUGIN_OF_ARTIFACT[`${group}:${name}`];
      if (plugin !== undefined && version !== undefined) add(plugin, version, one.line);
    }
  };
  const readers = { ext: readExtra, extra: readExtra, repositories: ignored, dependencies };
  readBlock('buildscript', entry.block, readers, context);
}
