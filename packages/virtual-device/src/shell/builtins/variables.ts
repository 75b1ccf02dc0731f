import { evaluate } from '../arith.ts';
import { ShellFault } from '../faults.ts';
import { quoted } from '../print.ts';
import type { ShellPort } from '../shell-port.ts';
import type { Attributes } from '../variables.ts';
import type { Builtin } from './builtin.ts';
import { leadingOptions } from './builtin.ts';
import { print } from './output.ts';

const NAME = /^[A-Za-z_]\w*$/;

export const exportVariables: Builtin = (shell, args, io) =>
  declareAll(shell, 'export', args, io, (attributes) => attributes.exported === true, { exported: true });

export const readonlyVariables: Builtin = (shell, args, io) =>
  declareAll(shell, 'readonly', args, io, (attributes) => attributes.readonly === true, { readonly: true });

/** Gives variables an attribute, or prints those that have it. */
async function declareAll(
  shell: ShellPort,
  command: string,
  args: readonly string[],
  io: Parameters<Builtin>[2],
  has: (attributes: Attributes) => boolean,
  attributes: Attributes,
): Promise<number> {
  const { vars } = shell.state;
  const { flags, rest } = leadingOptions(args, 'pfn');
  if (rest.length === 0) {
    const names = vars.names().filter((name) => has(vars.attributes(name) ?? {}));
    const line = (name: string): string => `${command} ${name}=${quoted(vars.get(name) ?? '')}\n`;
    return print(
      shell,
      command,
      io,
      names.map((name) => (flags.has('p') ? line(name) : `${name}\n`)).join(''),
    );
  }
  for (const arg of rest) assign(shell, command, arg, attributes);
  return 0;
}

/** `name`, `name=value` or `name+=value` */
function assign({ state: { vars } }: ShellPort, command: string, arg: string, attributes: Attributes): void {
  const [, name = arg, append = '', value] = /^([^=+]*)(\+?)=(.*)$/s.exec(arg) ?? [];
  if (!NAME.test(name)) throw new ShellFault(`${command}: ${arg}: is not an identifier`);
  const { readonly = false, ...others } = attributes;
  if (value !== undefined) vars.set(name, (append === '' ? '' : (vars.get(name) ?? '')) + value, others);
  vars.declare(name, readonly ? attributes : others);
}

/** `local name[=value] …`: until the function ends. */
export const local: Builtin = (shell, args, io) => typeset(shell, args, io);

/** `typeset [-irxul] [-Z<n>] [name[=value] …]`: local in a function; without names it prints them. */
export const typeset: Builtin = (shell, args, io) => {
  const { flags, values, rest } = leadingOptions(args, 'irxulapgf', 'ZLR');
  const { vars, calls } = shell.state;
  const zeros = values.get('Z');
  const attributes: Attributes = {
    ...(flags.has('i') ? { integer: true } : {}),
    ...(flags.has('+i') ? { integer: false } : {}),
    ...(flags.has('r') ? { readonly: true } : {}),
    ...(flags.has('x') ? { exported: true } : {}),
    ...(flags.has('+x') ? { exported: false } : {}),
    ...(flags.has('u') ? { letters: 'upper' as const } : {}),
    ...(flags.has('l') ? { letters: 'lower' as const } : {}),
    ...(zeros === undefined ? {} : { zeros: Number(zeros) || 0 }),
  };
  if (rest.length === 0 || flags.has('p')) {
    const names = rest.length === 0 ? vars.names() : rest;
    return print(shell, 'typeset', io, names.map((name) => described(shell, name)).join(''));
  }
  const call = flags.has('g') ? undefined : calls.at(-1);
  for (const arg of rest) {
    const [name = ''] = arg.split(/\+?=/s);
    if (call && !call.hidden.has(name)) call.hidden.set(name, vars.hide(name));
    assign(shell, 'typeset', arg, attributes);
  }
  return 0;
};

function described({ state: { vars } }: ShellPort, name: string): string {
  const value = vars.get(name);
  const { integer, exported, readonly } = vars.attributes(name) ?? {};
  const letters = `${integer ? 'i' : ''}${readonly ? 'r' : ''}${exported ? 'x' : ''}`;
  const flags = letters === '' ? '' : `-${letters} `;
  return value === undefined ? '' : `typeset ${flags}${name}=${quoted(value)}\n`;
}

/** `unset [-fv] name…`; `name[index]` takes one element of an array away. */
export const unset: Builtin = async (shell, args) => {
  const { vars, functions } = shell.state;
  const { flags, rest } = leadingOptions(args, 'fv');
  let status = 0;
  for (const arg of rest) {
    const [, name = arg, index] = /^([^[]*)\[(.*)\]$/.exec(arg) ?? [];
    if (flags.has('f')) functions.delete(name);
    else if (vars.attributes(name)?.readonly) status = await shell.complain(`${name}: is read only`);
    else if (index === undefined || index === '*' || index === '@') vars.unset(name);
    else vars.unset(name, evaluate(index, vars));
  }
  return status;
};

/** `let expression…`: 0 when the last one is not 0. */
export const letCommand: Builtin = async (shell, args) => {
  if (args.length === 0) return shell.complain('let: no arguments');
  let value = 0;
  try {
    for (const arg of args) value = evaluate(arg, shell.state.vars);
  } catch (error) {
    if (error instanceof ShellFault) return shell.complain(error.message, 2);
    throw error;
  }
  return value === 0 ? 1 : 0;
};
