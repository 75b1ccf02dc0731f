import type { ArmEnd, Assign, Node, Redirect, Script, Word, WordPart } from './ast.ts';
import { SyntaxProblem } from './faults.ts';
import { parseCondition } from './parse-condition.ts';
import { Scanner } from './scanner.ts';

const CLOSERS = ['then', 'else', 'elif', 'fi', 'do', 'done', 'esac', '}'] as const;
/** Ends of a `case` arm. */
const ARM_ENDS: Readonly<Record<string, ArmEnd>> = { ';;': 'leave', ';&': 'fall', ';|': 'test' };

/** Names that stand for the beginning of a command. */
export type Aliases = ReadonlyMap<string, string>;

/**
 * The commands of a script, line by line: the shell runs one before it looks at the next, so that an error in the last
 * line comes after the effects of the first. Throws `SyntaxProblem` with mksh's words.
 */
export function* commandLines(text: string, aliases: Aliases = new Map()): Generator<Script> {
  const parser = new Parser(aliases);
  const scanner = new Scanner(text, (nested, close) => parser.list(nested, close));
  for (;;) {
    scanner.skipBlankLines();
    if (scanner.done) break;
    yield parser.line(scanner);
  }
  scanner.finish();
}

class Parser {
  readonly #aliases: Aliases;
  /** Aliases that the text at hand comes from: they do not stand for themselves again. */
  readonly #expanding = new Set<string>();

  constructor(aliases: Aliases) {
    this.#aliases = aliases;
  }

  /** One line of commands, with all that they contain. */
  line(scanner: Scanner): Script {
    return this.#items(scanner, '', true);
  }

  /** Commands up to `close` (which is left standing), a closing reserved word, or the end. */
  list(scanner: Scanner, close: string): Script {
    return this.#items(scanner, close, false);
  }

  #items(scanner: Scanner, close: string, oneLine: boolean): Script {
    const items: { node: Node; end: ';' | '&' | '&&' | '||'; text: string }[] = [];
    for (;;) {
      if (oneLine && items.length > 0 && items.at(-1)?.end.length === 1) scanner.skipBlanks();
      else scanner.skipBlankLines();
      if (oneLine && scanner.peek() === '\n') break;
      const joined = items.at(-1)?.end.length === 2;
      if (joined && scanner.done) scanner.fail('unexpected EOF');
      if (scanner.done || (close !== '' && scanner.peek(close.length) === close)) break;
      if (scanner.peek(2) in ARM_ENDS || CLOSERS.some((word) => scanner.isReserved(word))) break;
      const start = scanner.at;
      const node = this.#pipeline(scanner);
      const text = scanner.text.slice(start, scanner.at).trim();
      scanner.skipBlanks();
      if (scanner.accept('&&')) items.push({ node, end: '&&', text });
      else if (scanner.accept('||')) items.push({ node, end: '||', text });
      else if (scanner.accept('&')) items.push({ node, end: '&', text });
      else {
        items.push({ node, end: ';', text });
        if (scanner.peek(2) in ARM_ENDS) break;
        if (scanner.accept(';')) continue;
        if (oneLine || !scanner.acceptNewline()) break;
      }
    }
    if (oneLine && !scanner.acceptNewline() && !scanner.done)
      scanner.fail(`unexpected '${scanner.nextToken()}'`);
    return { kind: 'list', items };
  }

  #pipeline(scanner: Scanner): Node {
    let negate = false;
    const timed = scanner.acceptReserved('time');
    if (timed) {
      scanner.skipBlanks();
      if (scanner.acceptReserved('-p')) scanner.skipBlanks();
    }
    while (scanner.acceptReserved('!')) {
      negate = !negate;
      scanner.skipBlanks();
    }
    const commands: Node[] = [this.#command(scanner)];
    for (;;) {
      scanner.skipBlanks();
      if (scanner.peek(2) === '||' || !scanner.accept('|')) break;
      scanner.skipBlankLines();
      commands.push(this.#command(scanner));
    }
    const [only] = commands;
    if (only && commands.length === 1 && !negate && !timed) return only;
    return { kind: 'pipeline', negate, timed, commands };
  }

  #command(scanner: Scanner): Node {
    return scanner.nested(() => this.#anyCommand(scanner));
  }

  #anyCommand(scanner: Scanner): Node {
    const alias = this.#alias(scanner);
    if (alias === null) return this.#plainCommand(scanner);
    this.#expanding.add(alias);
    const node = this.#anyCommand(scanner);
    this.#expanding.delete(alias);
    return node;
  }

  /** Puts an alias's value in its place; the name, or null where none stands. */
  #alias(scanner: Scanner): string | null {
    if (this.#aliases.size === 0) return null;
    const [name] = /^[^\s;&|<>()$`"'\\=#]+/.exec(scanner.peek(LONGEST_NAME)) ?? [];
    const value = name === undefined ? undefined : this.#aliases.get(name);
    if (name === undefined || value === undefined || this.#expanding.has(name)) return null;
    scanner.replaceNext(name, value);
    scanner.skipBlanks();
    return name;
  }

  #plainCommand(scanner: Scanner): Node {
    if (scanner.peek(2) === '((') {
      const expression = scanner.arithmetic();
      if (expression) return { kind: 'arithmetic', expression, redirects: redirects(scanner) };
    }
    if (scanner.accept('(')) {
      const body = this.list(scanner, ')');
      if (!scanner.accept(')')) scanner.fail("unmatched '('");
      return { kind: 'subshell', body, redirects: redirects(scanner) };
    }
    if (scanner.acceptReserved('{')) {
      const body = this.list(scanner, '');
      expect(scanner, '}', '{');
      return { kind: 'group', body, redirects: redirects(scanner) };
    }
    if (scanner.acceptReserved('[[')) {
      return { kind: 'condition', condition: parseCondition(scanner), redirects: redirects(scanner) };
    }
    if (scanner.acceptReserved('if')) return this.#if(scanner);
    for (const word of ['while', 'until'] as const) {
      if (!scanner.acceptReserved(word)) continue;
      const test = this.list(scanner, '');
      const body = this.#doGroup(scanner, word);
      return { kind: 'loop', until: word === 'until', test, body, redirects: redirects(scanner) };
    }
    for (const kind of ['for', 'select'] as const)
      if (scanner.acceptReserved(kind)) return this.#for(scanner, kind);
    if (scanner.acceptReserved('case')) return this.#case(scanner);
    return this.#function(scanner) ?? simple(scanner);
  }

  /** `name() body` or Korn's `function name body`; null for what is neither. */
  #function(scanner: Scanner): Node | null {
    const rest = scanner.peek(LONGEST_NAME);
    const korn = /^function[ \t]+([A-Za-z_][\w.-]*)[ \t]*(?:\([ \t]*\))?/.exec(rest);
    const head = korn ?? /^([A-Za-z_][\w.-]*)[ \t]*\([ \t]*\)/.exec(rest);
    if (!head?.[1]) return null;
    scanner.at += head[0].length;
    scanner.skipBlankLines();
    if (scanner.done) scanner.fail('unexpected EOF');
    return { kind: 'function', name: head[1], ownName: korn !== null, body: this.#command(scanner) };
  }

  #doGroup(scanner: Scanner, opened: string): Script {
    expect(scanner, 'do', opened);
    const body = this.list(scanner, '');
    expect(scanner, 'done', 'do');
    return body;
  }

  #if(scanner: Scanner): Node {
    const branches: { test: Script; body: Script }[] = [];
    let otherwise: Script | null = null;
    do {
      const test = this.list(scanner, '');
      expect(scanner, 'then', 'if');
      branches.push({ test, body: this.list(scanner, '') });
      scanner.skipBlankLines();
    } while (scanner.acceptReserved('elif'));
    if (scanner.acceptReserved('else')) otherwise = this.list(scanner, '');
    expect(scanner, 'fi', 'if');
    return { kind: 'if', branches, otherwise, redirects: redirects(scanner) };
  }

  #for(scanner: Scanner, kind: 'for' | 'select'): Node {
    scanner.skipBlanks();
    if (scanner.peek(2) === '((') scanner.fail("unexpected '(('");
    const name = plainText(scanner.word());
    if (name === null || !/^[A-Za-z_]\w*$/.test(name)) scanner.fault(`${kind}: bad identifier`);
    scanner.skipBlankLines();
    let words: Word[] | null = null;
    if (scanner.acceptReserved('in')) {
      words = [];
      for (scanner.skipBlanks(); ; scanner.skipBlanks()) {
        const word = scanner.word();
        if (!word) break;
        words.push(word);
      }
    }
    scanner.skipBlanks();
    if (!scanner.accept(';')) scanner.acceptNewline();
    return { kind, name, words, body: this.#doGroup(scanner, kind), redirects: redirects(scanner) };
  }

  #case(scanner: Scanner): Node {
    scanner.skipBlanks();
    const subject = scanner.word();
    if (!subject) scanner.fail(`unexpected '${scanner.nextToken()}'`);
    expect(scanner, 'in', 'case');
    const arms: { patterns: Word[]; body: Script; end: ArmEnd }[] = [];
    for (;;) {
      scanner.skipBlankLines();
      if (scanner.done || scanner.isReserved('esac')) break;
      scanner.accept('(');
      const patterns: Word[] = [];
      do {
        scanner.skipBlanks();
        const pattern = scanner.word();
        if (!pattern) scanner.fail(`unexpected '${scanner.nextToken()}'`);
        patterns.push(pattern);
        scanner.skipBlanks();
      } while (scanner.accept('|'));
      if (!scanner.accept(')')) scanner.fail(`unexpected '${scanner.nextToken()}'`);
      const body = this.list(scanner, '');
      const end = ARM_ENDS[scanner.peek(2)];
      if (end) scanner.at += 2;
      arms.push({ patterns, body, end: end ?? 'leave' });
    }
    expect(scanner, 'esac', 'case');
    return { kind: 'case', subject, arms, redirects: redirects(scanner) };
  }
}

const LONGEST_NAME = 200;

function expect(scanner: Scanner, word: string, opened: string): void {
  scanner.skipBlankLines();
  if (scanner.acceptReserved(word)) return;
  scanner.fail(scanner.done ? `unmatched '${opened}'` : `unexpected '${scanner.nextToken()}'`);
}

function simple(scanner: Scanner): Node {
  const assigns: Assign[] = [];
  const words: Word[] = [];
  const found: Redirect[] = [];
  const { line } = scanner;
  for (;;) {
    scanner.skipBlanks();
    const redirect = oneRedirect(scanner);
    if (redirect) {
      found.push(...redirect);
      continue;
    }
    const assign = words.length === 0 ? assignment(scanner) : null;
    if (assign) {
      assigns.push(assign);
      continue;
    }
    const word = scanner.word();
    if (!word) break;
    words.push(word);
  }
  if (words.length === 0 && assigns.length === 0 && found.length === 0) {
    scanner.fail(scanner.done ? 'unexpected EOF' : `unexpected '${scanner.nextToken()}'`);
  }
  return { kind: 'simple', assigns, words, redirects: found, line };
}

/** Takes `name=…`, `name+=…`, `name[…]=…` or `name=(…)`; null when the next word is none. */
function assignment(scanner: Scanner): Assign | null {
  const start = scanner.at;
  const [name] = /^[A-Za-z_]\w*/.exec(scanner.peek(LONGEST_NAME)) ?? [];
  if (name === undefined) return null;
  scanner.at += name.length;
  const bracket = scanner.peek() === '[' && /^\[[^\s\]]*\]\+?=/.test(scanner.peek(LONGEST_NAME));
  const found = bracket ? scanner.subscript() : null;
  const append = scanner.peek(2) === '+=';
  if (append) scanner.at++;
  if (!scanner.accept('=')) {
    scanner.at = start;
    return null;
  }
  const subscript = found && 'at' in found ? found.at : null;
  if (subscript === null && scanner.accept('(')) {
    const elements: Word[] = [];
    for (;;) {
      scanner.skipBlankLines();
      const word = scanner.word();
      if (!word) break;
      elements.push(word);
    }
    if (!scanner.accept(')')) scanner.fail("unmatched '('");
    return { name, subscript, append, value: { elements } };
  }
  return { name, subscript, append, value: scanner.word() ?? [] };
}

function redirects(scanner: Scanner): Redirect[] {
  const all: Redirect[] = [];
  for (;;) {
    scanner.skipBlanks();
    const some = oneRedirect(scanner);
    if (!some) return all;
    all.push(...some);
  }
}

const REDIRECT = /^(?:(&>>?)|(\d?)(<<<|<<-?|<&|<>|>&|>>|>\||<|>))/;

function oneRedirect(scanner: Scanner): Redirect[] | null {
  const match = REDIRECT.exec(scanner.peek(4));
  if (!match) return null;
  const [sign, both, digit, op = '>'] = match;
  scanner.at += sign.length;
  scanner.skipBlanks();
  const target = scanner.word();
  if (!target) scanner.fail(`unexpected '${scanner.nextToken()}'`);
  if (both) {
    return [
      { fd: 1, op: both === '&>' ? '>' : '>>', target },
      { fd: 2, op: '>&', target: [{ kind: 'text', text: '1', quoted: true }] },
    ];
  }
  const fd = digit ? Number(digit) : op.startsWith('<') ? 0 : 1;
  if (op === '<<' || op === '<<-') {
    const body: WordPart[] = [];
    scanner.expectHereDoc(target, op === '<<-', body);
    return [{ fd, op: '<<', target: body }];
  }
  return [{ fd, op: op as Redirect['op'], target }];
}

function plainText(word: Word | null): string | null {
  const [only] = word ?? [];
  return word?.length === 1 && only?.kind === 'text' && !only.quoted ? only.text : null;
}

/** Whether a text is the beginning of something, which its next line goes on with. */
export function isIncomplete(text: string, aliases: Aliases): boolean {
  if (/(?:^|[^\\])(?:\\\\)*\\\n?$/.test(text)) return true;
  try {
    for (const line of commandLines(text, aliases)) void line;
    return false;
  } catch (error) {
    return error instanceof SyntaxProblem && error.incomplete;
  }
}
