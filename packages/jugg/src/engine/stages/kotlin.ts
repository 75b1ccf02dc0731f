import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { ok, type Result } from '../../shared/outcome.ts';
import type { ClassInfo, SourceChanges } from '../../toolchain/types.ts';
import type { BuildContext, BuildUnit } from '../build-unit.ts';
import { affectedSources, changedFaces } from '../effects.ts';
import {
  bySourceName,
  compareInputs,
  PART_MARK,
  type GoneClass,
  type KotlinRecord,
  type SeenClass,
} from '../module-record.ts';
import { reachedByAnnotations } from './annotations.ts';
import { compileError } from './compile-failure.ts';
import { reachedByNames } from './java-names.ts';
import { kotlinNodes } from './kotlin-nodes.ts';

/**
 * Runs the incremental Kotlin compiler on a module. `alsoModified` are Java sources that did not change themselves but
 * whose classes did; `javaClasses` are the module's own. The record of the answer lacks `javaAbi`, which is only known once javac has run.
 */
export async function compileKotlin(
  unit: BuildUnit,
  context: BuildContext,
  before: KotlinRecord | null,
  alsoModified: readonly string[],
  javaClasses: readonly ClassInfo[],
): Promise<Result<Omit<KotlinRecord, 'javaAbi'>>> {
  const { dirs, module } = unit;
  const reached =
    before === null
      ? []
      : [
          ...(await reachedByJava(unit, context, before, javaClasses)).keys(),
          ...(await reachedByNames(unit, context, before, javaClasses)),
          ...(await reachedByAnnotations(unit, context, before, javaClasses)),
          ...(inlinedFromElsewhere(unit, before) ? Object.keys(unit.kotlinSources) : []),
        ];
  const news = before === null ? null : upstreamNews(unit, before);
  // Which sources other modules' Java classes matter to has just been found out; of Kotlin's the compiler knows more.
  const compareClassPath = news === null || news.isKotlin;
  const sources = [...Object.keys(unit.kotlinSources), ...Object.keys(unit.javaSources)];
  const reply = await context.host.compileKotlin(
    {
      moduleName: unit.kotlinModuleName,
      sources,
      classPath: unit.classPath,
      friendPaths: [],
      jvmTarget: module.jvmTarget,
      freeArguments: unit.kotlinArguments,
      outputDir: dirs.kotlinClasses,
      cacheDir: dirs.kotlinCache,
      changes: changesSince(unit, before, [...alsoModified, ...reached]),
      compareClassPath,
      compiler: unit.kotlinCompiler,
    },
    context.work,
  );
  if (!reply.ok) return reply;
  if (!reply.value.success) return compileError(reply.value.diagnostics);
  context.report(reply.value.diagnostics);
  for (const file of reply.value.compiled) if (file in unit.kotlinSources) context.compiled(file);

  const infos = await context.host.classInfo(reply.value.written, context.work);
  if (!infos.ok) return infos;
  const classes = new Map<string, ClassInfo>(before?.classes.map((info) => [info.file, info]));
  for (const file of reply.value.removed) classes.delete(file);
  for (const info of infos.value) classes.set(info.file, info);
  return ok({
    inputs: unit.kotlinSources,
    java: unit.javaSources,
    seen: Object.fromEntries(unit.upstream),
    classes: [...classes.values()],
    notCompared: compareClassPath ? [] : notCompared(before, news),
    inlineSources: await inlineSources(unit, before),
    gone: goneClasses(before, classes),
  });
}

/** See {@link GoneClass}. Nested classes are forgotten as they should; which ones stood in a function their names do not say. */
function goneClasses(before: KotlinRecord | null, now: ReadonlyMap<string, ClassInfo>): GoneClass[] {
  const names = new Set([...now.values()].map(({ name }) => name));
  const left = new Map(before?.gone.map((one) => [one.name, one]));
  for (const { name, sourceFile, superName, interfaces } of before?.classes ?? []) {
    const above = [superName ?? '', ...interfaces].filter((one) => one !== '' && !OF_LIBRARIES.test(one));
    if (name.includes('$') && sourceFile !== null && above.length > 0)
      left.set(name, { name, sourceFile, above });
  }
  return [...left.values()].filter(({ name }) => !names.has(name));
}

/** They do not change while the caches live. */
const OF_LIBRARIES = /^(?:java|javax|kotlin|android)\./;

/** The classes that the compiler will find changed when it compares its class path again. */
export function notCompared(before: KotlinRecord | null, news: UpstreamNews): string[] {
  return [...new Set([...(before?.notCompared ?? []), ...news.java, ...news.nested])];
}

/** Code to copy has moved to a source of another name, which the compiler does not take for a change of its class. */
function inlinedFromElsewhere({ upstream }: BuildUnit, before: KotlinRecord): boolean {
  const sourceOf = (copied: string | undefined): string => copied?.split(' ')[1] ?? '';
  for (const [name, { copied }] of upstream) {
    const [was, is] = [sourceOf(before.seen[name]?.copied), sourceOf(copied)];
    if (was !== '' && is !== '' && was !== is) return true;
  }
  return false;
}

async function inlineSources(unit: BuildUnit, before: KotlinRecord | null): Promise<string[]> {
  const known = new Set(before?.inlineSources);
  const found = new Set<string>();
  for (const [file, hash] of Object.entries(unit.kotlinSources)) {
    const name = basename(file);
    const unchanged = hash !== '' && before?.inputs[file] === hash;
    if (unchanged ? known.has(name) : await saysInline(file)) found.add(name);
  }
  return [...found];
}

async function saysInline(file: string): Promise<boolean> {
  // A file that cannot be read now was changed while it was compiled: rather too careful.
  const text = await readFile(file, 'utf8').catch(() => 'inline');
  return /\binline\b/.test(text);
}

/**
 * The Kotlin sources of a module that changed Java classes of other modules can matter to, with the reason. The incremental
 * compiler (2.4.21) does not note the use of a static member whose class is written with its package, such as
 * `pk.Limits.MAX`, so that it has to be told of these.
 */
export async function reachedByJava(
  unit: BuildUnit,
  context: BuildContext,
  before: KotlinRecord,
  javaClasses: readonly ClassInfo[],
): Promise<Map<string, string>> {
  const isJava = (name: string): boolean =>
    before.seen[name]?.isKotlin !== true && unit.upstream.get(name)?.isKotlin !== true;
  const changed = changedFaces(new Map(Object.entries(before.seen)), unit.upstream).filter(({ name }) =>
    isJava(name),
  );
  if (changed.length === 0) return new Map();
  const sources = await kotlinNodes(unit, context, before);
  return affectedSources(changed, [...before.classes, ...javaClasses, ...unit.upstreamNodes], sources);
}

function changesSince(
  unit: BuildUnit,
  before: KotlinRecord | null,
  alsoModified: readonly string[],
): SourceChanges {
  if (before === null) return { kind: 'unknown' };
  const kotlin = compareInputs(before.inputs, unit.kotlinSources);
  const java = compareInputs(before.java, unit.javaSources);
  const parts = otherParts(unit, before, [...kotlin.changed, ...kotlin.removed]);
  return {
    kind: 'known',
    modified: [...new Set([...kotlin.changed, ...java.changed, ...alsoModified, ...parts])],
    removed: [...kotlin.removed, ...java.removed],
  };
}

/**
 * The other parts of the classes (`Whole__Part`) that `files` were parts of. When one goes, the incremental compiler (2.4.21)
 * takes the whole class away with it, and makes it again only with a part that is compiled.
 */
function otherParts(unit: BuildUnit, before: KotlinRecord, files: readonly string[]): string[] {
  const classesByFile = bySourceName(before.classes);
  const wholesOf = (file: string): string[] =>
    (classesByFile.get(basename(file)) ?? [])
      .filter(({ name }) => name.includes(PART_MARK))
      .map(({ name }) => name.slice(0, name.indexOf(PART_MARK)));
  const broken = new Set(files.flatMap(wholesOf));
  if (broken.size === 0) return [];
  return Object.keys(unit.kotlinSources).filter((file) => wholesOf(file).some((name) => broken.has(name)));
}

/** What of other modules is not as it was in the last compile. */
export interface UpstreamNews {
  readonly java: readonly string[];
  /** Classes that changed in nothing but the nested classes that they mention. */
  readonly nested: readonly string[];
  /** Whether one of Kotlin's classes changed. */
  readonly isKotlin: boolean;
}

/** By what can be copied, not by face: inline functions come from the class files of other modules. */
export function upstreamNews({ upstream }: BuildUnit, { seen }: KotlinRecord): UpstreamNews {
  const java: string[] = [];
  const nested: string[] = [];
  let isKotlin = false;
  const compare = (name: string, before: SeenClass | undefined, now: SeenClass | undefined): void => {
    if (before?.copied === now?.copied) {
      if (before?.nested !== now?.nested) nested.push(name);
    } else if (before?.isKotlin === true || now?.isKotlin === true) isKotlin = true;
    else java.push(name);
  };
  for (const [name, now] of upstream) compare(name, seen[name], now);
  for (const [name, before] of Object.entries(seen))
    if (!upstream.has(name)) compare(name, before, undefined);
  return { java, nested, isKotlin };
}

export function upstreamChanged(unit: BuildUnit, before: KotlinRecord): boolean {
  const names = Object.keys(before.seen);
  if (names.length !== unit.upstream.size) return true;
  return names.some((name) => before.seen[name]?.copied !== unit.upstream.get(name)?.copied);
}
