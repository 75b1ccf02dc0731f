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

function unescape(text: string): { result: string; stop: boolean } {
  let stop = false;
  const upTo = /^(?:[^\\]|\\[^c])*\\c/s.exec(text);
  let body = text;
  if (upTo) {
    stop = true;
    body = upTo[0].slice(0, -2);
  }
  const result = body.replaceAll(
    /\\(0[0-7]{0,3}|x[0-9a-fA-F]{1,2}|[\s\S])/g,
    (whole: string, code: string) => {
      if (code.startsWith('0')) return String.fromCodePoint(Number.parseInt(code.slice(1) || '0', 8));
      if (code.length > 1 && code.startsWith('x'))
        return String.fromCodePoint(Number.parseInt(code.slice(1), 16));
      return ESCAPES[code] ?? whole;
    },
  );
  return { result, stop };
}

/** `printf`: the format is used again until the arguments are spent. */
export function printf(format: string, args: readonly string[]): string {
  const left = [...args];
  const pattern = unescape(format).result;
  let out = '';
  do {
    const before = left.length;
    out += pattern.replaceAll(/%(%|([-0+ ]*)(\d*)(?:\.(\d+))?([sdiuxXocbq]))/g, (...groups: string[]) => {
      const [, whole = '', flags = '', width = '', precision, type = 's'] = groups;
      if (whole === '%') return '%';
      return pad(convert(type, left.shift(), precision), Number(width || 0), flags);
    });
    if (left.length === before) break;
  } while (left.length > 0);
  return out;
}

function convert(type: string, argument: string | undefined, precision: string | undefined): string {
  const text = argument ?? '';
  switch (type) {
    case 's':
      return precision === undefined ? text : text.slice(0, Number(precision));
    case 'b':
      return unescape(text).result;
    case 'c':
      return text.slice(0, 1);
    case 'q':
      return `'${text.replaceAll("'", String.raw`'\''`)}'`;
    default: {
      const value = Math.trunc(Number(text)) || 0;
      const digits =
        type === 'x' || type === 'X' ? value.toString(16) : type === 'o' ? value.toString(8) : String(value);
      return type === 'X' ? digits.toUpperCase() : digits;
    }
  }
}

function pad(text: string, width: number, flags: string): string {
  if (flags.includes('-')) return text.padEnd(width);
  return text.padStart(width, flags.includes('0') ? '0' : ' ');
}
