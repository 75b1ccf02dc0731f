import type { Node } from '../../fs/device-fs.ts';
import { strerror } from '../../fs/errno.ts';
import { baseName, join, normalize } from '../../fs/paths.ts';
import { complain } from '../command.ts';
import type { Command, CommandContext } from '../command.ts';
import { matchesWhole, toPattern } from '../glob.ts';
import { parseMode } from './mode.ts';

export const FIND_COMMANDS: readonly (readonly [string, Command])[] = [['find', find]];

/** What is looked at. */
interface Found {
  /** As it is printed. */
  readonly shown: string;
  readonly path: string;
  readonly node: Node;
}

/** A test or an action; actions are true, unless what they run fails. */
type Test = (found: Found) => Promise<boolean> | boolean;

interface Search {
  readonly test: Test;
  readonly minDepth: number;
  readonly maxDepth: number;
  /** Children before their folder. */
  readonly depthFirst: boolean;
  /** Runs what `-exec … +` has collected. */
  readonly end: () => Promise<void>;
}

class BadArgument extends Error {}

/** `find [path…] [expression]`, as toybox's: tests, `!`, `-a`, `-o`, brackets, `-prune`, `-exec`, `-print0`, `-delete` … */
async function find(context: CommandContext): Promise<number> {
  const args = context.args.filter((arg) => arg !== '-H' && arg !== '-L' && arg !== '-P');
  const start = args.findIndex((arg) => /^-.|^[(!]$/.test(arg));
  const roots = start < 0 ? args : args.slice(0, start);
  const walk = { pruned: false, status: 0, over: false };
  try {
    const search = await new Parser(context, start < 0 ? [] : args.slice(start), walk).search();
    for (const root of roots.length === 0 ? ['.'] : roots) {
      if (walk.over) break;
      await visit(context, search, walk, root, 0);
    }
    await search.end();
  } catch (error) {
    if (error instanceof BadArgument) return complain(context, error.message);
    throw error;
  }
  return walk.status;
}

interface Walk {
  /** The folder at hand is not entered. */
  pruned: boolean;
  status: number;
  /** `-quit` */
  over: boolean;
}

async function visit(
  context: CommandContext,
  search: Search,
  walk: Walk,
  shown: string,
  depth: number,
): Promise<void> {
  const path = normalize(shown, context.cwd);
  const found = await context.fs.stat(path, false);
  if (context.signal.aborted || walk.over) return;
  if (!found.ok) {
    walk.status = await complain(context, `'${shown}': ${strerror(found.errno)}`);
    return;
  }
  const test = async (): Promise<void> => {
    if (depth >= search.minDepth) await search.test({ shown, path, node: found.value });
  };
  walk.pruned = false;
  if (!search.depthFirst) await test();
  const enters = found.value.kind === 'directory' && depth < search.maxDepth && !walk.pruned && !walk.over;
  if (enters) {
    const names = await context.fs.readdir(path);
    if (!names.ok) walk.status = await complain(context, `'${shown}': ${strerror(names.errno)}`);
    else for (const name of names.value) await visit(context, search, walk, join(shown, name), depth + 1);
  }
  if (search.depthFirst) await test();
}

const TYPES: Readonly<Record<string, Node['kind']>> = { f: 'file', d: 'directory', l: 'link', c: 'char' };
const SECONDS_A_DAY = 86_400;
const UNITS: Readonly<Record<string, number>> = { c: 1, b: 512, k: 1024, M: 1024 ** 2, G: 1024 ** 3 };

class Parser {
  readonly #context: CommandContext;
  readonly #words: readonly string[];
  readonly #walk: Walk;
  readonly #ends: (() => Promise<void>)[] = [];
  #at = 0;
  #acts = false;
  #minDepth = 0;
  #maxDepth = Number.MAX_SAFE_INTEGER;
  #depthFirst = false;

  constructor(context: CommandContext, words: readonly string[], walk: Walk) {
    this.#context = context;
    this.#words = words;
    this.#walk = walk;
  }

  async search(): Promise<Search> {
    const test = this.#words.length === 0 ? (): boolean => true : await this.#or();
    if (this.#at < this.#words.length) throw new BadArgument(`bad arg '${this.#words[this.#at] ?? ''}'`);
    const print: Test = ({ shown }) => this.#print(`${shown}\n`);
    const whole: Test = this.#acts ? test : async (found) => (await test(found)) && print(found);
    return {
      test: whole,
      minDepth: this.#minDepth,
      maxDepth: this.#maxDepth,
      depthFirst: this.#depthFirst,
      end: async () => {
        for (const end of this.#ends) await end();
      },
    };
  }

  async #or(): Promise<Test> {
    let left = await this.#and();
    while (this.#accept('-o', '-or')) {
      const [one, other] = [left, await this.#and()];
      left = async (found) => (await one(found)) || (await other(found));
    }
    return left;
  }

  async #and(): Promise<Test> {
    let left = await this.#not();
    for (;;) {
      this.#accept('-a', '-and');
      const next = this.#words[this.#at];
      if (next === undefined || next === '-o' || next === '-or' || next === ')') return left;
      const [one, other] = [left, await this.#not()];
      left = async (found) => (await one(found)) && (await other(found));
    }
  }

  async #not(): Promise<Test> {
    if (this.#accept('!', '-not')) {
      const test = await this.#not();
      return async (found) => !(await test(found));
    }
    if (this.#accept('(')) {
      const test = await this.#or();
      if (!this.#accept(')')) throw new BadArgument("need ')'");
      return test;
    }
    return this.#primary();
  }

  async #primary(): Promise<Test> {
    const word = this.#words[this.#at++];
    switch (word) {
      case undefined:
        throw new BadArgument('missing argument');
      case '-name':
        return named(this.#value(word), ({ shown }) => baseName(shown));
      case '-iname':
        return named(this.#value(word).toLowerCase(), ({ shown }) => baseName(shown).toLowerCase());
      case '-path':
      case '-wholename':
        return named(this.#value(word), ({ shown }) => shown);
      case '-ipath':
      case '-iwholename':
        return named(this.#value(word).toLowerCase(), ({ shown }) => shown.toLowerCase());
      case '-type': {
        const kinds = this.#value(word)
          .split(',')
          .map((letter) => TYPES[letter]);
        return ({ node }) => kinds.includes(node.kind);
      }
      case '-maxdepth':
        this.#maxDepth = this.#number(word);
        return () => true;
      case '-mindepth':
        this.#minDepth = this.#number(word);
        return () => true;
      case '-depth':
        this.#depthFirst = true;
        return () => true;
      case '-xdev':
      case '-mount':
      case '-noleaf':
        return () => true;
      case '-true':
        return () => true;
      case '-false':
        return () => false;
      case '-empty':
        return async ({ path, node }) => {
          if (node.kind !== 'directory') return node.kind === 'file' && node.size === 0;
          const names = await this.#context.fs.readdir(path);
          return names.ok && names.value.length === 0;
        };
      case '-size':
        return this.#size(this.#value(word));
      case '-mtime':
      case '-atime':
      case '-ctime':
        return this.#age(this.#value(word), SECONDS_A_DAY);
      case '-mmin':
      case '-amin':
      case '-cmin':
        return this.#age(this.#value(word), 60);
      case '-newer': {
        const other = await this.#context.fs.stat(normalize(this.#value(word), this.#context.cwd));
        if (!other.ok)
          throw new BadArgument(`'${this.#words[this.#at - 1] ?? ''}': ${strerror(other.errno)}`);
        return ({ node }) => node.mtimeMs > other.value.mtimeMs;
      }
      case '-perm':
        return permissions(this.#value(word));
      case '-user':
      case '-group':
      case '-uid':
      case '-gid':
        return this.#ownedBy(this.#value(word));
      case '-prune':
        return () => (this.#walk.pruned = true);
      case '-quit':
        this.#acts = true;
        return () => (this.#walk.over = true);
      case '-print':
        this.#acts = true;
        return ({ shown }) => this.#print(`${shown}\n`);
      case '-print0':
        this.#acts = true;
        return ({ shown }) => this.#print(`${shown}\0`);
      case '-delete':
        this.#acts = true;
        this.#depthFirst = true;
        return ({ path, node }) => this.#delete(path, node);
      case '-exec':
      case '-execdir':
      case '-ok':
        return this.#exec();
      default:
        throw new BadArgument(`bad arg '${word}'`);
    }
  }

  async #print(text: string): Promise<boolean> {
    if (!(await this.#context.stdout.write(text))) this.#walk.over = true;
    return true;
  }

  async #delete(path: string, { kind }: Node): Promise<boolean> {
    const { fs } = this.#context;
    const gone = await (kind === 'directory' ? fs.rmdir(path) : fs.remove(path, false));
    if (gone.ok) return true;
    this.#walk.status = await complain(this.#context, `'${path}': ${strerror(gone.errno)}`);
    return false;
  }

  /** `-exec command {} ;` for each, `-exec command {} +` for all at once. */
  #exec(): Test {
    this.#acts = true;
    const argv: string[] = [];
    for (;;) {
      const word = this.#words[this.#at++];
      if (word === undefined) throw new BadArgument('-exec needs an end: ";" or "+"');
      if (word === ';') break;
      if (word === '+' && argv.at(-1) === '{}') {
        const all: string[] = [];
        this.#ends.push(async () => {
          if (all.length > 0) await this.#context.run([...argv.slice(0, -1), ...all]);
        });
        return ({ shown }) => all.push(shown) > 0;
      }
      argv.push(word);
    }
    return async ({ shown }) =>
      (await this.#context.run(argv.map((arg) => arg.replaceAll('{}', shown)))) === 0;
  }

  #size(text: string): Test {
    const [, sign = '', number = '', unit = 'b'] = /^([-+]?)(\d+)([cbkMG]?)$/.exec(text) ?? [];
    if (number === '') throw new BadArgument(`bad -size '${text}'`);
    const block = UNITS[unit || 'b'] ?? 512;
    return ({ node }) => compared(sign, Math.ceil(node.size / block), Number(number));
  }

  #age(text: string, seconds: number): Test {
    const [, sign = '', number = ''] = /^([-+]?)(\d+)$/.exec(text) ?? [];
    if (number === '') throw new BadArgument(`bad time '${text}'`);
    return ({ node }) =>
      compared(sign, Math.floor((this.#context.now() - node.mtimeMs) / 1000 / seconds), Number(number));
  }

  #ownedBy(text: string): Test {
    const names: Readonly<Record<string, number>> = { root: 0, system: 1000, shell: 2000 };
    const app = /^u0_a(\d+)$/.exec(text)?.[1];
    const uid = app === undefined ? (names[text] ?? Number(text)) : 10_000 + Number(app);
    if (Number.isNaN(uid)) throw new BadArgument(`bad user '${text}'`);
    return ({ node }) => this.#context.fs.owner(node.path) === uid;
  }

  #accept(...words: readonly string[]): boolean {
    const word = this.#words[this.#at];
    if (word === undefined || !words.includes(word)) return false;
    this.#at++;
    return true;
  }

  #value(option: string): string {
    const value = this.#words[this.#at++];
    if (value === undefined) throw new BadArgument(`'${option}' needs 1 arg`);
    return value;
  }

  #number(option: string): number {
    const value = Number(this.#value(option));
    if (!Number.isInteger(value)) throw new BadArgument(`bad ${option} '${this.#words[this.#at - 1] ?? ''}'`);
    return value;
  }
}

function named(pattern: string, of: (found: Found) => string): Test {
  const parsed = toPattern(pattern);
  return (found) => matchesWhole(parsed, of(found));
}

function compared(sign: string, value: number, wanted: number): boolean {
  return sign === '+' ? value > wanted : sign === '-' ? value < wanted : value === wanted;
}

/** `644` exactly these, `-644` all of these, `/644` any of these. */
function permissions(text: string): Test {
  const sign = /^[-/+]/.exec(text)?.[0] ?? '';
  const wanted = parseMode(text.slice(sign.length), 0);
  if (wanted === null) throw new BadArgument(`bad mode '${text}'`);
  return ({ node }) => {
    const mode = node.mode & 0o7777;
    if (sign === '-') return (mode & wanted) === wanted;
    return sign === '' ? mode === wanted : wanted === 0 || (mode & wanted) !== 0;
  };
}
