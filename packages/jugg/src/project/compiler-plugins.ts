import type { BlockContext, EntryReader } from './build-facts.ts';
import { readBlock } from './build-facts.ts';
import type { Entry } from './dsl/entries.ts';
import { textOf } from './dsl/values.ts';
import type { CompilerPlugin } from './model.ts';

interface Known {
  readonly artifact: string;
  /** Its name in the compiler's options, and of the block that sets those. */
  readonly option?: string;
  readonly block?: string;
  readonly runtime?: readonly string[];
}

/** Gradle plug-ins that only hand a plug-in to the Kotlin compiler; source: the Kotlin Gradle plug-in's `*Subplugin` classes. */
const PLUGINS: Readonly<Record<string, Known>> = {
  'org.jetbrains.kotlin.plugin.allopen': {
    artifact: 'kotlin-allopen-compiler-plugin-embeddable',
    option: 'org.jetbrains.kotlin.allopen',
    block: 'allOpen',
  },
  'org.jetbrains.kotlin.plugin.noarg': {
    artifact: 'kotlin-noarg-compiler-plugin-embeddable',
    option: 'org.jetbrains.kotlin.noarg',
    block: 'noArg',
  },
  'org.jetbrains.kotlin.plugin.sam.with.receiver': {
    artifact: 'kotlin-sam-with-receiver-compiler-plugin-embeddable',
    option: 'org.jetbrains.kotlin.samWithReceiver',
    block: 'samWithReceiver',
  },
  'org.jetbrains.kotlin.plugin.serialization': {
    artifact: 'kotlin-serialization-compiler-plugin-embeddable',
  },
  'org.jetbrains.kotlin.plugin.parcelize': {
    artifact: 'kotlin-parcelize-compiler',
    runtime: ['kotlin-parcelize-runtime'],
  },
  'org.jetbrains.kotlin.plugin.compose': { artifact: 'kotlin-compose-compiler-plugin-embeddable' },
};

/** Older names of the same plug-ins. */
const ALIASES: Readonly<Record<string, string>> = {
  'kotlin-allopen': 'org.jetbrains.kotlin.plugin.allopen',
  'kotlin-noarg': 'org.jetbrains.kotlin.plugin.noarg',
  'kotlin-sam-with-receiver': 'org.jetbrains.kotlin.plugin.sam.with.receiver',
  'kotlinx-serialization': 'org.jetbrains.kotlin.plugin.serialization',
  'kotlin-parcelize': 'org.jetbrains.kotlin.plugin.parcelize',
};

/** The compiler's plug-in behind a Gradle plug-in; `options` are those of all blocks, by the name of the block. */
export function compilerPlugin(
  id: string,
  options: Readonly<Record<string, readonly string[]>>,
): CompilerPlugin | null {
  const name = ALIASES[id] ?? id;
  const known = Object.hasOwn(PLUGINS, name) ? PLUGINS[name] : undefined;
  if (known === undefined) return null;
  const own = options[known.block ?? ''] ?? [];
  return {
    id: name,
    artifact: known.artifact,
    runtime: known.runtime ?? [],
    options: own.map((text) => `${known.option}:${text}`),
  };
}

/** `allOpen { annotation("a.b.Open") }` and its like: only names of annotations are understood. */
export const PLUGIN_BLOCKS: Readonly<Record<string, EntryReader>> = Object.fromEntries(
  Object.values(PLUGINS).flatMap(({ block }) => (block === undefined ? [] : [[block, pluginBlock(block)]])),
);

function pluginBlock(block: string): EntryReader {
  return (entry, context) => {
    const annotations = (one: Entry, inner: BlockContext): void => {
      const names = one.args.map(({ value }) => textOf(value));
      for (const name of names) {
        if (name === null) inner.refuse(one.line, `\`${block}\` with names that are computed`);
        else (inner.facts.pluginOptions[block] ??= []).push(`annotation=${name}`);
      }
    };
    readBlock(block, entry.block, { annotation: annotations, annotations }, context);
  };
}
