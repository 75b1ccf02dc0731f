import { posixRegExp } from './posix-regexp.ts';

/** What a sed script says: POSIX sed, and of GNU's `first~step`, `address,+count`, `I`, several files' lines as one text. */

type Address =
  | { readonly kind: 'line'; readonly number: number }
  /** `first~step` */
  | { readonly kind: 'step'; readonly first: number; readonly step: number }
  /** As the end of a range: so many lines behind its start. */
  | { readonly kind: 'more'; readonly count: number }
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
  /** Of `a`, `i`, `c`: the text; of `y`: source and target; of `b`, `t`, `T` and `:` the label. */
  readonly text: string;
  /** Of `{`: where the command behind `}` stands. */
  readonly end: number;
}

export type ParsedScript =
  | { readonly ok: true; readonly commands: readonly SedCommand[] }
  | { readonly ok: false; readonly message: string };

class BadScript extends Error {}

export function parseSed(script: string, extended: boolean): ParsedScript {
  const parser = new SedParser(script, extended);
  try {
    parser.commands('');
    return { ok: true, commands: parser.all };
  } catch (error) {
    if (error instanceof BadScript || error instanceof SyntaxError)
      return { ok: false, message: error.message };
    throw error;
  }
}

class SedParser {
  readonly #text: string;
  readonly #extended: boolean;
  /** One behind the other; blocks are not nested. */
  readonly all: SedCommand[] = [];
  #at = 0;

  constructor(text: string, extended: boolean) {
    this.#text = text;
    this.#extended = extended;
  }

  /** Up to `close`, or to the end. */
  commands(close: string): void {
    for (;;) {
      this.#skip(' \t\n;');
      const char = this.#peek();
      if (char === '' && close !== '') throw new BadScript('no }');
      if (char === '') return;
      if (char === close) {
        this.#at++;
        return;
      }
      if (char === '#') this.#take(/[^\n]*/y);
      else this.#command();
    }
  }

  #command(): void {
    const from = this.#address();
    let to: Address | null = null;
    if (from && this.#accept(',')) {
      const more = this.#take(/\+\d+/y);
      to = more === '' ? this.#address() : { kind: 'more', count: Number(more) };
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
      end: 0,
    };
    switch (name) {
      case 'p':
      case 'd':
      case 'q':
      case '=':
      case 'n':
      case 'N':
      case 'P':
      case 'D':
      case 'g':
      case 'G':
      case 'h':
      case 'H':
      case 'x':
      case 'l':
        this.all.push(base);
        return;
      case '{': {
        const at = this.all.push(base) - 1;
        this.commands('}');
        this.all[at] = { ...base, end: this.all.length };
        return;
      }
      case ':':
      case 'b':
      case 't':
      case 'T':
        this.#skip(' ');
        this.all.push({ ...base, text: this.#take(/[^\n;}]*/y).trim() });
        return;
      case 's':
        this.all.push({ ...base, ...this.#substitution() });
        return;
      case 'y': {
        const sign = this.#peek();
        this.#at++;
        this.all.push({ ...base, text: `${this.#until(sign)}\0${this.#until(sign)}` });
        return;
      }
      case 'a':
      case 'i':
      case 'c':
        this.#take(/[ \t]*(?:\\\n?)?[ \t]*/y);
        this.all.push({
          ...base,
          text: this.#take(/(?:[^\n\\]|\\[\s\S])*/y).replaceAll(/\\([\s\S])/g, '$1'),
        });
        return;
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
      pattern: posixRegExp(source, this.#extended, ignoreCase ? 'gi' : 'g'),
      replacement,
      nth: Number(/\d+/.exec(flags)?.[0] ?? 1),
      all: flags.includes('g'),
      print: flags.includes('p'),
    };
  }

  #address(): Address | null {
    const step = /^(\d+)~(\d+)$/.exec(this.#take(/\d+~\d+/y));
    if (step) return { kind: 'step', first: Number(step[1]), step: Number(step[2]) };
    const number = this.#take(/\d+/y);
    if (number !== '') return { kind: 'line', number: Number(number) };
    if (this.#accept('$')) return { kind: 'last' };
    if (this.#accept('/')) return { kind: 'match', pattern: this.#pattern(this.#until('/')) };
    return null;
  }

  #pattern(source: string): RegExp {
    return posixRegExp(source, this.#extended, this.#accept('I') ? 'i' : '');
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
