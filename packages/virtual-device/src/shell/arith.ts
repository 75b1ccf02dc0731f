import { ShellFault } from './faults.ts';

/** Where the names in an expression have their values. */
export interface ArithNames {
  get(name: string, index?: number): string | undefined;
  set(name: string, value: string): void;
  setElement(name: string, index: number, value: string): void;
}

/** Names that stand for expressions that stand for names …: mksh gives up, too. */
const DEEPEST = 100;

const TOKEN =
  /\s*(?:(\d+#[0-9A-Za-z]+|0[xX][0-9a-fA-F]+|\d+)|([A-Za-z_]\w*)|(<<=|>>=|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[-+*/%()<>!~&|^?:,=[\]]))/y;

/** Loosest first; all but assignments and `?:`, which bind to the right. */
const LEVELS: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['|'],
  ['^'],
  ['&'],
  ['==', '!='],
  ['<', '>', '<=', '>='],
  ['<<', '>>'],
  ['+', '-'],
  ['*', '/', '%'],
];

type Token =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'name' | 'sign'; readonly text: string };

/**
 * The value of an expression of `$(( … ))`, `let`, `[[ … -eq … ]]` or an index: 32 bits with a sign, as mksh's manual
 * says ("Arithmetic expressions"); a name's value is an expression again. Throws {@link ShellFault}.
 */
export function evaluate(expression: string, names: ArithNames, depth = 0): number {
  if (depth > DEEPEST) throw new ShellFault(`${expression}: expression recurses on parameter`);
  return new Evaluation(expression, names, depth).run();
}

class Evaluation {
  readonly #expression: string;
  readonly #names: ArithNames;
  readonly #depth: number;
  readonly #tokens: readonly Token[];
  #at = 0;
  /** Above 0 in what is not chosen: `0 && (x = 1)` assigns nothing. */
  #skipped = 0;
  #nested = 0;

  constructor(expression: string, names: ArithNames, depth: number) {
    this.#expression = expression;
    this.#names = names;
    this.#depth = depth;
    this.#tokens = this.#scan();
  }

  run(): number {
    if (this.#tokens.length === 0) return 0;
    const value = this.#comma();
    if (this.#at < this.#tokens.length) this.#unexpected();
    return value;
  }

  #scan(): Token[] {
    const text = this.#expression.trimEnd();
    const tokens: Token[] = [];
    TOKEN.lastIndex = 0;
    while (TOKEN.lastIndex < text.length) {
      const from = TOKEN.lastIndex;
      const match = TOKEN.exec(text);
      if (!match) return this.#fail(`unexpected '${text.slice(from).trim()}'`);
      const [, number, name, sign] = match;
      if (number !== undefined) tokens.push({ kind: 'number', value: this.#number(number) });
      else tokens.push({ kind: name === undefined ? 'sign' : 'name', text: name ?? sign ?? '' });
    }
    return tokens;
  }

  /** `0x1f`, `16#ff`, `010`: ten here, not eight, outside of mksh's POSIX mode. */
  #number(text: string): number {
    const [base, digits] = text.includes('#') ? text.split('#') : [null, text];
    if (base === null)
      return (
        Number(text.startsWith('0x') || text.startsWith('0X') ? text : text.replace(/^0+(?=\d)/, '')) | 0
      );
    const radix = Number(base);
    const value = Number.parseInt(digits ?? '', radix);
    if (!(radix >= 2 && radix <= 36) || Number.isNaN(value)) return this.#fail(`bad number '${text}'`);
    return value | 0;
  }

  #comma(): number {
    let value = this.#assignment();
    while (this.#accept(',')) value = this.#assignment();
    return value;
  }

  #assignment(): number {
    if (++this.#nested > DEEPEST) this.#fail('expression too deep');
    const value = this.#target() ?? this.#choice();
    this.#nested--;
    return value;
  }

  /** `name op= value`; null when no assignment begins here. */
  #target(): number | null {
    const start = this.#at;
    const target = this.#nameHere();
    if (target) {
      const sign = this.#sign();
      if (sign && /^(?:<<|>>|[-+*/%&|^])?=$/.test(sign)) {
        this.#at++;
        const right = this.#assignment();
        const value = sign === '=' ? right : this.#apply(sign.slice(0, -1), this.#valueOf(target), right);
        return this.#assign(target, value);
      }
    }
    this.#at = start;
    return null;
  }

  #choice(): number {
    const test = this.#binary(0);
    if (!this.#accept('?')) return test;
    const yes = this.#unless(test === 0, () => this.#comma());
    if (!this.#accept(':')) this.#unexpected();
    const no = this.#unless(test !== 0, () => this.#choice());
    return test === 0 ? no : yes;
  }

  #binary(level: number): number {
    const signs = LEVELS[level];
    if (!signs) return this.#unary();
    let left = this.#binary(level + 1);
    for (let sign = this.#sign(); sign !== null && signs.includes(sign); sign = this.#sign()) {
      this.#at++;
      if (sign === '&&' || sign === '||') {
        const decided = sign === '&&' ? left === 0 : left !== 0;
        const right = this.#unless(decided, () => this.#binary(level + 1));
        left = (decided ? left !== 0 : right !== 0) ? 1 : 0;
      } else left = this.#apply(sign, left, this.#binary(level + 1));
    }
    return left;
  }

  #unary(): number {
    const sign = this.#sign();
    if (sign === '++' || sign === '--') {
      this.#at++;
      const target = this.#nameHere() ?? this.#unexpected();
      return this.#assign(target, (this.#valueOf(target) + (sign === '++' ? 1 : -1)) | 0);
    }
    if (sign !== null && '-+!~'.includes(sign)) {
      this.#at++;
      const value = this.#unary();
      return sign === '-' ? -value | 0 : sign === '+' ? value : sign === '!' ? (value === 0 ? 1 : 0) : ~value;
    }
    if (this.#accept('(')) {
      const value = this.#comma();
      if (!this.#accept(')')) this.#unexpected();
      return value;
    }
    const token = this.#tokens[this.#at];
    if (token?.kind === 'number') {
      this.#at++;
      return token.value;
    }
    const target = this.#nameHere() ?? this.#unexpected();
    const value = this.#valueOf(target);
    for (const [after, change] of [
      ['++', 1],
      ['--', -1],
    ] as const) {
      if (this.#accept(after)) this.#assign(target, (value + change) | 0);
    }
    return value;
  }

  #nameHere(): Target | null {
    const token = this.#tokens[this.#at];
    if (token?.kind !== 'name') return null;
    this.#at++;
    if (!this.#accept('[')) return { name: token.text, index: 0 };
    const index = this.#comma();
    if (!this.#accept(']')) this.#unexpected();
    return { name: token.text, index };
  }

  #valueOf({ name, index }: Target): number {
    const text = this.#names.get(name, index) ?? '';
    if (text === '' || this.#skipped > 0) return 0;
    return /^\d{1,9}$/.test(text) ? Number(text) : evaluate(text, this.#names, this.#depth + 1);
  }

  #assign({ name, index }: Target, value: number): number {
    if (this.#skipped === 0) {
      if (index === 0) this.#names.set(name, String(value));
      else this.#names.setElement(name, index, String(value));
    }
    return value;
  }

  #unless(skip: boolean, work: () => number): number {
    if (skip) this.#skipped++;
    const value = work();
    if (skip) this.#skipped--;
    return value;
  }

  #apply(sign: string, a: number, b: number): number {
    if ((sign === '/' || sign === '%') && b === 0) {
      if (this.#skipped > 0) return 0;
      this.#fail('zero divisor');
    }
    return (OPERATORS[sign]?.(a, b) ?? 0) | 0;
  }

  #sign(): string | null {
    const token = this.#tokens[this.#at];
    return token?.kind === 'sign' ? token.text : null;
  }

  #accept(sign: string): boolean {
    if (this.#sign() !== sign) return false;
    this.#at++;
    return true;
  }

  #unexpected(): never {
    const token = this.#tokens[this.#at];
    const what = token ? (token.kind === 'number' ? String(token.value) : token.text) : 'end of expression';
    return this.#fail(`unexpected '${what}'`);
  }

  #fail(what: string): never {
    throw new ShellFault(`${this.#expression}: ${what}`);
  }
}

interface Target {
  readonly name: string;
  readonly index: number;
}

const OPERATORS: Readonly<Record<string, (a: number, b: number) => number>> = {
  '|': (a, b) => a | b,
  '^': (a, b) => a ^ b,
  '&': (a, b) => a & b,
  '==': (a, b) => (a === b ? 1 : 0),
  '!=': (a, b) => (a === b ? 0 : 1),
  '<': (a, b) => (a < b ? 1 : 0),
  '>': (a, b) => (a > b ? 1 : 0),
  '<=': (a, b) => (a <= b ? 1 : 0),
  '>=': (a, b) => (a >= b ? 1 : 0),
  '<<': (a, b) => a << b,
  '>>': (a, b) => a >> b,
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => Math.imul(a, b),
  '/': (a, b) => Math.trunc(a / b),
  '%': (a, b) => a % b,
};
