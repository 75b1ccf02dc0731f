import type { ByteSource } from '../../io/bytes.ts';
import { shared } from '../descriptors.ts';
import type { Builtin } from './builtin.ts';
import { leadingOptions } from './builtin.ts';

/** What was read, and whether its end was there. */
interface Line {
  readonly text: string;
  readonly ended: boolean;
}

const NEWLINE = 0x0a;

/** Up to `end`, which is taken and left out; null at the end of the stream. What was read too far is given back. */
export async function readLine(source: ByteSource, end = NEWLINE): Promise<Line | null> {
  const stream = shared(source);
  const chunks: Buffer[] = [];
  for (;;) {
    const chunk = await stream.read();
    if (chunk === null) break;
    const at = chunk.indexOf(end);
    if (at < 0) {
      chunks.push(chunk);
      continue;
    }
    stream.unread(chunk.subarray(at + 1));
    return { text: Buffer.concat([...chunks, chunk.subarray(0, at)]).toString('utf8'), ended: true };
  }
  return chunks.length === 0 ? null : { text: Buffer.concat(chunks).toString('utf8'), ended: false };
}

/** At most `count` bytes: `exactly` waits for all of them and looks at no newline. */
async function readCount(source: ByteSource, count: number, exactly: boolean): Promise<Line | null> {
  const stream = shared(source);
  let bytes = Buffer.alloc(0);
  while (bytes.length < count) {
    const chunk = await stream.read();
    if (chunk === null) break;
    const newline = exactly ? -1 : chunk.indexOf(NEWLINE);
    const wanted = Math.min(count - bytes.length, newline < 0 ? chunk.length : newline);
    bytes = Buffer.concat([bytes, chunk.subarray(0, wanted)]);
    const over = newline >= 0 && wanted === newline;
    stream.unread(chunk.subarray(wanted + (over ? 1 : 0)));
    if (over || wanted < chunk.length) return { text: bytes.toString('utf8'), ended: true };
  }
  if (bytes.length === 0) return null;
  return { text: bytes.toString('utf8'), ended: bytes.length === count };
}

/** `read [-r] [-d end] [-n|-N bytes] [-t seconds] [-u fd] [-A|-a array] [name…]` */
export const read: Builtin = async (shell, args, io) => {
  const { flags, values, rest, unknown } = leadingOptions(args, 'rsAap', 'dnNtu');
  if (unknown !== null) return shell.complain(`read: -${unknown}: unknown option`, 2);
  if (flags.has('p')) return shell.complain('read: -p: no coprocess', 2);
  const fd = values.get('u');
  const stdin = fd === undefined ? io.stdin : shell.descriptors.get(Number(fd))?.source;
  if (!stdin) return shell.complain(`read: -u: ${fd ?? ''}: bad file descriptor`, 2);
  const { vars } = shell.state;
  const raw = flags.has('r');
  const exactly = values.get('N');
  const count = exactly ?? values.get('n');
  const end = values.get('d');
  const reading =
    count === undefined
      ? readLogicalLine(stdin, end === undefined ? NEWLINE : (end.codePointAt(0) ?? 0), raw)
      : readCount(stdin, Number(count), exactly !== undefined);
  const line = await inTime(reading, values.get('t'));
  const text = line?.text ?? '';
  const ifs = exactly === undefined ? (vars.get('IFS') ?? ' \t\n') : '';
  if (flags.has('A') || flags.has('a'))
    vars.setArray(rest[0] ?? 'REPLY', splitFields(text, ifs, Infinity, raw));
  else {
    const names = rest.length === 0 ? ['REPLY'] : rest;
    const fields = splitFields(text, rest.length === 0 ? '' : ifs, names.length, raw);
    for (const [index, name] of names.entries()) vars.set(name, fields[index] ?? '');
  }
  return line?.ended ? 0 : 1;
};

/** A line, and the next ones where a backslash stands at the end. */
async function readLogicalLine(stdin: ByteSource, end: number, raw: boolean): Promise<Line | null> {
  const line = await readLine(stdin, end);
  if (raw || !line?.ended || !/(?:^|[^\\])(?:\\\\)*\\$/.test(line.text)) return line;
  const next = await readLogicalLine(stdin, end, raw);
  return { text: line.text.slice(0, -1) + (next?.text ?? ''), ended: next?.ended ?? false };
}

async function inTime(reading: Promise<Line | null>, seconds: string | undefined): Promise<Line | null> {
  if (seconds === undefined) return reading;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), Number(seconds) * 1000);
  });
  const line = await Promise.race([reading, late]);
  clearTimeout(timer);
  return line;
}

/** POSIX `read`: the last field is the rest of the line, without the white space of IFS around it. */
function splitFields(text: string, ifs: string, count: number, raw: boolean): string[] {
  const letters: { readonly char: string; readonly plain: boolean }[] = [];
  for (let at = 0; at < text.length; at++) {
    const escaped = !raw && text[at] === '\\';
    if (escaped) at++;
    letters.push({ char: text[at] ?? '', plain: escaped });
  }
  const blank = (at: number): boolean => is(at) && ' \t\n'.includes(letters[at]?.char ?? 'x');
  const is = (at: number): boolean => {
    const letter = letters[at];
    return letter !== undefined && !letter.plain && ifs.includes(letter.char) && letter.char !== '';
  };
  let last = letters.length;
  while (last > 0 && blank(last - 1)) last--;
  const fields: string[] = [];
  let at = 0;
  while (blank(at)) at++;
  while (at < last) {
    let end = at;
    while (end < last && !is(end)) end++;
    if (fields.length === count - 1) end = last;
    const field = letters
      .slice(at, end)
      .map(({ char }) => char)
      .join('');
    // One mark at the very end ends the last field; where there are more, they belong to it.
    fields.push(field);
    at = end;
    while (at < last && blank(at)) at++;
    if (at < last && is(at)) at++;
    while (at < last && blank(at)) at++;
  }
  return fields;
}
