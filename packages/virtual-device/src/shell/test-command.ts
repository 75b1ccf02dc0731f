import { normalize } from '../fs/paths.ts';
import { evaluate } from './arith.ts';
import type { Expander } from './expander.ts';
import { ShellFault } from './faults.ts';
import { ALL_OPTIONS } from './options.ts';

export interface TestProblem {
  readonly problem: string;
}

/** Where operators look: the files, the folder one is in, the shell's options. */
type Where = Pick<Expander, 'fs' | 'state'>;

const BINARY = new Set('= == != < > -eq -ne -lt -le -gt -ge -nt -ot -ef'.split(' '));
const UNARY = /^-[abcdefghknoprstuvwxzGHLOS]$/;

/** `test` and `[`: a value, or what is wrong with the expression. */
export async function testCommand(words: readonly string[], where: Where): Promise<boolean | TestProblem> {
  const parser = new TestParser(words, where);
  if (words.length === 0) return false;
  const value = await parser.or();
  if (parser.problem === null && parser.at < words.length) {
    return { problem: `[: ${words[parser.at] ?? ''}: unexpected operator/operand` };
  }
  return parser.problem === null ? value : { problem: parser.problem };
}

/** `-f file`, `-n text` and their like. */
export async function testFile(operator: string, operand: string, { fs, state }: Where): Promise<boolean> {
  if (operator === '-n') return operand !== '';
  if (operator === '-z') return operand === '';
  if (operator === '-t') return false;
  if (operator === '-o') return ALL_OPTIONS.some((name) => name === operand) && state.options.isOn(operand);
  const link = operator === '-L' || operator === '-h';
  const path = normalize(operand, state.cwd);
  const found = operand === '' ? null : await fs.stat(path, !link);
  if (!found?.ok) return false;
  const { kind, size, mode } = found.value;
  switch (operator) {
    case '-e':
    case '-a':
    case '-r':
      return true;
    case '-w':
      return fs.mayWrite(path);
    case '-f':
      return kind === 'file';
    case '-d':
      return kind === 'directory';
    case '-L':
    case '-h':
      return kind === 'link';
    case '-c':
      return kind === 'char';
    case '-s':
      return size > 0;
    case '-x':
      return kind === 'directory' || (mode & 0o111) !== 0;
    case '-u':
      return (mode & 0o4000) !== 0;
    case '-g':
      return (mode & 0o2000) !== 0;
    case '-k':
      return (mode & 0o1000) !== 0;
    case '-O':
    case '-G':
      return fs.owner(found.value.path) === fs.uid;
    default:
      return false;
  }
}

const ORDERS: Readonly<Record<string, readonly number[]>> = {
  '-eq': [0],
  '-ne': [-1, 1],
  '-lt': [-1],
  '-le': [-1, 0],
  '-gt': [1],
  '-ge': [0, 1],
};

/** `a = b`, `a -lt b`, `a -nt b`; `number` reads a number, or throws. */
export async function compareWords(
  left: string,
  operator: string,
  right: string,
  number: (text: string) => number,
  where: Where,
): Promise<boolean> {
  switch (operator) {
    case '=':
    case '==':
      return left === right;
    case '!=':
      return left !== right;
    case '<':
      return left < right;
    case '>':
      return left > right;
    case '-nt':
    case '-ot':
    case '-ef':
      return compareFiles(left, operator, right, where);
    default:
      return ORDERS[operator]?.includes(Math.sign(number(left) - number(right))) ?? false;
  }
}

async function compareFiles(
  left: string,
  operator: string,
  right: string,
  { fs, state }: Where,
): Promise<boolean> {
  const [a, b] = [await fs.stat(normalize(left, state.cwd)), await fs.stat(normalize(right, state.cwd))];
  if (operator === '-ef') return a.ok && b.ok && a.value.path === b.value.path;
  const [from, to] = [a.ok ? a.value.mtimeMs : -1, b.ok ? b.value.mtimeMs : -1];
  return operator === '-nt' ? from > to : from < to;
}

class TestParser {
  at = 0;
  problem: string | null = null;
  readonly #words: readonly string[];
  readonly #where: Where;

  constructor(words: readonly string[], where: Where) {
    this.#words = words;
    this.#where = where;
  }

  async or(): Promise<boolean> {
    let value = await this.#and();
    while (this.#words[this.at] === '-o') {
      this.at++;
      const right = await this.#and();
      value = value || right;
    }
    return value;
  }

  async #and(): Promise<boolean> {
    let value = await this.#primary();
    while (this.#words[this.at] === '-a') {
      this.at++;
      const right = await this.#primary();
      value = value && right;
    }
    return value;
  }

  async #primary(): Promise<boolean> {
    const word = this.#words[this.at];
    const next = this.#words[this.at + 1];
    const operator = next !== undefined && BINARY.has(next) ? next : null;
    if (word === undefined) {
      this.problem ??= '[: expression expected';
      return false;
    }
    if (operator && this.#words[this.at + 2] === undefined) {
      this.problem ??= `[: ${operator}: missing second argument`;
      return false;
    }
    if (operator) {
      this.at += 3;
      return compareWords(
        word,
        operator,
        this.#words[this.at - 1] ?? '',
        (text) => this.#number(text),
        this.#where,
      );
    }
    this.at++;
    if (word === '!' && next !== undefined) return !(await this.#primary());
    if (word === '(' && next !== undefined) {
      const value = await this.or();
      if (this.#words[this.at] !== ')') this.problem ??= '[: missing )';
      this.at++;
      return value;
    }
    if (
      UNARY.test(word) &&
      next !== undefined &&
      next !== '-a' &&
      (next !== '-o' || this.at + 1 === this.#words.length)
    ) {
      this.at++;
      return testFile(word, next, this.#where);
    }
    return word !== '';
  }

  #number(text: string): number {
    try {
      if (!/^\s*\d+[A-Za-z]/.test(text)) return evaluate(text, this.#where.state.vars);
    } catch (error) {
      if (!(error instanceof ShellFault)) throw error;
    }
    this.problem ??= `[: ${text}: bad number`;
    return 0;
  }
}
