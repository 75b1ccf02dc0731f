/** The two languages of Gradle's files: `*.gradle` and `*.gradle.kts`. */
export type DslLanguage = 'groovy' | 'kotlin';

/**
 * One token. `text` is the content of a string (escapes resolved), else the text as written. `templated` marks a string
 * with a placeholder (`${x}`, `$x`): its value is not known without running the file.
 */
export interface Token {
  readonly kind: 'name' | 'string' | 'number' | 'mark' | 'newline' | 'end';
  readonly text: string;
  /** Where it begins, both from 1; the column in UTF-16 units. */
  readonly line: number;
  readonly column: number;
  readonly templated: boolean;
  /** The quote that a string began with; empty for everything else. */
  readonly quote: string;
}

/** What made the text unreadable from `line` on: a comment or string that never ends. */
export interface LexicalFault {
  readonly line: number;
  readonly column: number;
  readonly what: string;
}

export interface Tokens {
  readonly tokens: readonly Token[];
  readonly fault: LexicalFault | null;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };
const NAME_START = /[\p{L}_$]/u;
const NAME_PART = /[\p{L}\p{N}_$]/u;
const MARKS = ['?:', '?.', '->', '+=', '-=', '==', '!=', '&&', '||', '..', '::', '**', '<=', '>='];

/**
 * Cuts a Gradle file into tokens. Comments are dropped (nested ones as Kotlin has them), line ends are kept: they end
 * statements. Never throws; what cannot be read ends the token list with a `fault`.
 */
export function tokenize(text: string, language: DslLanguage): Tokens {
  return new Lexer(text.startsWith('\uFEFF') ? text.slice(1) : text, language).run();
}

class Lexer {
  readonly #text: string;
  readonly #language: DslLanguage;
  readonly #tokens: Token[] = [];
  #at = 0;
  #line = 1;
  /** Where the line begins. */
  #lineAt = 0;
  /** Where the token begins that is being read. */
  #start = { line: 1, column: 1 };
  #fault: LexicalFault | null = null;

  constructor(text: string, language: DslLanguage) {
    this.#text = text;
    this.#language = language;
  }

  run(): Tokens {
    while (this.#at < this.#text.length && this.#fault === null) {
      this.#begin();
      this.#next();
    }
    this.#begin();
    this.#push('newline', '\n');
    this.#push('end', '');
    return { tokens: this.#tokens, fault: this.#fault };
  }

  #begin(): void {
    this.#start = { line: this.#line, column: this.#at - this.#lineAt + 1 };
  }

  #push(kind: Token['kind'], text: string, templated = false, quote = ''): void {
    this.#tokens.push({ kind, text, ...this.#start, templated, quote });
  }

  /** To be told of each line end before it is passed, with the place of it. */
  #newLine(at = this.#at): void {
    this.#line++;
    this.#lineAt = at + 1;
  }

  #startsWith(text: string): boolean {
    return this.#text.startsWith(text, this.#at);
  }

  #next(): void {
    const char = this.#text.charAt(this.#at);
    if (char === '\n') {
      this.#push('newline', '\n');
      this.#newLine();
      this.#at++;
    } else if (/\s/.test(char)) this.#at++;
    else if (this.#startsWith('//') || (this.#at === 0 && this.#startsWith('#!'))) this.#lineComment();
    else if (this.#startsWith('/*')) this.#blockComment();
    else if (char === '\\' && /^\\\r?\n/.test(this.#text.slice(this.#at, this.#at + 3))) {
      // A backslash at the end of a line joins it with the next.
      this.#newLine(this.#text.indexOf('\n', this.#at));
      this.#at = this.#lineAt;
    } else if (char === '"' || char === "'") this.#string(char);
    else if (char === '`') this.#quotedName();
    else if (/[0-9]/.test(char)) this.#number();
    else if (NAME_START.test(char)) this.#name();
    else this.#mark();
  }

  #lineComment(): void {
    const end = this.#text.indexOf('\n', this.#at);
    this.#at = end < 0 ? this.#text.length : end;
  }

  #blockComment(): void {
    let depth = 0;
    while (this.#at < this.#text.length) {
      if (this.#startsWith('/*') && (depth === 0 || this.#language === 'kotlin')) {
        depth++;
        this.#at += 2;
      } else if (this.#startsWith('*/')) {
        depth--;
        this.#at += 2;
        if (depth === 0) return;
      } else {
        if (this.#text.charAt(this.#at) === '\n') this.#newLine();
        this.#at++;
      }
    }
    this.#fault = { ...this.#start, what: 'a comment that never ends' };
  }

  #string(quote: string): void {
    const triple = quote.repeat(3);
    const end = this.#startsWith(triple) ? triple : quote;
    // Kotlin's raw strings have no escapes; Groovy's strings in single quotes have no placeholders.
    const raw = this.#language === 'kotlin' && end.length === 3;
    const placeholders = quote === '"';
    this.#at += end.length;
    let value = '';
    let templated = false;
    while (this.#at < this.#text.length) {
      const char = this.#text.charAt(this.#at);
      // Of more than three quotes in a row Kotlin takes the last ones to end a raw string.
      if (this.#startsWith(end) && !(raw && this.#startsWith(quote + end))) {
        this.#at += end.length;
        this.#push('string', value, templated, quote);
        return;
      }
      if (char === '\n') {
        if (end.length === 1) break;
        this.#newLine();
      }
      if (char === '\\' && !raw) {
        value += this.#escape();
        continue;
      }
      if (char === '$' && placeholders && /[{\p{L}_]/u.test(this.#text.charAt(this.#at + 1))) {
        templated = true;
        value += this.#placeholder();
        continue;
      }
      value += char;
      this.#at++;
    }
    this.#fault = { ...this.#start, what: 'a string that never ends' };
  }

  /** `${…}` with the brackets and strings inside it; `$` alone otherwise. */
  #placeholder(): string {
    const start = this.#at++;
    let depth = 0;
    let quote = '';
    while (this.#text.charAt(start + 1) === '{' && this.#at < this.#text.length) {
      const char = this.#text.charAt(this.#at);
      if (char === '\n') break;
      this.#at++;
      if (quote !== '') {
        if (char === quote) quote = '';
      } else if (char === '"' || char === "'") quote = char;
      else if (char === '{') depth++;
      else if (char === '}' && --depth === 0) break;
    }
    return this.#text.slice(start, this.#at);
  }

  #escape(): string {
    const char = this.#text.charAt(this.#at + 1);
    const unicode = /^u+([0-9a-fA-F]{4})/.exec(this.#text.slice(this.#at + 1, this.#at + 12));
    if (unicode?.[1] !== undefined) {
      this.#at += 1 + unicode[0].length;
      return String.fromCharCode(Number.parseInt(unicode[1], 16));
    }
    this.#at += 2;
    if (char === '\n') {
      this.#newLine(this.#at - 1);
      return '';
    }
    return ESCAPES[char] ?? char;
  }

  #quotedName(): void {
    const end = this.#text.indexOf('`', this.#at + 1);
    const name = end < 0 ? '' : this.#text.slice(this.#at + 1, end);
    if (name === '' || name.includes('\n')) {
      this.#fault = { ...this.#start, what: 'a quoted name that never ends' };
      return;
    }
    this.#push('name', name);
    this.#at = end + 1;
  }

  #number(): void {
    const match = /^(0[xX][0-9a-fA-F_]+|[0-9][0-9_]*(\.[0-9][0-9_]*)?)[a-zA-Z]*/.exec(
      this.#text.slice(this.#at, this.#at + 64),
    );
    const text = match?.[0] ?? this.#text.charAt(this.#at);
    this.#push('number', text);
    this.#at += text.length;
  }

  #name(): void {
    let end = this.#at;
    while (end < this.#text.length && NAME_PART.test(this.#text.charAt(end))) end++;
    this.#push('name', this.#text.slice(this.#at, end));
    this.#at = end;
  }

  #mark(): void {
    const mark = MARKS.find((m) => this.#startsWith(m)) ?? this.#text.charAt(this.#at);
    this.#push('mark', mark);
    this.#at += mark.length;
  }
}
