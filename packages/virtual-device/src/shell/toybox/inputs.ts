import { strerror } from '../../fs/errno.ts';
import { bufferSource, readAll, readLines } from '../../io/bytes.ts';
import type { ByteSource } from '../../io/bytes.ts';
import { complain, pathOf } from '../command.ts';
import type { CommandContext } from '../command.ts';

/** Something to read: a file, or stdin under the name `-`. */
export interface Input {
  readonly name: string;
  readonly source: ByteSource;
}

/** The named files, or stdin; a file that cannot be read is complained about and left out, which `failed` hears of. */
export async function* sources(
  context: CommandContext,
  files: readonly string[],
  failed: () => void = () => {},
): AsyncGenerator<Input> {
  for (const name of files.length === 0 ? ['-'] : files) {
    if (name === '-') {
      yield { name, source: context.stdin };
      continue;
    }
    const data = await context.fs.readFile(pathOf(context, name));
    if (data.ok) yield { name, source: bufferSource(data.value) };
    else {
      failed();
      await complain(context, `${name}: ${strerror(data.errno)}`);
    }
  }
}

/** All lines of all of them; the status is 1 when one could not be read. */
export async function allLines(
  context: CommandContext,
  files: readonly string[],
): Promise<{ readonly lines: string[]; readonly status: number }> {
  const lines: string[] = [];
  let status = 0;
  for await (const { source } of sources(context, files, () => (status = 1)))
    for await (const line of readLines(source)) lines.push(line);
  return { lines, status };
}

/** The bytes of one file or of stdin; null when it cannot be read, which has been complained about then. */
export async function bytesOf(context: CommandContext, name = '-'): Promise<Buffer | null> {
  for await (const { source } of sources(context, [name])) return readAll(source);
  return null;
}

export async function printLines(context: CommandContext, lines: readonly string[]): Promise<void> {
  if (lines.length > 0) await context.stdout.write(`${lines.join('\n')}\n`);
}

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  c: 1,
  b: 512,
  k: 1024,
  m: 1024 ** 2,
  g: 1024 ** 3,
  t: 1024 ** 4,
  kd: 1000,
  md: 1000 ** 2,
  gd: 1000 ** 3,
};

/** `10`, `0x10`, `4k`, `1M` as toybox reads sizes (its `atolx`); null for what is none. */
export function sizeOf(text: string): number | null {
  const [, number = '', unit = ''] = /^(-?(?:0x[0-9a-f]+|\d+))([a-z]*)$/i.exec(text) ?? [];
  const factor = UNITS[unit.toLowerCase().replace(/(?<=[kmg])ib?$|(?<=[kmgt])b$/, '')];
  if (number === '' || factor === undefined) return null;
  return Number(number) * factor;
}
