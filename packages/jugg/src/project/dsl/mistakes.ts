import { tokenize, type DslLanguage, type Token } from './lexer.ts';

/** Something that no Gradle takes, with its place; both counted from 1, the column in UTF-16 units. */
export interface Mistake {
  readonly line: number;
  readonly column: number;
  readonly what: string;
}

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
const OPENING: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** Words that a value may follow without a mark between, in either language. */
const KEYWORDS = new Set(
  'return throw else in is as do case assert by yield new instanceof package import and or to until step downTo'.split(
    ' ',
  ),
);

/**
 * The first mistake of a Gradle file: brackets that do not match, texts and comments that never end, and what belongs to the
 * other of the two languages. Only what is certain: `null` also where the text cannot be cut into tokens without
 * doubt, as with Groovy's strings between slashes and Kotlin's with several dollars.
 */
export function findMistake(text: string, language: DslLanguage): Mistake | null {
  const { tokens, fault } = tokenize(text, language);
  const doubts = language === 'kotlin' ? text.includes('$$"') : tokens.some(isSlash);
  if (doubts) return null;
  const foreign = language === 'kotlin' ? groovyInKotlin(tokens) : kotlinInGroovy(tokens);
  const broken: Mistake | null = fault ?? unbalanced(tokens);
  // A wrong quote may be why the rest seems broken; so the earlier one.
  if (foreign === null || broken === null) return foreign ?? broken;
  return isBefore(broken, foreign) ? broken : foreign;
}

function isSlash({ kind, text }: Token): boolean {
  return kind === 'mark' && text === '/';
}

function isBefore(a: Mistake, b: Mistake): boolean {
  return a.line < b.line || (a.line === b.line && a.column < b.column);
}

interface Open {
  readonly token: Token;
  /** Column of the first token of its line. */
  readonly indent: number;
}

function unbalanced(tokens: readonly Token[]): Mistake | null {
  const open: Open[] = [];
  /** The first bracket whose closing one stands under something else: what is missing later was missing here. */
  let doubtful: Open | null = null;
  let indent = 1;
  let startsLine = true;
  for (const token of tokens) {
    if (token.kind === 'newline') {
      startsLine = true;
      continue;
    }
    if (startsLine) indent = token.column;
    if (token.kind === 'mark' && token.text in CLOSING) open.push({ token, indent });
    else if (token.kind === 'mark' && token.text in OPENING) {
      const last = open.pop();
      const { line, column, text } = token;
      if (last === undefined) return { line, column, what: `a \`${text}\` too many` };
      if (last.token.text !== OPENING[text])
        return missing(last.token, ` before \`${text}\` in line ${line}`);
      if (startsLine && last.token.line !== line && last.indent !== token.column) doubtful ??= last;
    }
    startsLine = false;
  }
  const [last] = open.slice(-1);
  return last === undefined ? null : missing((doubtful ?? last).token, '');
}

function missing({ text, line, column }: Token, where: string): Mistake {
  return { line, column, what: `\`${text}\` without its \`${CLOSING[text]}\`${where}` };
}

function groovyInKotlin(tokens: readonly Token[]): Mistake | null {
  const open: string[] = [];
  for (const [index, token] of tokens.entries()) {
    const { line, column } = token;
    if (token.kind === 'mark' && token.text in CLOSING) open.push(token.text);
    else if (token.kind === 'mark' && token.text in OPENING) open.pop();
    // Kotlin has single characters between single quotes.
    if (token.kind === 'string' && token.quote === "'" && token.text.length !== 1)
      return { line, column, what: `a text in single quotes, '${short(token.text)}', in a Kotlin file` };
    if (token.kind !== 'name' || !beginsStatement(tokens[index - 1]) || (open.at(-1) ?? '{') !== '{')
      continue;
    const next = tokens[index + 1];
    if (next === undefined || next.line !== line || KEYWORDS.has(token.text)) continue;
    const isValue = next.kind === 'string' || next.kind === 'number' || /^(true|false)$/.test(next.text);
    if (isValue)
      return { line, column, what: `a call without brackets, \`${token.text} …\`, in a Kotlin file` };
    if (token.text === 'def' && next.kind === 'name')
      return { line, column, what: `\`def ${next.text}\` in a Kotlin file` };
  }
  return null;
}

function kotlinInGroovy(tokens: readonly Token[]): Mistake | null {
  for (const [index, { kind, text, line, column }] of tokens.entries()) {
    if (kind !== 'name' || text !== 'val' || !beginsStatement(tokens[index - 1])) continue;
    const [name, assigned] = [tokens[index + 1], tokens[index + 2]];
    if (
      name?.kind === 'name' &&
      (assigned?.text === '=' || assigned?.text === ':') &&
      assigned.kind === 'mark'
    )
      return { line, column, what: `\`val ${name.text}\` in a Groovy file` };
  }
  return null;
}

function beginsStatement(before: Token | undefined): boolean {
  return (
    before === undefined ||
    before.kind === 'newline' ||
    (before.kind === 'mark' && '{};'.includes(before.text))
  );
}

function short(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
