import type { Script, Subscript, Word, WordPart } from './ast.ts';
import { SyntaxProblem } from './faults.ts';
import { dollarQuoted } from './print.ts';

/** How deep commands may stand in one another; what is deeper would overflow the parser's own stack. */
const DEEPEST_NEST = 300;

const NAME = /^[A-Za-z_][A-Za-z0-9_]*/;
const SPECIAL_PARAM = /^[0-9?$!#@*-]/;
/** Behind the name in `${…}`; `/` and `:` have a second word. */
const OPERATOR = /^(?::[-=?+]|[-=?+]|##?|%%?|\/[/#%]?|:|@[Q#])?/;
/** The lists of patterns of Korn shells: `+(a|b)`. */
const PATTERN_LIST = /^[@*+?!]\(/;
const LONGEST_TOKEN = 60;
const ENDS_WORD = ' \t\n;&|<>()';

/** One whose text is still to come. */
interface HereDoc {
  readonly end: string;
  /** Nothing in it is expanded. */
  readonly quoted: boolean;
  readonly stripTabs: boolean;
  readonly body: WordPart[];
}

type ParseNested = (scanner: Scanner, close: string) => Script;

/** Reads words out of a script; `parseScript` reads a nested one up to its closing sign. */
export class Scanner {
  #text: string;
  at = 0;
  readonly #hereDocs: HereDoc[] = [];
  readonly #parseNested: ParseNested;
  /** Shared with the scanners of what stands inside. */
  readonly #nest: { depth: number };
  #line = 1;
  #lineCountedTo = 0;

  constructor(text: string, parseNested: ParseNested, nest = { depth: 0 }) {
    this.#text = text;
    this.#parseNested = parseNested;
    this.#nest = nest;
  }

  get text(): string {
    return this.#text;
  }

  /** The line that is read, from 1. */
  get line(): number {
    for (; this.#lineCountedTo < this.at; this.#lineCountedTo++)
      if (this.#text[this.#lineCountedTo] === '\n') this.#line++;
    return this.#line;
  }

  /** Puts the value of an alias in the place of the name that comes next. */
  replaceNext(name: string, value: string): void {
    this.#text = this.#text.slice(0, this.at) + value + this.#text.slice(this.at + name.length);
  }

  /** Reads something that may stand in itself. */
  nested<T>(read: () => T): T {
    if (++this.#nest.depth > DEEPEST_NEST) this.fail('nested too deeply');
    const value = read();
    this.#nest.depth--;
    return value;
  }

  get done(): boolean {
    return this.at >= this.text.length;
  }

  peek(length = 1): string {
    return this.text.slice(this.at, this.at + length);
  }

  /** Blanks, line continuations and comments. */
  skipBlanks(): void {
    for (;;) {
      const char = this.peek();
      if (char === ' ' || char === '\t' || char === '\r') this.at++;
      else if (this.peek(2) === '\\\n') this.at += 2;
      else if (char === '#') while (!this.done && this.peek() !== '\n') this.at++;
      else return;
    }
  }

  skipBlankLines(): void {
    for (this.skipBlanks(); this.acceptNewline(); this.skipBlanks());
  }

  /** Takes the end of a line, and the here-documents that begin behind it. */
  acceptNewline(): boolean {
    if (!this.accept('\n')) return false;
    for (const hereDoc of this.#hereDocs.splice(0)) this.#readHereDoc(hereDoc);
    return true;
  }

  /** A here-document was announced; `body` gets its text when the line has ended. */
  expectHereDoc(delimiter: Word, stripTabs: boolean, body: WordPart[]): void {
    const end = delimiter.map((part) => (part.kind === 'text' ? part.text : '')).join('');
    const quoted = delimiter.some((part) => part.kind === 'text' && part.quoted);
    this.#hereDocs.push({ end, quoted, stripTabs, body });
  }

  /** To be called at the end of the script. */
  finish(): void {
    const [unread] = this.#hereDocs;
    if (unread) throw new SyntaxProblem(`here document '${unread.end}' unclosed`, true);
  }

  #readHereDoc({ end, quoted, stripTabs, body }: HereDoc): void {
    let text = '';
    for (;;) {
      if (this.done) throw new SyntaxProblem(`here document '${end}' unclosed`, true);
      const newline = this.text.indexOf('\n', this.at);
      const stop = newline < 0 ? this.text.length : newline;
      const raw = this.text.slice(this.at, stop);
      const line = stripTabs ? raw.replace(/^\t+/, '') : raw;
      this.at = Math.min(stop + 1, this.text.length);
      if (line === end) break;
      text += `${line}\n`;
    }
    if (quoted) body.push({ kind: 'text', text, quoted: true });
    else body.push(...this.#inner(text).#quotedText(''));
  }

  #inner(text: string): Scanner {
    return new Scanner(text, this.#parseNested, this.#nest);
  }

  /** Takes `sign` if it comes next. */
  accept(sign: string): boolean {
    if (!this.text.startsWith(sign, this.at)) return false;
    this.at += sign.length;
    return true;
  }

  /** The next word if it is exactly this reserved one; takes it. */
  acceptReserved(word: string): boolean {
    if (!this.isReserved(word)) return false;
    this.at += word.length;
    return true;
  }

  isReserved(word: string): boolean {
    if (!this.text.startsWith(word, this.at)) return false;
    const after = this.text[this.at + word.length];
    return after === undefined || ENDS_WORD.includes(after);
  }

  /** What comes next, for a message. */
  nextToken(): string {
    const [sign] = /^(?:&&|\|\||;;|\(\(|[;&|<>()]|[^\s;&|<>()]+)/.exec(this.peek(LONGEST_TOKEN)) ?? [];
    return sign ?? (this.done ? 'EOF' : 'newline');
  }

  fail(what: string): never {
    throw new SyntaxProblem(`syntax error: ${what}`, this.done);
  }

  fault(message: string): never {
    throw new SyntaxProblem(message);
  }

  /** One word, or `null` when none starts here. */
  word(): Word | null {
    const parts: WordPart[] = [];
    let plain = '';
    let inList = 0;
    const flush = (): void => {
      if (plain !== '') parts.push({ kind: 'text', text: plain, quoted: false });
      plain = '';
    };
    for (;;) {
      const char = this.peek();
      if (PATTERN_LIST.test(this.peek(2)) || (inList > 0 && '(|)'.includes(char) && char !== '')) {
        const taken = inList > 0 && '(|)'.includes(char) ? char : this.peek(2);
        inList += taken === ')' ? -1 : taken === '|' ? 0 : 1;
        plain += taken;
        this.at += taken.length;
        continue;
      }
      if (char === '' || (inList === 0 && ENDS_WORD.includes(char))) break;
      if (char === '$' && this.text[this.at + 1] === "'") {
        flush();
        this.at++;
        parts.push({ kind: 'text', text: this.#dollarQuoted(), quoted: true });
      } else if (char === '$' && this.text[this.at + 1] === '"') this.at++;
      else if (char === "'") {
        flush();
        parts.push({ kind: 'text', text: this.#singleQuoted(), quoted: true });
      } else if (char === '"') {
        flush();
        parts.push(...this.#doubleQuoted());
      } else if (char === '\\') {
        this.at++;
        if (this.accept('\n')) continue;
        flush();
        parts.push({ kind: 'text', text: this.peek() || '\\', quoted: true });
        this.at++;
      } else if (char === '$' || char === '`') {
        const part = this.#expansion(false);
        if (part) {
          flush();
          parts.push(part);
        } else {
          plain += char;
          this.at++;
        }
      } else {
        plain += char;
        this.at++;
      }
    }
    flush();
    return parts.length > 0 ? parts : null;
  }

  #dollarQuoted(): string {
    const match = /^'((?:[^'\\]|\\[\s\S])*)'/.exec(this.text.slice(this.at));
    if (!match) throw new SyntaxProblem('no closing quote', true);
    this.at += match[0].length;
    return dollarQuoted(match[1] ?? '');
  }

  #singleQuoted(): string {
    const end = this.text.indexOf("'", this.at + 1);
    if (end < 0) throw new SyntaxProblem('no closing quote', true);
    const text = this.text.slice(this.at + 1, end);
    this.at = end + 1;
    return text;
  }

  #doubleQuoted(): WordPart[] {
    this.at++;
    const parts = this.#quotedText('"');
    this.at++;
    return parts;
  }

  /** What stands in double quotes, up to `close`; the empty one is the end of the text, as in here-documents. */
  #quotedText(close: '"' | ''): WordPart[] {
    const parts: WordPart[] = [];
    let text = '';
    for (;;) {
      const char = this.peek();
      if (char === close) break;
      if (char === '') throw new SyntaxProblem('no closing quote', true);
      if (char === '\\' && `$\`${close}\\\n`.includes(this.text[this.at + 1] ?? 'x')) {
        if (this.text[this.at + 1] !== '\n') text += this.text[this.at + 1];
        this.at += 2;
        continue;
      }
      const part = char === '$' || char === '`' ? this.#expansion(true) : null;
      if (!part) {
        text += char;
        this.at++;
        continue;
      }
      if (text !== '') parts.push({ kind: 'text', text, quoted: true });
      text = '';
      parts.push(part);
    }
    // An empty pair of quotes is a word, too.
    if (text !== '' || parts.length === 0) parts.push({ kind: 'text', text, quoted: true });
    return parts;
  }

  /** `$…` or backquotes; `null` when the sign stands for itself. */
  #expansion(quoted: boolean): WordPart | null {
    if (this.accept('`')) return this.#backquotes(quoted);
    if (this.peek(3) === '$((') {
      this.at++;
      const expression = this.arithmetic();
      if (expression) return { kind: 'arith', expression, quoted };
      this.at--;
    }
    if (this.accept('$(')) {
      const script = this.nested(() => this.#parseNested(this, ')'));
      if (!this.accept(')')) this.fail("unexpected EOF, expected ')'");
      return { kind: 'command', script, quoted };
    }
    if (this.accept('${')) return this.nested(() => this.#braces(quoted));
    const rest = this.text.slice(this.at + 1);
    const name = NAME.exec(rest)?.[0] ?? SPECIAL_PARAM.exec(rest)?.[0];
    if (!name) return null;
    this.at += 1 + name.length;
    return { ...PLAIN_PARAM, name, quoted };
  }

  #backquotes(quoted: boolean): WordPart {
    let inner = '';
    while (!this.done && this.peek() !== '`') {
      if (this.peek() === '\\' && '`\\$'.includes(this.text[this.at + 1] ?? 'x')) this.at++;
      inner += this.peek();
      this.at++;
    }
    if (!this.accept('`')) throw new SyntaxProblem('no closing quote', true);
    const script = this.nested(() => this.#parseNested(this.#inner(inner), ''));
    return { kind: 'command', script, quoted };
  }

  #braces(quoted: boolean): WordPart {
    const start = this.at;
    const bad = (): never =>
      this.fault(`\${${this.text.slice(start, this.#braceEnd(start))}: bad substitution`);
    const sign = /^[#!](?=[A-Za-z_0-9?$!#@*-])/.exec(this.text.slice(this.at))?.[0];
    // `${#}` and `${#-x}` are about the number of parameters; `${#x}`, `${!x}` about x.
    const before = sign && !(sign === '#' && /^#[-?](?!\})/.test(this.peek(3))) ? sign : null;
    if (before !== null) this.at++;
    const rest = this.text.slice(this.at);
    const name = NAME.exec(rest)?.[0] ?? /^\d+/.exec(rest)?.[0] ?? SPECIAL_PARAM.exec(rest)?.[0];
    if (!name) return bad();
    this.at += name.length;
    const subscript = NAME.test(name) ? this.subscript() : null;
    if (before !== null) {
      if (!this.accept('}')) return bad();
      return { ...PLAIN_PARAM, name, subscript, op: before === '#' ? '#len' : '!name', quoted };
    }
    const op = OPERATOR.exec(this.text.slice(this.at))?.[0] ?? '';
    this.at += op.length;
    // A pattern keeps its own quotes also inside of double ones; a replacement does not.
    const pattern = /^[#%/]/.test(op);
    const separator = op.startsWith('/') ? '/' : op === ':' ? ':' : '';
    const word = this.#braceWord(quoted && !pattern, separator);
    const second = this.text[this.at - 1] === separator ? this.#braceWord(quoted && !pattern, '') : null;
    if ((op === '' || op.startsWith('@')) && word.length > 0) return bad();
    return { kind: 'param', name, subscript, op, word, second, quoted };
  }

  #braceEnd(start: number): number {
    const end = this.text.indexOf('}', start);
    return end < 0 ? this.text.length : end + 1;
  }

  /** `[…]` behind a name: the index of an array's element. */
  subscript(): Subscript | null {
    if (!this.accept('[')) return null;
    const end = this.text.indexOf(']', this.at);
    if (end < 0) this.fail("unexpected EOF, expected ']'");
    const inside = this.text.slice(this.at, end);
    this.at = end + 1;
    return inside === '@' || inside === '*' ? { all: inside } : { at: this.#inner(inside).untilEnd() };
  }

  /** What stands between the operator and `}`, or `separator`. */
  #braceWord(inQuotes: boolean, separator: string): Word {
    const parts: WordPart[] = [];
    const add = (text: string, quoted: boolean): void => {
      const last = parts.at(-1);
      if (last?.kind === 'text' && last.quoted === quoted && !quoted)
        parts[parts.length - 1] = { kind: 'text', text: last.text + text, quoted };
      else parts.push({ kind: 'text', text, quoted });
    };
    for (;;) {
      const char = this.peek();
      if (char === '') this.fail("unexpected EOF, expected '}'");
      if (this.accept('}') || (separator !== '' && this.accept(separator))) return parts;
      if (char === "'" && !inQuotes) add(this.#singleQuoted(), true);
      else if (char === '"' && !inQuotes) parts.push(...this.#doubleQuoted());
      else if (char === '"') this.at++;
      else if (char === '\\') this.#braceEscape(inQuotes, add);
      else {
        const part = char === '$' || char === '`' ? this.#expansion(inQuotes) : null;
        if (part) parts.push(part);
        else {
          add(char, inQuotes);
          this.at++;
        }
      }
    }
  }

  #braceEscape(inQuotes: boolean, add: (text: string, quoted: boolean) => void): void {
    const next = this.text[this.at + 1] ?? '';
    this.at += 2;
    if (next === '\n') return;
    if (inQuotes && !'$`"\\}'.includes(next)) add(`\\${next}`, true);
    else add(next, true);
  }

  /** The whole text as one word, blanks and all; what it says stands for itself, `~` too. */
  untilEnd(): Word {
    const parts: WordPart[] = [];
    while (!this.done) {
      const word = this.word();
      for (const part of word ?? []) parts.push(part.kind === 'text' ? { ...part, quoted: true } : part);
      if (word) continue;
      parts.push({ kind: 'text', text: this.peek(), quoted: true });
      this.at++;
    }
    return parts;
  }

  /** `(( … ))`: what stands in it, and the scanner behind it; null where it is a subshell in another one. */
  arithmetic(): Word | null {
    const start = this.at + 2;
    let depth = 0;
    for (let at = start; at < this.text.length; at++) {
      const char = this.text[at];
      if (char === '(') depth++;
      else if (char === ')' && depth > 0) depth--;
      else if (char === ')') {
        if (this.text[at + 1] !== ')') return null;
        this.at = at + 2;
        return this.nested(() => this.#inner(this.text.slice(start, at)).untilEnd());
      }
    }
    return this.fail("unexpected EOF, expected '))'");
  }
}

const PLAIN_PARAM = { kind: 'param', subscript: null, op: '', word: [], second: null } as const;
