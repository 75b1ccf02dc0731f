import { CHARACTER_CLASSES } from '../character-classes.ts';

/** A POSIX basic or `extended` expression as one of JavaScript's; throws SyntaxError for what is none. */
export function posixRegExp(source: string, extended: boolean, flags: string): RegExp {
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

/** `[…]`: a backslash is a character there, except before `n` and `t`. */
function classOf(text: string): string {
  const inner = text.slice(1, -1);
  let out = '';
  for (let at = 0; at < inner.length; at++) {
    const named = /^\[:(\w+):\]/.exec(inner.slice(at));
    const char = inner[at] ?? '';
    if (named) {
      out += CHARACTER_CLASSES[named[1] ?? ''] ?? '';
      at += named[0].length - 1;
    } else if (char === '\\' && /[nt]/.test(inner[at + 1] ?? '')) out += char + (inner[++at] ?? '');
    else out += '\\[]'.includes(char) ? `\\${char}` : char;
  }
  return `[${out}]`;
}
