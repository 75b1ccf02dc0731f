import { quoted } from '../print.ts';
import { ShellFault } from '../faults.ts';
import type { Builtin } from './builtin.ts';
import { print } from './output.ts';

/** `set [-efuxaC] [-o name] [-A array] [--] [args]` */
export const setOptions: Builtin = async (shell, args, io) => {
  const { state } = shell;
  const { vars, options } = state;
  if (args.length === 0) {
    const lines = vars.names().map((name) => `${name}=${quoted(vars.get(name) ?? '') || "''"}\n`);
    return print(shell, 'set', io, lines.join(''));
  }
  let at = 0;
  for (; /^[-+]/.test(args[at] ?? ''); at++) {
    const arg = args[at] ?? '';
    const on = arg.startsWith('-');
    if (arg === '--' || arg === '-') {
      state.positional = args.slice(at + 1);
      return 0;
    }
    for (const letter of arg.slice(1)) {
      if (letter === 'A') {
        const [array = '', ...values] = args.slice(at + 1);
        vars.setArray(array, values, !on);
        return 0;
      }
      const name = letter === 'o' ? args[++at] : letter;
      if (name === undefined) return print(shell, 'set', io, on ? options.table() : options.command());
      if (!options.change(name, on))
        throw new ShellFault(`set: ${letter === 'o' ? name : arg}: unknown option`);
    }
  }
  if (at < args.length) state.positional = args.slice(at);
  return 0;
};

export const shift: Builtin = async (shell, [count = '1']) => {
  const { state } = shell;
  if (!/^\d+$/.test(count)) return shell.complain(`shift: ${count}: bad number`);
  if (Number(count) > state.positional.length) throw new ShellFault('shift: nothing to shift');
  state.positional = state.positional.slice(Number(count));
  return 0;
};

/** `getopts optstring name [args]`: the next option; POSIX's rules of what is said about those that are wrong. */
export const getopts: Builtin = async (shell, [letters = '', name = '', ...given]) => {
  const { state } = shell;
  const { vars } = state;
  const args = given.length > 0 ? given : state.positional;
  const silent = letters.startsWith(':');
  let index = Number(vars.get('OPTIND') ?? '1');
  if (vars.get('OPTIND') !== state.optionIndex) state.optionAt = 0;
  const done = (value: string, argument: string | null, status = 0): number => {
    vars.set('OPTIND', String(index));
    state.optionIndex = String(index);
    if (argument === null) vars.unset('OPTARG');
    else vars.set('OPTARG', argument);
    vars.set(name, value);
    return status;
  };
  const arg = args[index - 1];
  if (state.optionAt === 0 && (arg === undefined || !/^[-+]./.test(arg) || arg === '--')) {
    if (arg === '--') index++;
    return done('?', null, 1);
  }
  const at = state.optionAt === 0 ? 1 : state.optionAt;
  const letter = arg?.[at] ?? '';
  const rest = arg?.slice(at + 1) ?? '';
  const known = letter !== ':' && letters.includes(letter);
  const wantsValue = known && letters[letters.indexOf(letter, silent ? 1 : 0) + 1] === ':';
  state.optionAt = rest === '' || wantsValue ? 0 : at + 1;
  if (state.optionAt === 0) index++;
  if (!known) {
    if (silent) return done('?', letter);
    await shell.complain(`-${letter}: unknown option`);
    return done('?', null);
  }
  if (!wantsValue) return done(arg?.startsWith('+') ? `+${letter}` : letter, null);
  const value = rest === '' ? args[index - 1] : rest;
  if (rest === '') index++;
  if (value !== undefined) return done(letter, value);
  index--;
  if (silent) return done(':', letter);
  await shell.complain(`-${letter}: requires an argument`);
  return done('?', null);
};
