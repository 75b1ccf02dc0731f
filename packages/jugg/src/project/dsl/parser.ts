import { tokenize, type DslLanguage, type Token } from './lexer.ts';
import type { Arg, Expr, Link, Script, Statement } from './ast.ts';

const CONTROL = new Set(
  (
    'if else for while do when switch try return throw assert ' +
    'fun class object interface enum private public internal static'
  ).split(' '),
);
/** Deeper nesting than any real file has; keeps hostile input from exhausting the stack. */
const MAX_DEPTH = 100;

/** Reads a Gradle file. Never throws: what is not plain becomes `opaque`, what cannot be read a `fault`. */
export function parseScript(text: string, language: DslLanguage): Script {
  const { tokens, fault } = tokenize(text, language);
  const parser = new Parser(tokens, language);
  const statements = parser.statements(false);
  return { statements, fault: fault ?? parser.fault };
}

class Parser {
  readonly #tokens: readonly Token[];
  readonly #language: DslLanguage;
  #at = 0;
  #depth = 0;
  fault: Script['fault'] = null;

  constructor(tokens: readonly Token[], language: DslLanguage) {
    this.#tokens = tokens;
    this.#language = language;
  }

  #peek(ahead = 0): Token {
    const end = {
      kind: 'end',
      text: '',
      line: this.#lastLine(),
      column: 1,
      templated: false,
      quote: '',
    } as const;
    return this.#tokens[this.#at + ahead] ?? end;
  }

  #lastLine(): number {
    return this.#tokens.at(-1)?.line ?? 1;
  }

  #isMark(text: string, ahead = 0): boolean {
    const token = this.#peek(ahead);
    return token.kind === 'mark' && token.text === text;
  }

  #skipNewlines(): void {
    while (this.#peek().kind === 'newline') this.#at++;
  }

  #fail(line: number, what: string): void {
    this.fault ??= { line, what };
    this.#at = this.#tokens.length;
  }

  /** Statements up to the end, or up to the `}` that closes a block (which is consumed). */
  statements(inBlock: boolean): Statement[] {
    const found: Statement[] = [];
    const start = this.#peek().line;
    if (++this.#depth > MAX_DEPTH) this.#fail(start, 'blocks nested too deeply');
    for (;;) {
      const token = this.#peek();
      if (token.kind === 'end') {
        if (inBlock) this.#fail(start, 'a block that is never closed');
        break;
      }
      if (token.kind === 'newline' || this.#isMark(';')) this.#at++;
      else if (this.#isMark('}')) {
        this.#at++;
        if (inBlock) break;
        this.#fail(token.line, 'a closing bracket too many');
      } else found.push(this.#statement());
    }
    this.#depth--;
    return found;
  }

  #statement(): Statement {
    const token = this.#peek();
    if (token.kind === 'name') {
      if (token.text === 'import' || token.text === 'package') {
        while (this.#peek().kind !== 'newline' && this.#peek().kind !== 'end') this.#at++;
        return { kind: 'import', line: token.line };
      }
      const declares = token.text === 'val' || token.text === 'var' || token.text === 'def';
      if (declares && this.#peek(1).kind === 'name') return this.#define(token.line);
      if (!CONTROL.has(token.text)) return this.#chainStatement(token.line);
    }
    // Kotlin calls a configuration by a string when it has no accessor: "implementation"("a:b:1").
    if (token.kind === 'string' && this.#isMark('(', 1)) return this.#chainStatement(token.line);
    return this.#opaque(token.line, this.#at);
  }

  #define(line: number): Statement {
    const start = this.#at++;
    const name = this.#peek().text;
    this.#at++;
    if (this.#isMark(':')) {
      while (!this.#isMark('=') && !this.#endsStatement(this.#peek())) this.#at++;
    }
    if (!this.#isMark('=')) return this.#opaque(line, start);
    this.#at++;
    this.#skipNewlines();
    return { kind: 'define', line, name, value: this.#wholeExpr() };
  }

  #chainStatement(line: number): Statement {
    const start = this.#at;
    const links = this.#chain();
    const next = this.#peek();
    if (next.kind === 'mark' && (next.text === '=' || next.text === '+=' || next.text === '-=')) {
      this.#at++;
      this.#skipNewlines();
      return { kind: 'assign', line, target: links, operator: next.text, value: this.#wholeExpr() };
    }
    const last = links.at(-1);
    const bare = last !== undefined && last.args === null && last.block === null;
    if (bare && this.#language === 'groovy' && this.#startsArgument(next)) {
      const args = this.#commandArgs();
      const block = this.#isMark('{') ? this.#block() : null;
      links[links.length - 1] = { name: last.name, args, block };
    }
    const infix: { name: string; value: Expr }[] = [];
    while (this.#peek().kind === 'name' && this.#startsArgument(this.#peek(1))) {
      const name = this.#peek().text;
      this.#at++;
      infix.push({ name, value: this.#expr(true) });
    }
    if (this.#endsStatement(this.#peek())) return { kind: 'call', line, links, infix };
    return this.#opaque(line, start);
  }

  #startsArgument(token: Token): boolean {
    if (token.kind === 'string' || token.kind === 'number' || token.kind === 'name') return true;
    return token.kind === 'mark' && token.text === '[';
  }

  #endsStatement(token: Token): boolean {
    if (token.kind === 'newline' || token.kind === 'end') return true;
    return token.kind === 'mark' && (token.text === ';' || token.text === '}');
  }

  #commandArgs(): Arg[] {
    const args: Arg[] = [];
    do {
      if (this.#isMark(',')) this.#at++;
      this.#skipNewlines();
      args.push(this.#arg(true));
    } while (this.#isMark(','));
    return args;
  }

  #chain(): Link[] {
    const links: Link[] = [{ name: this.#peek().text, args: null, block: null }];
    this.#at++;
    for (;;) {
      const last = links[links.length - 1];
      if (last === undefined) return links;
      const dot = this.#dotAhead();
      if (dot > 0) {
        this.#at += dot;
        links.push({ name: this.#peek().text, args: null, block: null });
        this.#at++;
      } else if (this.#isMark('(') && last.args === null && last.block === null) {
        links[links.length - 1] = { ...last, args: this.#args(')') };
      } else if (this.#isMark('{') && last.block === null) {
        links[links.length - 1] = { ...last, block: this.#block() };
      } else if (this.#isMark('[') && this.#touches()) {
        links.push({ name: '[]', args: this.#args(']'), block: null });
      } else if (this.#isMark('<') && this.#typeArguments() > 0) this.#at += this.#typeArguments();
      else return links;
    }
  }

  /** How many tokens lead to the next name of the chain (a dot, perhaps on the next line); 0 when it ends here. */
  #dotAhead(): number {
    let ahead = 0;
    while (this.#peek(ahead).kind === 'newline') ahead++;
    if (!this.#isMark('.', ahead) && !this.#isMark('?.', ahead)) return 0;
    ahead++;
    while (this.#peek(ahead).kind === 'newline') ahead++;
    return this.#peek(ahead).kind === 'name' ? ahead : 0;
  }

  /** `x[1]` is an index; Groovy's `x [1]` is a call with a list. */
  #touches(): boolean {
    return this.#language === 'kotlin' || this.#peek(-1).kind !== 'name' || this.#isMark('=', 3);
  }

  /** Length of `<A, B<C>>` when a call follows, else 0. */
  #typeArguments(): number {
    let depth = 0;
    for (let ahead = 0; ahead < 40; ahead++) {
      const token = this.#peek(ahead);
      if (token.kind === 'name') continue;
      if (token.kind !== 'mark') return 0;
      if (token.text === '<') depth++;
      else if (token.text === '>') {
        if (--depth > 0) continue;
        return this.#isMark('(', ahead + 1) || this.#isMark('{', ahead + 1) ? ahead + 1 : 0;
      } else if (token.text !== '.' && token.text !== ',' && token.text !== '?') return 0;
    }
    return 0;
  }

  #block(): Statement[] {
    this.#at++;
    const line = this.#peek().line;
    // Parameters (`x ->`): the body runs for values that are not known here.
    let ahead = 0;
    while (this.#peek(ahead).kind === 'name' || this.#isMark(',', ahead)) ahead++;
    const parameters = ahead > 0 && this.#isMark('->', ahead);
    if (parameters) this.#at += ahead + 1;
    const body = this.statements(true);
    return parameters ? [{ kind: 'opaque', line, text: 'a block with parameters' }, ...body] : body;
  }

  #args(close: ')' | ']'): Arg[] {
    const line = this.#peek().line;
    this.#at++;
    const args: Arg[] = [];
    for (;;) {
      this.#skipNewlines();
      if (this.#isMark(close)) {
        this.#at++;
        return args;
      }
      if (this.#peek().kind === 'end') {
        this.#fail(line, `a \`${close}\` that is missing`);
        return args;
      }
      if (this.#isMark(',')) this.#at++;
      else args.push(this.#arg(false));
    }
  }

  #arg(command: boolean): Arg {
    const named = this.#isMark(':', 1) || (this.#language === 'kotlin' && this.#isMark('=', 1));
    if (named && (this.#peek().kind === 'name' || this.#peek().kind === 'string')) {
      const name = this.#peek().text;
      this.#at += 2;
      this.#skipNewlines();
      return { name, value: this.#expr(command) };
    }
    return { name: null, value: this.#expr(command) };
  }

  #wholeExpr(): Expr {
    const start = this.#at;
    const value = this.#expr(false);
    if (this.#endsStatement(this.#peek())) return value;
    this.#skipToEnd();
    return { kind: 'opaque', text: this.#textFrom(start) };
  }

  /** One value. With `command`, a name after it does not belong to it (`id "x" version "y"`). */
  #expr(command: boolean): Expr {
    if (++this.#depth > MAX_DEPTH) this.#fail(this.#peek().line, 'brackets nested too deeply');
    const start = this.#at;
    const value = this.#primary();
    this.#depth--;
    const next = this.#peek();
    const ends =
      this.#endsStatement(next) ||
      (next.kind === 'mark' && [',', ')', ']', '{'].includes(next.text)) ||
      (command && next.kind === 'name');
    if (ends && value !== null) return value;
    this.#skipExpr(start);
    return { kind: 'opaque', text: this.#textFrom(start) };
  }

  #primary(): Expr | null {
    const token = this.#peek();
    if (token.kind === 'name') {
      if (token.text === 'true' || token.text === 'false') {
        this.#at++;
        return { kind: 'bool', value: token.text === 'true' };
      }
      if (token.text === 'if' || token.text === 'when' || token.text === 'new') return null;
      return { kind: 'chain', links: this.#chain() };
    }
    if (token.kind === 'string') {
      this.#at++;
      if (token.templated) return { kind: 'template', text: token.text };
      return { kind: 'text', value: token.text };
    }
    if (token.kind === 'number') {
      this.#at++;
      const value = Number(token.text.replaceAll('_', '').replace(/[lLfFdD]$/, ''));
      return Number.isFinite(value) ? { kind: 'number', value } : null;
    }
    if (this.#isMark('[')) {
      const items = this.#args(']');
      return items.some((item) => item.name !== null)
        ? null
        : { kind: 'list', items: items.map((item) => item.value) };
    }
    return null;
  }

  /** To the `,`, `)`, `]` or the end of the statement that follows the value that began at `start`. */
  #skipExpr(start: number): void {
    let depth = 0;
    for (; this.#peek().kind !== 'end'; this.#at++) {
      const token = this.#peek();
      if (token.kind === 'mark' && '([{'.includes(token.text)) depth++;
      else if (token.kind === 'mark' && ')]}'.includes(token.text)) {
        if (depth === 0) break;
        depth--;
      } else if (depth === 0 && (token.kind === 'newline' || token.text === ';')) break;
      else if (depth === 0 && token.kind === 'mark' && token.text === ',') break;
    }
    // Whatever happens, something is consumed: no endless loop on odd input.
    if (this.#at === start) this.#at++;
  }

  /** To the end of the statement; brackets that open in it are closed in it, and an `else` belongs to it. */
  #skipToEnd(): void {
    let depth = 0;
    for (; this.#peek().kind !== 'end'; this.#at++) {
      const token = this.#peek();
      if (token.kind === 'mark' && '([{'.includes(token.text)) depth++;
      else if (token.kind === 'mark' && ')]}'.includes(token.text)) {
        if (depth === 0) return;
        depth--;
      } else if (depth === 0 && token.text === ';') return;
      else if (depth === 0 && token.kind === 'newline') {
        let ahead = 0;
        while (this.#peek(ahead).kind === 'newline') ahead++;
        const next = this.#peek(ahead);
        if (!['else', 'catch', 'finally', '.', '?.', '?:', '&&', '||'].includes(next.text)) return;
        this.#at += ahead - 1;
      }
    }
  }

  #opaque(line: number, start: number): Statement {
    this.#skipToEnd();
    // A stray closing bracket: something must be consumed.
    if (this.#at === start) this.#at++;
    return { kind: 'opaque', line, text: this.#textFrom(start) };
  }

  #textFrom(start: number): string {
    const words = this.#tokens.slice(start, this.#at).filter((token) => token.kind !== 'newline');
    return words
      .map((token) => token.text)
      .join(' ')
      .slice(0, 200);
  }
}
