import { quoted } from '../print.ts';
import type { Builtin } from './builtin.ts';
import { print } from './output.ts';

/** `alias [name[=value] …]`: sets, or prints them. */
export const alias: Builtin = async (shell, args, io) => {
  const { aliases } = shell.state;
  const names = args.filter((arg) => !/^-\w$/.test(arg));
  if (names.length === 0) {
    const lines = [...aliases].map(([name, value]) => `${name}=${quoted(value)}\n`);
    return print(shell, 'alias', io, lines.sort().join(''));
  }
  let status = 0;
  for (const arg of names) {
    const [name = '', value] = arg.split(/=(.*)/s);
    const known = aliases.get(name);
    if (value !== undefined) aliases.set(name, value);
    else if (known !== undefined) status = await print(shell, 'alias', io, `${name}=${quoted(known)}\n`);
    else {
      await print(shell, 'alias', io, `${name} alias not found\n`);
      status = 1;
    }
  }
  return status;
};

export const unalias: Builtin = (shell, args) => {
  if (args[0] === '-a') shell.state.aliases.clear();
  const names = args.filter((arg) => arg !== '-a');
  return names.map((name) => shell.state.aliases.delete(name)).includes(false) ? 1 : 0;
};
