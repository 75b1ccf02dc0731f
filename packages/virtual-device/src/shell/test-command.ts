import { normalize } from '../fs/paths.ts';
import type { UserFs } from '../fs/user-fs.ts';

export interface TestProblem {
  readonly problem: string;
}

/** `test` and `[`: a value, or what is wrong with the expression. */
export async function testCommand(
  words: readonly string[],
  cwd: string,
  fs: UserFs,
): Promise<boolean | TestProblem> {
  const parser = new TestParser(words, cwd, fs);
  if (words.length === 0) return false;
  const value = await parser.or();
  if (parser.problem === null && parser.at < words.length) {
    return { problem: `[: ${words[parser.at] ?? ''}: unexpected operator/operand` };
  }
  return parser.problem === null ? value : { problem: parser.problem };
}

const BINARY = new Set(['=', '==', '!=', '<', '>', '-eq', '-ne', '-lt', '-le', '-gt', '-ge', '-nt', '-ot']);

class TestParser {
  at = 0;
  problem: string | null = null;
  readonly #words: readonly string[];
  readonly #cwd: string;
  readonly #fs: UserFs;

  constructor(words: readonly string[], cwd: string, fs: UserFs) {
    this.#words = words;
    this.#cwd = cwd;
    this.#fs = fs;
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
    const operator =
      next !== undefined && BINARY.has(next) && this.#words[this.at + 2] !== undefined ? next : null;
    if (word === undefined) {
      this.problem ??= '[: expression expected';
      return false;
    }
    if (operator) {
      this.at += 3;
      return this.#compare(word, operator, this.#words[this.at - 1] ?? '');
    }
    this.at++;
    if (word === '!' && next !== undefined) return !(await this.#primary());
    if (word === '(' && next !== undefined) {
      const value = await this.or();
      if (this.#words[this.at] !== ')') this.problem ??= '[: missing )';
      this.at++;
      return value;
    }
    if (/^-[a-zA-Z]$/.test(word) && next !== undefined && next !== '-a' && next !== '-o') {
      this.at++;
      return this.#unary(word, next);
    }
    return word !== '';
  }

  async #unary(operator: string, operand: string): Promise<boolean> {
    if (operator === '-n') return operand !== '';
    if (operator === '-z') return operand === '';
    if (operator === '-t') return false;
    const link = operator === '-L' || operator === '-h';
    const found = await this.#fs.stat(normalize(operand, this.#cwd), !link);
    if (!found.ok) return false;
    const { kind, size, mode } = found.value;
    switch (operator) {
      case '-e':
      case '-r':
      case '-w':
        return true;
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
      default:
        this.problem ??= `[: ${operator}: unexpected operator/operand`;
        return false;
    }
  }

  async #compare(left: string, operator: string, right: string): Promise<boolean> {
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
      case '-ot': {
        const [a, b] = [await this.#mtime(left), await this.#mtime(right)];
        return operator === '-nt' ? a > b : a < b;
      }
      default:
        return this.#compareNumbers(left, operator, right);
    }
  }

  #compareNumbers(left: string, operator: string, right: string): boolean {
    const [a, b] = [Number(left), Number(right)];
    for (const [text, value] of [
      [left, a],
      [right, b],
    ] as const) {
      if (!Number.isInteger(value) || text.trim() === '') {
        this.problem ??= `[: ${text}: bad number`;
        return false;
      }
    }
    const order = Math.sign(a - b);
    const fits: Readonly<Record<string, readonly number[]>> = {
      '-eq': [0],
      '-ne': [-1, 1],
      '-lt': [-1],
      '-le': [-1, 0],
      '-gt': [1],
      '-ge': [0, 1],
    };
    return fits[operator]?.includes(order) ?? false;
  }

  async #mtime(path: string): Promise<number> {
    const found = await this.#fs.stat(normalize(path, this.#cwd));
    return found.ok ? found.value.mtimeMs : -1;
  }
}
