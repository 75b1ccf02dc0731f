/** `echo`: mksh takes `-n`, `-e`, `-E` and understands backslashes by default. */
export function echo(args: readonly string[]): string {
  let newline = true;
  let escapes = true;
  let at = 0;
  for (; /^-[neE]+$/.test(args[at] ?? ''); at++) {
    const flags = args[at] ?? '';
    if (flags.includes('n')) newline = false;
    if (flags.includes('E')) escapes = false;
  }
  const text = args.slice(at).join(' ');
  if (!escapes) return newline ? `${text}\n` : text;
  const { result, stop } = unescape(text);
  return newline && !stop ? `${result}\n` : result;
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\u0007',
  b: '\b',
  f: '\f',
  v: '\v',
  e: '\u001b',
  '\\': '\\',
};

/**
 * A byte above 127 that an escape names is no character: it is kept as one of Unicode's private ones until it is written.
 */
const RAW = 0xf700;

function fromCode(code: number): string {
  return String.fromCodePoint(code > 0x7f && code <= 0xff ? RAW + code : code);
}

/** The bytes of a text with such marks. */
export function toBytes(text: string): string | Buffer {
  if (!/[\uf780-\uf7ff]/.test(text)) return text;
  const parts = text.split(/([\uf780-\uf7ff])/);
  return Buffer.concat(
    parts.map((part, at) => (at % 2 === 1 ? Buffer.of((part.codePointAt(0) ?? 0) - RAW) : Buffer.from(part))),
  );
}

const BACKSLASH = /\\(0[0-7]{0,3}|x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|[\s\S])/g;

function unescape(text: string): { result: string; stop: boolean } {
  let stop = false;
  const upTo = /^(?:[^\\]|\\[^c])*\\c/s.exec(text);
  let body = text;
  if (upTo) {
    stop = true;
    body = upTo[0].slice(0, -2);
  }
  const result = body.replaceAll(BACKSLASH, (whole: string, code: string) => {
    if (code.startsWith('0')) return fromCode(Number.parseInt(code.slice(1) || '0', 8) & 0xff);
    return escaped(code) ?? whole;
  });
  return { result, stop };
}

function escaped(code: string): string | undefined {
  const number = code.length > 1 ? Number.parseInt(code.slice(1), 16) : 0;
  if (code.length > 1 && code.startsWith('x')) return fromCode(number);
  if (code.length > 1 && code.startsWith('u')) return String.fromCodePoint(number);
  return ESCAPES[code];
}

/** What stands between the quotes of `$'…'`. */
export function dollarQuoted(text: string): string {
  return text.replaceAll(
    /\\([0-7]{1,3}|x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|c.|[\s\S])/g,
    (_whole, code: string) => {
      if (/^[0-7]/.test(code)) return String.fromCodePoint(Number.parseInt(code, 8) & 0xff);
      if (code.length > 1 && code.startsWith('c')) return String.fromCodePoint(code.charCodeAt(1) & 0x1f);
      return escaped(code) ?? code;
    },
  );
}

/** `printf`: the format is used again until the arguments are spent. */
export function printf(
  format: string,
  args: readonly string[],
): { readonly text: string; readonly problems: readonly string[] } {
  const left = [...args];
  const problems: string[] = [];
  // A format has no zero before the digits of an octal code: `\101`.
  const { result: pattern } = unescape(format.replaceAll(/\\([1-7][0-7]{0,2})/g, '\\0$1'));
  let text = '';
  for (;;) {
    const before = left.length;
    const { made, stop } = printOnce(pattern, left, problems);
    text += made;
    if (stop || left.length === 0 || left.length === before) return { text, problems };
  }
}

const CONVERSION = /%(%|([-0+ #]*)(\*|\d*)(?:\.(\*|\d*))?([sdiuxXocbqeEfFgG]))/g;

/** Takes its arguments from the front of `left`; `stop`: `%b` had a `\c`, nothing more is printed. */
function printOnce(
  pattern: string,
  left: string[],
  problems: string[],
): { readonly made: string; readonly stop: boolean } {
  let made = '';
  let at = 0;
  for (const match of pattern.matchAll(CONVERSION)) {
    const [all, whole, flags = '', width = '', precision, type = 's'] = match;
    made += pattern.slice(at, match.index);
    at = match.index + all.length;
    if (whole === '%') {
      made += '%';
      continue;
    }
    const wide = width === '*' ? (left.shift() ?? '0') : width;
    const digits = precision === '*' ? left.shift() : precision;
    const argument = left.shift();
    const { text, problem } = convert(type, argument, digits, flags);
    if (problem !== null) problems.push(problem);
    made += pad(text, Number(wide || 0), 'sbcq'.includes(type) ? flags.replace('0', '') : flags);
    if (type === 'b' && unescape(argument ?? '').stop) return { made, stop: true };
  }
  return { made: made + pattern.slice(at), stop: false };
}

interface Converted {
  readonly text: string;
  readonly problem: string | null;
}

function convert(
  type: string,
  argument: string | undefined,
  precision: string | undefined,
  flags: string,
): Converted {
  const text = argument ?? '';
  const plain = (made: string): Converted => ({ text: made, problem: null });
  switch (type) {
    case 's':
      return plain(precision === undefined ? text : text.slice(0, Number(precision)));
    case 'b':
      return plain(unescape(text).result);
    case 'c':
      return plain(text.slice(0, 1));
    case 'q':
      return plain(quoted(text));
    default: {
      const { value, problem } = numberOf(argument);
      const sign = flags.includes('+') && value >= 0 ? '+' : flags.includes(' ') && value >= 0 ? ' ' : '';
      const whole = 'eEfFgG'.includes(type)
        ? floating(type, value, Number(precision ?? 6))
        : integer(type, Math.trunc(value), flags).padStart(Number(precision ?? 0), '0');
      return { text: 'xXou'.includes(type) ? whole : sign + whole, problem };
    }
  }
}

/** `'a` is the code of the letter, `0x10` and `010` are sixteen and eight. */
function numberOf(argument: string | undefined): { value: number; problem: string | null } {
  if (argument === undefined || argument === '') return { value: 0, problem: null };
  if (/^['"]./.test(argument)) return { value: argument.codePointAt(1) ?? 0, problem: null };
  const [, sign = '', digits = ''] = /^\s*([-+]?)(\S*)$/.exec(argument) ?? [];
  const octal = /^0[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : Number(digits === '' ? 'x' : digits);
  const start = Number.parseFloat(argument);
  if (Number.isNaN(octal))
    return { value: Number.isNaN(start) ? 0 : start, problem: `'${argument}': expected a numeric value` };
  return { value: sign === '-' ? -octal : octal, problem: null };
}

function integer(type: string, value: number, flags: string): string {
  // What has no sign is what 64 bits make of it.
  const bits = (): bigint => BigInt.asUintN(64, BigInt(value));
  const prefix = flags.includes('#');
  switch (type) {
    case 'x':
      return (prefix ? '0x' : '') + bits().toString(16);
    case 'X':
      return (prefix ? '0X' : '') + bits().toString(16).toUpperCase();
    case 'o':
      return (prefix ? '0' : '') + bits().toString(8);
    case 'u':
      return bits().toString();
    default:
      return String(value);
  }
}

function floating(type: string, value: number, precision: number): string {
  const exponent = (text: string): string => text.replace(/e([-+])(\d)$/, 'e$10$2');
  let text: string;
  if (type === 'f' || type === 'F') text = value.toFixed(precision);
  else if (type === 'e' || type === 'E') text = exponent(value.toExponential(precision));
  else {
    const significant = precision === 0 ? 1 : precision;
    const at = value === 0 ? 0 : Math.floor(Math.log10(Math.abs(value)));
    const scientific = at < -4 || at >= significant;
    const long = scientific ? value.toExponential(significant - 1) : value.toPrecision(significant);
    text = exponent(long.includes('.') ? long.replace(/\.?0+(?=e|$)/, '') : long);
  }
  return type === type.toUpperCase() ? text.toUpperCase() : text;
}

/** In single quotes where the shell would make more of it. */
export function quoted(value: string): string {
  return /^[\w@%^+:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", String.raw`'\''`)}'`;
}

function pad(text: string, width: number, flags: string): string {
  if (flags.includes('-')) return text.padEnd(width);
  if (!flags.includes('0')) return text.padStart(width);
  const [, sign = '', digits = text] = /^([-+]?)(.*)$/s.exec(text) ?? [];
  return sign + digits.padStart(width - sign.length, '0');
}
