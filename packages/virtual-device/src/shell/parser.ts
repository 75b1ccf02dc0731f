import type { Node, Redirect, Script, Word, WordPart } from './ast.ts';
import { Scanner } from './scanner.ts';

const CLOSERS = ['then', 'else', 'elif', 'fi', 'do', 'done', 'esac', '}'] as const;

/** Parses a whole script; throws {@link SyntaxProblem} with mksh's words. */
export function parseScript(text: string): Script {
  const scanner = new Scanner(text, (nested, close) => list(nested, close));
  const script = list(scanner, '');
  if (!scanner.done) scanner.fail(`unexpected '${scanner.peek()}'`);
  scanner.finish();
  return script;
}

/** Commands up to `close` (which is left standing), a closing reserved word, or the end. */
function list(scanner: Scanner, close: string): Script {
  const items: { node: Node; end: ';' | '&' | '&&' | '||' }[] = [];
  for (;;) {
    scanner.skipBlankLines();
    if (scanner.done || (close !== '' && scanner.peek(close.length) === close)) break;
    if (scanner.peek(2) === ';;' || CLOSERS.some((word) => scanner.isReserved(word))) break;
    const node = pipeline(scanner);
    scanner.skipBlanks();
    if (scanner.accept('&&')) items.push({ node, end: '&&' });
    else if (scanner.accept('||')) items.push({ node, end: '||' });
    else if (scanner.accept('&')) items.push({ node, end: '&' });
    else {
      items.push({ node, end: ';' });
      if (scanner.peek(2) === ';;') break;
      if (!scanner.accept(';') && !scanner.acceptNewline()) break;
    }
  }
  return { kind: 'list', items };
}

function pipeline(scanner: Scanner): Node {
  let negate = false;
  while (scanner.acceptReserved('!')) {
    negate = !negate;
    scanner.skipBlanks();
  }
  const commands: Node[] = [command(scanner)];
  for (;;) {
    scanner.skipBlanks();
    if (scanner.peek(2) === '||' || !scanner.accept('|')) break;
    scanner.skipBlankLines();
    commands.push(command(scanner));
  }
  const [only] = commands;
  if (only && commands.length === 1 && !negate) return only;
  return { kind: 'pipeline', negate, commands };
}

function command(scanner: Scanner): Node {
  if (scanner.accept('(')) {
    const body = list(scanner, ')');
    if (!scanner.accept(')')) scanner.fail("unexpected EOF, expected ')'");
    return { kind: 'subshell', body, redirects: redirects(scanner) };
  }
  if (scanner.acceptReserved('{')) {
    const body = list(scanner, '');
    expect(scanner, '}');
    return { kind: 'group', body, redirects: redirects(scanner) };
  }
  if (scanner.acceptReserved('if')) return ifCommand(scanner);
  for (const until of [false, true]) {
    if (!scanner.acceptReserved(until ? 'until' : 'while')) continue;
    const test = list(scanner, '');
    return { kind: 'loop', until, test, body: doGroup(scanner), redirects: redirects(scanner) };
  }
  if (scanner.acceptReserved('for')) return forCommand(scanner);
  if (scanner.acceptReserved('case')) return caseCommand(scanner);
  return functionCommand(scanner) ?? simple(scanner);
}

/** `name() body` or Korn's `function name body`; null for what is neither. */
function functionCommand(scanner: Scanner): Node | null {
  const rest = scanner.text.slice(scanner.at, scanner.at + LONGEST_NAME);
  const head =
    /^function[ \t]+([A-Za-z_][\w.-]*)[ \t]*(?:\([ \t]*\))?/.exec(rest) ??
    /^([A-Za-z_][\w.-]*)[ \t]*\([ \t]*\)/.exec(rest);
  if (!head?.[1]) return null;
  scanner.at += head[0].length;
  scanner.skipBlankLines();
  if (scanner.done) scanner.fail('unexpected EOF');
  return { kind: 'function', name: head[1], body: command(scanner) };
}

const LONGEST_NAME = 200;

function expect(scanner: Scanner, word: string): void {
  scanner.skipBlankLines();
  if (scanner.acceptReserved(word)) return;
  scanner.fail(scanner.done ? `unexpected EOF, expected '${word}'` : `unexpected '${scanner.peek()}'`);
}

function doGroup(scanner: Scanner): Script {
  expect(scanner, 'do');
  const body = list(scanner, '');
  expect(scanner, 'done');
  return body;
}

function ifCommand(scanner: Scanner): Node {
  const branches: { test: Script; body: Script }[] = [];
  let otherwise: Script | null = null;
  do {
    const test = list(scanner, '');
    expect(scanner, 'then');
    branches.push({ test, body: list(scanner, '') });
    scanner.skipBlankLines();
  } while (scanner.acceptReserved('elif'));
  if (scanner.acceptReserved('else')) otherwise = list(scanner, '');
  expect(scanner, 'fi');
  return { kind: 'if', branches, otherwise, redirects: redirects(scanner) };
}

function forCommand(scanner: Scanner): Node {
  scanner.skipBlanks();
  const name = plainText(scanner.word());
  if (name === null) scanner.fail('bad for loop variable');
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
  return { kind: 'for', name, words, body: doGroup(scanner), redirects: redirects(scanner) };
}

function caseCommand(scanner: Scanner): Node {
  scanner.skipBlanks();
  const subject = scanner.word();
  if (!subject) scanner.fail("unexpected newline, expected 'word'");
  expect(scanner, 'in');
  const arms: { patterns: Word[]; body: Script }[] = [];
  for (;;) {
    scanner.skipBlankLines();
    if (scanner.done || scanner.isReserved('esac')) break;
    scanner.accept('(');
    const patterns: Word[] = [];
    do {
      scanner.skipBlanks();
      const pattern = scanner.word();
      if (!pattern) scanner.fail(`unexpected '${scanner.peek()}'`);
      patterns.push(pattern);
      scanner.skipBlanks();
    } while (scanner.accept('|'));
    if (!scanner.accept(')')) scanner.fail(`unexpected '${scanner.peek()}'`);
    arms.push({ patterns, body: list(scanner, '') });
    scanner.accept(';;');
  }
  expect(scanner, 'esac');
  return { kind: 'case', subject, arms, redirects: redirects(scanner) };
}

function simple(scanner: Scanner): Node {
  const assigns: { name: string; value: Word }[] = [];
  const words: Word[] = [];
  const found: Redirect[] = [];
  for (;;) {
    scanner.skipBlanks();
    const redirect = oneRedirect(scanner);
    if (redirect) {
      found.push(...redirect);
      continue;
    }
    const word = scanner.word();
    if (!word) break;
    const assign = words.length === 0 ? assignment(word) : null;
    if (assign) assigns.push(assign);
    else words.push(word);
  }
  if (words.length === 0 && assigns.length === 0 && found.length === 0) {
    scanner.fail(scanner.done ? 'unexpected EOF' : `unexpected '${scanner.peek()}'`);
  }
  return { kind: 'simple', assigns, words, redirects: found };
}

function assignment(word: Word): { name: string; value: Word } | null {
  const [first, ...rest] = word;
  if (first?.kind !== 'text' || first.quoted) return null;
  const match = /^([A-Za-z_]\w*)=/.exec(first.text);
  if (!match?.[1]) return null;
  const text = first.text.slice(match[0].length);
  return { name: match[1], value: text === '' ? rest : [{ ...first, text }, ...rest] };
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

function oneRedirect(scanner: Scanner): Redirect[] | null {
  const match = /^(&>>?|\d?(?:<<<|<<-?|<&|>&|>>|>\||<|>))/.exec(
    scanner.text.slice(scanner.at, scanner.at + 4),
  );
  if (!match?.[1]) return null;
  const sign = match[1];
  scanner.at += sign.length;
  scanner.skipBlanks();
  const target = scanner.word();
  if (!target) scanner.fail('missing file name after redirection');
  if (sign.startsWith('&')) {
    const op = sign === '&>' ? '>' : '>>';
    return [
      { fd: 1, op, target },
      { fd: 2, op: '>&', target: [{ kind: 'text', text: '1', quoted: true }] },
    ];
  }
  const digit = /^\d/.exec(sign)?.[0];
  const hereDoc = /<<(-?)$/.exec(sign);
  if (hereDoc) {
    const body: WordPart[] = [];
    scanner.expectHereDoc(target, hereDoc[1] === '-', body);
    return [{ fd: digit ? Number(digit) : 0, op: '<<', target: body }];
  }
  const plain = sign.replace(/^\d/, '').replace('>|', '>');
  const op =
    plain === '<' || plain === '<&' || plain === '<<<' || plain === '>>' || plain === '>&' ? plain : '>';
  return [{ fd: digit ? Number(digit) : op.startsWith('<') ? 0 : 1, op, target }];
}

function plainText(word: Word | null): string | null {
  const [only] = word ?? [];
  return word?.length === 1 && only?.kind === 'text' && !only.quoted ? only.text : null;
}
