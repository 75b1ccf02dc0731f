import { readFile } from 'node:fs/promises';
import { fail, ok, type Result } from '../shared/outcome.ts';
import type { ToolOption } from './table-types.ts';

/**
 * Turns what stood on the command line into the arguments of a call. `values` is by camel-case option name, as commander
 * gives it. Types are only converted here: whether a value is allowed is for the server's one schema to say.
 */
export async function toArguments(
  options: readonly ToolOption[],
  values: Readonly<Record<string, unknown>>,
): Promise<Result<Record<string, unknown>>> {
  const args: Record<string, unknown> = {};
  for (const option of options) {
    const given = values[optionKey(option.flag)];
    if (given === undefined) continue;
    const value = await convert(option, given);
    if (!value.ok) return value;
    place(args, option.path, value.value);
  }
  return ok(args);
}

/** `--target-text` → `targetText`, commander's own naming. */
export function optionKey(flag: string): string {
  return flag.slice(2).replaceAll(/-(.)/g, (_match, letter: string) => letter.toUpperCase());
}

async function convert(option: ToolOption, given: unknown): Promise<Result<unknown>> {
  if (typeof given !== 'string' || option.type === 'string') return ok(given);
  if (option.type === 'boolean') {
    if (given === 'true' || given === 'false') return ok(given === 'true');
    return fail('INVALID_PARAMS', `${option.flag}: got "${given}", expected true or false`);
  }
  if (option.type === 'json') return parseJson(option, given);
  const number = given.trim() === '' ? Number.NaN : Number(given);
  if (Number.isFinite(number)) return ok(number);
  return fail('INVALID_PARAMS', `${option.flag}: got "${given}", expected a number`);
}

/** JSON, or `@file` that holds JSON; a plain word is taken as the string it looks like. */
async function parseJson(option: ToolOption, given: string): Promise<Result<unknown>> {
  let text = given;
  if (given.startsWith('@')) {
    try {
      text = await readFile(given.slice(1), 'utf8');
    } catch {
      return fail('INVALID_PARAMS', `${option.flag}: there is no readable file ${given.slice(1)}`);
    }
  }
  try {
    return ok(JSON.parse(text));
  } catch {
    if (/^[\w.:@/-]+$/.test(text)) return ok(text);
    return fail('INVALID_PARAMS', `${option.flag}: got ${text.slice(0, 60)}, expected JSON or @file`);
  }
}

function place(args: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [first = '', ...rest] = path;
  if (rest.length === 0) {
    args[first] = value;
    return;
  }
  const inner = args[first];
  const object: Record<string, unknown> = typeof inner === 'object' && inner !== null ? { ...inner } : {};
  place(object, rest, value);
  args[first] = object;
}
