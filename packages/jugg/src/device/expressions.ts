import { fail, ok, type Result } from '../shared/outcome.ts';

/** One link of a chain: `name`, `name()` or `name(literal)`. */
export interface ExpressionStep {
  readonly name: string;
  /** With parentheses: a method of this very name. Without: a public field, else `getName` or `isName`. */
  readonly call: boolean;
  readonly arg?: string | number | boolean;
}

/** Contract §6. */
const MAX_STEPS = 5;
const MAX_LENGTH = 300;
const CALLABLE =
  /^(?:(?:get|is|has|can|should)(?![a-z])|(?:toString|length|size|isEmpty|name|ordinal|hashCode)$)/;
const IDENTIFIER = /[A-Za-z_$][\w$]*/y;
const LITERAL =
  /\s*(?:(?<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?<word>true|false)|(?<number>-?\d+(?:\.\d+)?)[LlFfDd]?)\s*/y;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

/** Parses a dot chain of getters; `INVALID_PARAMS` says what is wrong with it and where. */
export function parseExpression(text: string): Result<readonly ExpressionStep[]> {
  if (text.length > MAX_LENGTH) return wrong(`is longer than ${MAX_LENGTH} characters`);
  const source = text.trim();
  const steps: ExpressionStep[] = [];
  let at = 0;
  for (;;) {
    const name = matchAt(IDENTIFIER, source, at)?.[0];
    if (name === undefined) return wrong(`expected a name at ${place(source, at)}`);
    at += name.length;
    const argument = source[at] === '(' ? readArgument(source, at + 1) : null;
    if (argument?.ok === false) return argument;
    if (argument) {
      if (!CALLABLE.test(name)) {
        return wrong(
          `${name}() may not be called: only get…, is…, has…, can…, should…, toString, length, size, isEmpty, name, ordinal, hashCode`,
        );
      }
      at = argument.value.end;
    }
    const arg = argument?.value.arg;
    steps.push({ name, call: argument !== null, ...(arg === undefined ? {} : { arg }) });
    if (at === source.length) break;
    if (source[at] !== '.') return wrong(`expected a dot at ${place(source, at)}`);
    at += 1;
  }
  return steps.length > MAX_STEPS
    ? wrong(`has ${steps.length} links, at most ${MAX_STEPS} are allowed`)
    : ok(steps);
}

interface Argument {
  readonly arg: string | number | boolean | undefined;
  /** Index behind the closing parenthesis. */
  readonly end: number;
}

function readArgument(source: string, from: number): Result<Argument> {
  const found = matchAt(LITERAL, source, from);
  const blank = /^\s*/.exec(source.slice(from))?.[0].length ?? 0;
  const end = from + (found?.[0].length ?? blank);
  if (source[end] !== ')') {
    return wrong(
      source[end] === ','
        ? 'takes at most one argument a call'
        : `expected a number, a text in quotes, true or false, then ")" at ${place(source, end)}`,
    );
  }
  return ok({ arg: literal(found?.groups), end: end + 1 });
}

function literal(groups: Readonly<Record<string, string | undefined>> | undefined): Argument['arg'] {
  const text = groups?.['text'];
  if (text !== undefined) {
    return text.slice(1, -1).replaceAll(/\\(.)/gs, (_, char: string) => ESCAPES[char] ?? char);
  }
  if (groups?.['word'] !== undefined) return groups['word'] === 'true';
  return groups?.['number'] === undefined ? undefined : Number(groups['number']);
}

function matchAt(form: RegExp, source: string, at: number): RegExpExecArray | null {
  form.lastIndex = at;
  return form.exec(source);
}

function place(source: string, at: number): string {
  return at >= source.length ? 'the end' : `${JSON.stringify(source.slice(at, at + 10))} (column ${at + 1})`;
}

function wrong(what: string): Result<never> {
  return fail('INVALID_PARAMS', what);
}
