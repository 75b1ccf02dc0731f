import type { Script, Word, WordPart } from './ast.ts';

/** The script is not one: the message is what mksh would say. */
export class SyntaxProblem extends Error {}

const NAME = /^[A-Za-z_][A-Za-z0-9_]*/;
const SPECIAL_PARAM = /^[0-9?$!#@*-]/;
const ENDS_WORD = ' \t\n;&|<>()';

/** One whose text is still to come. */
interface HereDoc {
  readonly end: string;
  /** Nothing in it is expanded. */
  readonly quoted: boolean;
  readonly stripTabs: boolean;
  readonly body: WordPart[];
}

/** Reads words out of a script; `parseScript` reads a nested one up to its closing sign. */
export class Scanner {
  readonly text: string;
  at = 0;
  readonly #hereDocs: HereDoc[] = [];
  readonly #parseNested: (scanner: Scanner, close: string) => Script;

  constructor(text: string, parseNested: (scanner: Scanner, close: string) => Script) {
    this.text = text;
    this.#parseNested = parseNested;
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
    if (unread) throw new SyntaxProblem(`here document '${unread.end}' unclosed`);
  }

  #readHereDoc({ end, quoted, stripTabs, body }: HereDoc): void {
    let text = '';
    for (;;) {
      if (this.done) throw new SyntaxProblem(`here document '${end}' unclosed`);
      const newline = this.text.indexOf('\n', this.at);
      const stop = newline < 0 ? this.text.length : newline;
      const raw = this.text.slice(this.at, stop);
      const line = stripTabs ? raw.replace(/^\t+/, '') : raw;
      this.at = Math.min(stop + 1, this.text.length);
      if (line === end) break;
      text += `${line}\n`;
    }
    if (quoted) body.push({ kind: 'text', text, quoted: true });
    else body.push(...new Scanner(text, this.#parseNested).#quotedText(''));
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

  fail(what: string): never {
    throw new SyntaxProblem(`syntax error: ${what}`);
  }

  /** One word, or `null` when none starts here. */
  word(): Word | null {
    const parts: WordPart[] = [];
    let plain = '';
    const flush = (): void => {
      if (plain !== '') parts.push({ kind: 'text', text: plain, quoted: false });
      plain = '';
    };
    for (;;) {
      const char = this.peek();
      if (char === '' || ENDS_WORD.includes(char)) break;
      if (char === "'") {
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

  #singleQuoted(): string {
    const end = this.text.indexOf("'", this.at + 1);
    if (end < 0) this.fail("unexpected EOF while looking for matching `''");
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
      if (char === '') this.fail('unexpected EOF while looking for matching `"\'');
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
    if (this.accept('$((')) {
      const end = this.#arithEnd();
      const inner = new Scanner(this.text.slice(this.at, end), this.#parseNested);
      this.at = end + 2;
      return { kind: 'arith', expression: inner.#untilEnd(), quoted };
    }
    if (this.accept('$(')) {
      const script = this.#parseNested(this, ')');
      if (!this.accept(')')) this.fail("unexpected EOF, expected ')'");
      return { kind: 'command', script, quoted };
    }
    if (this.accept('${')) return this.#braces(quoted);
    const rest = this.text.slice(this.at + 1);
    const name = NAME.exec(rest)?.[0] ?? SPECIAL_PARAM.exec(rest)?.[0];
    if (!name) return null;
    this.at += 1 + name.length;
    return { kind: 'param', name, op: '', word: [], quoted };
  }

  #backquotes(quoted: boolean): WordPart {
    let inner = '';
    while (!this.done && this.peek() !== '`') {
      if (this.peek() === '\\' && '`\\$'.includes(this.text[this.at + 1] ?? 'x')) this.at++;
      inner += this.peek();
      this.at++;
    }
    if (!this.accept('`')) this.fail("unexpected EOF while looking for matching ``'");
    return { kind: 'command', script: this.#parseNested(new Scanner(inner, this.#parseNested), ''), quoted };
  }

  #braces(quoted: boolean): WordPart {
    const length = this.peek() === '#' && this.text[this.at + 1] !== '}';
    if (length) this.at++;
    const rest = this.text.slice(this.at);
    const name = NAME.exec(rest)?.[0] ?? /^\d+/.exec(rest)?.[0] ?? SPECIAL_PARAM.exec(rest)?.[0];
    if (!name) this.fail('bad substitution');
    this.at += name.length;
    if (length) {
      if (!this.accept('}')) this.fail('bad substitution');
      return { kind: 'param', name, op: '#len', word: [], quoted };
    }
    const op = /^(?::[-=?+]|[-=?+]|##?|%%?)?/.exec(this.text.slice(this.at))?.[0] ?? '';
    this.at += op.length;
    // A pattern keeps its own quotes also inside of double ones; a replacement does not.
    const pattern = op.startsWith('#') || op.startsWith('%');
    const word = this.#braceWord(quoted && !pattern);
    if (op === '' && word.length > 0) this.fail('bad substitution');
    return { kind: 'param', name, op, word, quoted };
  }

  /** What stands between the operator and `}`. */
  #braceWord(inQuotes: boolean): Word {
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
      if (this.accept('}')) return parts;
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

  /** The whole text as one word, blanks and all. */
  #untilEnd(): Word {
    const parts: WordPart[] = [];
    while (!this.done) {
      const word = this.word();
      if (word) parts.push(...word);
      else {
        parts.push({ kind: 'text', text: this.peek(), quoted: false });
        this.at++;
      }
    }
    return parts;
  }

  #arithEnd(): number {
    let depth = 0;
    for (let at = this.at; at < this.text.length; at++) {
      const char = this.text[at];
      if (char === '(') depth++;
      else if (char === ')' && depth > 0) depth--;
      else if (char === ')' && this.text[at + 1] === ')') return at;
    }
    return this.fail("unexpected EOF, expected '))'");
  }
}
