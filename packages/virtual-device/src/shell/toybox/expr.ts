import { complain } from '../command.ts';
import type { Command, CommandContext } from '../command.ts';
import { posixRegExp } from './posix-regexp.ts';

export const EXPR_COMMANDS: readonly (readonly [string, Command])[] = [['expr', expr]];

/** Loosest first. */
const LEVELS: readonly (readonly string[])[] = [
  ['|'],
  ['&'],
  ['=', '==', '!=', '<', '<=', '>', '>='],
  ['+', '-'],
  ['*', '/', '%'],
  [':'],
];

class BadExpression extends Error {}

/** POSIX `expr`: 0 when the value is neither empty nor 0, 1 when it is, 2 for what is no expression. */
async function expr(context: CommandContext): Promise<number> {
  try {
    const value = new Evaluation(context.args).run();
    await context.stdout.write(`${value}\n`);
    return isFalse(value) ? 1 : 0;
  } catch (error) {
    if (error instanceof BadExpression || error instanceof SyntaxError)
      return complain(context, error.message, 2);
    throw error;
  }
}

function isFalse(value: string): boolean {
  return value === '' || value === '0';
}

class Evaluation {
  readonly #words: readonly string[];
  #at = 0;

  constructor(words: readonly string[]) {
    this.#words = words;
  }

  run(): string {
    if (this.#words.length === 0) throw new BadExpression('needs 1 argument');
    const value = this.#level(0);
    if (this.#at < this.#words.length) throw new BadExpression(`syntax error @${this.#at + 1}`);
    return value;
  }

  #level(level: number): string {
    const operators = LEVELS[level];
    if (!operators) return this.#operand();
    let left = this.#level(level + 1);
    for (
      let word = this.#words[this.#at];
      word !== undefined && operators.includes(word);
      word = this.#words[this.#at]
    ) {
      this.#at++;
      left = apply(word, left, this.#level(level + 1));
    }
    return left;
  }

  #operand(): string {
    const word = this.#words[this.#at++];
    if (word === undefined) throw new BadExpression('missing argument');
    if (word !== '(') return word;
    const value = this.#level(0);
    if (this.#words[this.#at++] !== ')') throw new BadExpression('missing )');
    return value;
  }
}

function apply(operator: string, left: string, right: string): string {
  switch (operator) {
    case '|':
      return isFalse(left) ? (isFalse(right) ? '0' : right) : left;
    case '&':
      return isFalse(left) || isFalse(right) ? '0' : left;
    case ':':
      return matched(left, right);
    case '+':
    case '-':
    case '*':
    case '/':
    case '%':
      return calculated(operator, number(left), number(right));
    default:
      return compared(operator, left, right) ? '1' : '0';
  }
}

/** What the group of the expression fits, or how many characters the whole does. */
function matched(text: string, pattern: string): string {
  const { source } = posixRegExp(pattern, false, '');
  const match = new RegExp(`^(?:${source})`).exec(text);
  const hasGroup = /\\\(/.test(pattern);
  if (!match) return hasGroup ? '' : '0';
  return hasGroup ? (match[1] ?? '') : String(Array.from(match[0]).length);
}

function number(text: string): bigint {
  if (!/^-?\d+$/.test(text)) throw new BadExpression('non-integer argument');
  return BigInt(text);
}

function calculated(operator: string, a: bigint, b: bigint): string {
  if (b === 0n && (operator === '/' || operator === '%')) throw new BadExpression('division by zero');
  const work: Readonly<Record<string, () => bigint>> = {
    '+': () => a + b,
    '-': () => a - b,
    '*': () => a * b,
    '/': () => a / b,
    '%': () => a % b,
  };
  const value = work[operator]?.();
  return BigInt.asIntN(64, value ?? 0n).toString();
}

/** As numbers where both are. */
function compared(operator: string, a: string, b: string): boolean {
  const numbers = [a, b].every((text) => /^-?\d+$/.test(text));
  const order = numbers ? Number(BigInt(a) - BigInt(b)) : a < b ? -1 : a > b ? 1 : 0;
  switch (operator) {
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
    case '!=':
      return order !== 0;
    default:
      return order === 0;
  }
}
