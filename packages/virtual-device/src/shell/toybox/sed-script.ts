/** What a sed script says: the part of it that tools send (POSIX sed without labels and hold space). */

type Address =
  | { readonly kind: 'line'; readonly number: number }
  | { readonly kind: 'last' }
  | { readonly kind: 'match'; readonly pattern: RegExp };

export interface SedCommand {
  readonly from: Address | null;
  readonly to: Address | null;
  readonly negated: boolean;
  readonly name: string;
  /** Of `s`: what to look for, what to put, and how. */
  readonly pattern: RegExp | null;
  readonly replacement: string;
  /** Which match of a line; 0: all from the first on. */
  readonly nth: number;
  readonly all: boolean;
  readonly print: boolean;
  /** Of `a`, `i`, `c`: the text; of `y`: source and target. */
  readonly text: string;
  readonly block: readonly SedCommand[];
}

export type ParsedScript =
  | { readonly ok: true; readonly commands: readonly SedCommand[] }
  | { readonly ok: false; readonly message: string };

class BadScript extends Error {}

/** Basic regular expressions as JavaScript's; `extended` ones need little. */
export function sedRegExp(source: string, extended: boolean, flags: string): RegExp {
  let out = '';
  for (let at = 0; at < source.length; at++) {
    const char = source[at] ?? '';
    if (char === '[') {
      const end = classEnd(source, at);
      out += classOf(source.slice(at, end));
      at = end - 1;
    } else if (char === '\\') {
      const next = source[++at] ?? '';
      if (!extended && '(){}|+?'.includes(next)) out += next;
      else if (next === 'n' || next === 't' || /[0-9wWsSbB]/.test(next)) out += `\\${next}`;
      else if (next === '<' || next === '>') out += '\\b';
      else out += /[\w\s]/.test(next) ? next : `\\${next}`;
    } else if (!extended && '(){}|+?'.includes(char)) out += `\\${char}`;
    else if (char === '*' && (out === '' || out === '^')) out += '\\*';
    else out += char;
  }
  return new RegExp(out, flags);
}

function classEnd(source: string, start: number): number {
  let at = start + 1;
  if (source[at] === '^') at++;
  if (source[at] === ']') at++;
  for (; at < source.length && source[at] !== ']'; at++) {
    if (source[at] === '[' && source[at + 1] === ':') at = source.indexOf(':]', at) + 1;
  }
  return at + 1;
}

const CLASSES: Readonly<Record<string, string>> = {
  alpha: 'A-Za-z',
  digit: '0-9',
  alnum: 'A-Za-z0-9',
  upper: 'A-Z',
  lower: 'a-z',
  space: '\\s',
  blank: ' \\t',
  punct: '!-\\/:-@\\[-`{-~',
  xdigit: '0-9A-Fa-f',
};

/** `[…]`: a backslash is a character there, except before `n` and `t`. */
function classOf(text: string): string {
  const inner = text.slice(1, -1);
  let out = '';
  for (let at = 0; at < inner.length; at++) {
    const named = /^\[:(\w+):\]/.exec(inner.slice(at));
    const char = inner[at] ?? '';
    if (named) {
      out += CLASSES[named[1] ?? ''] ?? '';
      at += named[0].length - 1;
    } else if (char === '\\' && /[nt]/.test(inner[at + 1] ?? '')) out += char + (inner[++at] ?? '');
    else out += '\\[]'.includes(char) ? `\\${char}` : char;
  }
  return `[${out}]`;
}

export function parseSed(script: string, extended: boolean): ParsedScript {
  const parser = new SedParser(script, extended);
  try {
    return { ok: true, commands: parser.commands('') };
  } catch (error) {
    if (error instanceof BadScript || error instanceof SyntaxError)
      return { ok: false, message: error.message };
    throw error;
  }
}

class SedParser {
  readonly #text: string;
  readonly #extended: boolean;
  #at = 0;

  constructor(text: string, extended: boolean) {
    this.#text = text;
    this.#extended = extended;
  }

  /** Up to `close`, or to the end. */
  commands(close: string): SedCommand[] {
    const all: SedCommand[] = [];
    for (;;) {
      this.#skip(' \t\n;');
      const char = this.#peek();
      if (char === '' && close !== '') throw new BadScript('no }');
      if (char === '') return all;
      if (char === close) {
        this.#at++;
        return all;
      }
      if (char === '#') this.#take(/[^\n]*/y);
      else all.push(this.#command());
    }
  }

  #command(): SedCommand {
    const from = this.#address();
    let to: Address | null = null;
    if (from && this.#accept(',')) {
      to = this.#address();
      if (!to) throw new BadScript('bad address');
    }
    this.#skip(' ');
    const negated = this.#accept('!');
    this.#skip(' ');
    const name = this.#peek();
    this.#at++;
    const base = {
      from,
      to,
      negated,
      name,
      pattern: null,
      replacement: '',
      nth: 0,
      all: false,
      print: false,
      text: '',
      block: [],
    };
    switch (name) {
      case 'p':
      case 'd':
      case 'q':
      case '=':
      case 'n':
        return base;
      case '{':
        return { ...base, block: this.commands('}') };
      case 's':
        return { ...base, ...this.#substitution() };
      case 'y': {
        const sign = this.#peek();
        this.#at++;
        return { ...base, text: `${this.#until(sign)}\0${this.#until(sign)}` };
      }
      case 'a':
      case 'i':
      case 'c':
        this.#take(/[ \t]*(?:\\\n?)?[ \t]*/y);
        return { ...base, text: this.#take(/[^\n]*/y).replaceAll(/\\(.)/g, '$1') };
      default:
        throw new BadScript(`bad pattern '${this.#text}'@${this.#at}`);
    }
  }

  #substitution(): Pick<SedCommand, 'pattern' | 'replacement' | 'nth' | 'all' | 'print'> {
    const sign = this.#peek();
    this.#at++;
    const source = this.#until(sign);
    const replacement = this.#until(sign);
    const flags = this.#take(/[gpiI0-9]*/y);
    const ignoreCase = /i/i.test(flags);
    return {
      pattern: sedRegExp(source, this.#extended, ignoreCase ? 'gi' : 'g'),
      replacement,
      nth: Number(/\d+/.exec(flags)?.[0] ?? 1),
      all: flags.includes('g'),
      print: flags.includes('p'),
    };
  }

  #address(): Address | null {
    const number = this.#take(/\d+/y);
    if (number !== '') return { kind: 'line', number: Number(number) };
    if (this.#accept('$')) return { kind: 'last' };
    if (this.#accept('/')) return { kind: 'match', pattern: sedRegExp(this.#until('/'), this.#extended, '') };
    return null;
  }

  /** Up to `sign`, which may be written with a backslash before it. */
  #until(sign: string): string {
    let text = '';
    for (; this.#peek() !== sign; this.#at++) {
      const char = this.#peek();
      if (char === '') throw new BadScript(`unfinished '${this.#text}'`);
      if (char === '\\' && this.#text[this.#at + 1] === sign) {
        text += sign;
        this.#at++;
      } else if (char === '\\') {
        text += char + (this.#text[this.#at + 1] ?? '');
        this.#at++;
      } else text += char;
    }
    this.#at++;
    return text;
  }

  #peek(): string {
    return this.#text[this.#at] ?? '';
  }

  #accept(sign: string): boolean {
    if (this.#peek() !== sign) return false;
    this.#at++;
    return true;
  }

  #skip(signs: string): void {
    while (this.#peek() !== '' && signs.includes(this.#peek())) this.#at++;
  }

  #take(form: RegExp): string {
    form.lastIndex = this.#at;
    const found = form.exec(this.#text)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }
}
