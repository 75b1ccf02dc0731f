import { createHash } from 'node:crypto';
import { readAll } from '../../io/bytes.ts';
import { complainFile, parseOptions, pathOf } from '../command.ts';
import type { Command, CommandContext } from '../command.ts';
import { allLines } from './inputs.ts';

export const DIGEST_COMMANDS: readonly (readonly [string, Command])[] = [
  ['md5sum', (context) => digest(context, 'md5')],
  ['sha1sum', (context) => digest(context, 'sha1')],
  ['sha256sum', (context) => digest(context, 'sha256')],
  ['sha512sum', (context) => digest(context, 'sha512')],
  ['base64', base64],
];

async function digest(context: CommandContext, algorithm: string): Promise<number> {
  const { flags, rest } = parseOptions(context.args, 'bcs');
  if (flags.has('c')) return checkDigests(context, algorithm, rest, flags.has('s'));
  let status = 0;
  for (const name of rest.length === 0 ? ['-'] : rest) {
    const data =
      name === '-'
        ? { ok: true as const, value: await readAll(context.stdin) }
        : await context.fs.readFile(pathOf(context, name));
    if (!data.ok) {
      status = await complainFile(context, name, data.errno);
      continue;
    }
    const hex = createHash(algorithm).update(data.value).digest('hex');
    await context.stdout.write(flags.has('b') ? `${hex}\n` : `${hex}  ${name}\n`);
  }
  return status;
}

/** `-c`: each file that a list names has the digest that it says. */
async function checkDigests(
  context: CommandContext,
  algorithm: string,
  lists: readonly string[],
  silent: boolean,
): Promise<number> {
  const { lines, status } = await allLines(context, lists);
  let worst = status;
  for (const line of lines) {
    const [, wanted = '', name = ''] = /^([0-9a-fA-F]+)\s+\*?(.*)$/.exec(line) ?? [];
    if (name === '') continue;
    const data = await context.fs.readFile(pathOf(context, name));
    const hex = data.ok ? createHash(algorithm).update(data.value).digest('hex') : null;
    const fits = hex === wanted.toLowerCase();
    if (!fits) worst = 1;
    if (!silent) await context.stdout.write(`${name}: ${fits ? 'OK' : 'FAILED'}\n`);
  }
  return worst;
}

async function base64(context: CommandContext): Promise<number> {
  const { flags, values, rest } = parseOptions(context.args, 'di', 'w');
  const name = rest[0] ?? '-';
  const data =
    name === '-'
      ? { ok: true as const, value: await readAll(context.stdin) }
      : await context.fs.readFile(pathOf(context, name));
  if (!data.ok) return complainFile(context, name, data.errno);
  if (flags.has('d')) {
    await context.stdout.write(Buffer.from(data.value.toString('latin1'), 'base64'));
    return 0;
  }
  const width = Number(values.get('w') ?? 76);
  const text = data.value.toString('base64');
  const lines = width > 0 ? (text.match(new RegExp(`.{1,${width}}`, 'g')) ?? []) : [text];
  await context.stdout.write(`${lines.join('\n')}\n`);
  return 0;
}
