import { plainPath, type Arg, type Expr, type Link, type Statement } from './dsl/ast.ts';
import { findMistake } from './dsl/mistakes.ts';
import { parseScript } from './dsl/parser.ts';
import type { DslLanguage } from './dsl/lexer.ts';
import type { Place, Refusal } from './model.ts';

/** What a settings file says. Module paths begin with a colon; the root is not listed. */
export interface Settings {
  readonly rootName: string | null;
  /** In the order of the text, each once. */
  readonly modules: readonly string[];
  /** Folders that differ from the default (colons to slashes), relative to the settings folder. */
  readonly moduleDirs: ReadonlyMap<string, string>;
  readonly includedBuilds: readonly string[];
  /** Plug-in versions of `pluginManagement { plugins { id("x") version "y" } }`. */
  readonly pluginVersions: ReadonlyMap<string, string>;
  /** Where each of them stands. */
  readonly places: ReadonlyMap<string, Place>;
  /** Why the list of modules can only be a guess; empty when every include is plain text. */
  readonly doubts: readonly Refusal[];
}

/** Blocks and calls at the top of a settings file that cannot add or move a module. */
const HARMLESS = new Set(
  (
    'plugins dependencyResolutionManagement enableFeaturePreview buildCache buildscript ' +
    'gradleEnterprise develocity toolchainManagement println'
  ).split(' '),
);

/** Reads the text of a settings file; never runs anything. */
export function readSettings(text: string, language: DslLanguage, file: string): Settings {
  const script = parseScript(text, language);
  const reader = new SettingsReader(file);
  if (script.fault) reader.doubt(script.fault.line, script.fault.what);
  for (const statement of script.statements) reader.take(statement);
  const mistake = findMistake(text, language);
  if (mistake !== null) reader.doubts.splice(0, reader.doubts.length, { file, ...mistake, isMistake: true });
  return reader;
}

class SettingsReader implements Settings {
  rootName: string | null = null;
  readonly modules: string[] = [];
  readonly moduleDirs = new Map<string, string>();
  readonly includedBuilds: string[] = [];
  readonly pluginVersions = new Map<string, string>();
  readonly places = new Map<string, Place>();
  readonly doubts: Refusal[] = [];
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  doubt(line: number, what: string): void {
    this.doubts.push({ file: this.#file, line, what });
  }

  take(statement: Statement): void {
    switch (statement.kind) {
      case 'import':
        return;
      case 'define':
        if (statement.value.kind === 'opaque' || statement.value.kind === 'chain') {
          this.doubt(statement.line, `the variable \`${statement.name}\` is computed`);
        }
        return;
      case 'opaque':
        this.doubt(statement.line, `code that must be run: \`${statement.text}\``);
        return;
      case 'assign':
        this.#assign(statement.line, statement.target, statement.value);
        return;
      case 'call':
        this.#call(statement.line, statement.links);
    }
  }

  #assign(line: number, target: readonly Link[], value: Expr): void {
    const path = plainPath(target);
    if (path === 'rootProject.name') {
      if (value.kind === 'text') this.rootName = value.value;
      return;
    }
    const [first, second] = target;
    const module = textArgs(first?.args ?? [])?.[0];
    if (first?.name === 'project' && second?.name === 'projectDir' && target.length === 2 && module) {
      const dir = folder(value);
      if (dir !== null) this.moduleDirs.set(modulePath(module), dir);
      else this.doubt(line, `the folder of ${modulePath(module)} is computed`);
      return;
    }
    this.doubt(line, 'an assignment that Jugg does not know');
  }

  #call(line: number, links: readonly Link[]): void {
    const [only] = links;
    if (only === undefined) return;
    if (links.length === 1 && only.name === 'include') return this.#include(line, only.args ?? []);
    if (links.length === 1 && only.name === 'includeBuild') return this.#includeBuild(line, only);
    if (links.length === 1 && only.name === 'pluginManagement') {
      return this.#pluginManagement(only.block ?? []);
    }
    if (HARMLESS.has(only.name)) return;
    this.doubt(line, `\`${links.map((link) => link.name).join('.')}\` may add or move modules`);
  }

  #include(line: number, args: readonly Arg[]): void {
    for (const { value } of args) {
      if (value.kind === 'text') this.#add(value.value);
      else if (value.kind === 'list') {
        this.#include(
          line,
          value.items.map((item) => ({ name: null, value: item })),
        );
      } else this.doubt(line, 'an include whose names are computed');
    }
  }

  /** Gradle makes a project of every part of the path: `:a:b` includes `:a`, which is a bare folder most of the time. */
  #add(name: string): void {
    const path = modulePath(name);
    if (!this.modules.includes(path)) this.modules.push(path);
  }

  #includeBuild(line: number, link: Link): void {
    const dir = textArgs(link.args ?? [])?.[0];
    if (dir === undefined) this.doubt(line, 'an included build whose folder is computed');
    else this.includedBuilds.push(dir);
  }

  #pluginManagement(block: readonly Statement[]): void {
    for (const statement of block) {
      if (statement.kind !== 'call') continue;
      const [first] = statement.links;
      if (first?.name === 'includeBuild') this.#includeBuild(statement.line, first);
      if (first?.name === 'plugins') this.#pluginVersions(first.block ?? []);
    }
  }

  #pluginVersions(block: readonly Statement[]): void {
    for (const statement of block) {
      if (statement.kind !== 'call') continue;
      const id = pluginId(statement.links);
      const version = statement.infix.find((part) => part.name === 'version')?.value;
      if (id === null || version?.kind !== 'text') continue;
      this.pluginVersions.set(id, version.value);
      this.places.set(id, { file: this.#file, line: statement.line });
    }
  }
}

/** `id("x")` → `x`; `kotlin("android")` → `org.jetbrains.kotlin.android`. */
export function pluginId(links: readonly Link[]): string | null {
  const [first] = links;
  const name = textArgs(first?.args ?? [])?.[0];
  if (links.length !== 1 || name === undefined) return null;
  if (first?.name === 'id') return name;
  return first?.name === 'kotlin' ? `org.jetbrains.kotlin.${name}` : null;
}

/** `app`, `:app` → `:app`. */
export function modulePath(name: string): string {
  return name.startsWith(':') ? name : `:${name}`;
}

/** The values when all arguments are plain texts. */
export function textArgs(args: readonly Arg[]): readonly string[] | null {
  const texts = args.flatMap((arg) => (arg.value.kind === 'text' ? [arg.value.value] : []));
  return texts.length === args.length ? texts : null;
}

/** `file("x")`, `File(rootDir, "x")`, `new File(settingsDir, 'x')` → `x`. */
function folder(value: Expr): string | null {
  if (value.kind === 'opaque') {
    const groovy = /^new File \( (?:rootDir|settingsDir|rootProject \. projectDir) , (\S+) \)$/.exec(
      value.text,
    );
    return groovy?.[1] ?? null;
  }
  if (value.kind !== 'chain' || value.links.length !== 1) return null;
  const [call] = value.links;
  const [first, second] = call?.args ?? [];
  if (call?.name === 'file' && second === undefined && first?.value.kind === 'text') return first.value.value;
  if (call?.name !== 'File' || first === undefined || second?.value.kind !== 'text') return null;
  const base = first.value.kind === 'chain' ? plainPath(first.value.links) : null;
  return base === 'rootDir' || base === 'settingsDir' || base === 'rootProject.projectDir'
    ? second.value.value
    : null;
}
