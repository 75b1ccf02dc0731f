import { alias, unalias } from './aliases.ts';
import type { Builtin } from './builtin.ts';
import { changeFolder, echoCommand, print, printCommand, printfCommand } from './output.ts';
import { breakLoop, continueLoop, dot, evalCommand, exec, exit, returnCommand } from './flow.ts';
import { findsCommands, NAMES, runsCommands } from './names.ts';
import { getopts, setOptions, shift } from './options.ts';
import { jobs, kill, trap, ulimit, umask, wait } from './process.ts';
import { read } from './read.ts';
import { test } from './test.ts';
import { exportVariables, letCommand, local, readonlyVariables, typeset, unset } from './variables.ts';

/** Commands that change the shell itself, or that a shell has built in. */
export const BUILTINS: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  [':', () => 0],
  ['true', () => 0],
  ['false', () => 1],
  ['cd', changeFolder],
  ['pwd', (shell, _args, io) => print(shell, 'pwd', io, `${shell.state.cwd}\n`)],
  ['echo', echoCommand],
  ['printf', printfCommand],
  ['print', printCommand],
  ['exit', exit],
  ['export', exportVariables],
  ['readonly', readonlyVariables],
  ['local', local],
  ['typeset', typeset],
  ['let', letCommand],
  ['unset', unset],
  ['return', returnCommand],
  ['set', setOptions],
  ['shift', shift],
  ['getopts', getopts],
  ['read', read],
  ['eval', evalCommand],
  ['.', dot],
  ['source', dot],
  ['exec', exec],
  ['command', runsCommands],
  ['builtin', runsCommands],
  ['type', findsCommands],
  ['whence', findsCommands],
  ['hash', () => 0],
  ['alias', alias],
  ['unalias', unalias],
  ['test', test],
  ['[', test],
  ['wait', wait],
  ['jobs', jobs],
  ['kill', kill],
  ['trap', trap],
  ['umask', umask],
  ['ulimit', ulimit],
  ['times', (shell, _args, io) => print(shell, 'times', io, '0m00.00s 0m00.00s\n0m00.00s 0m00.00s\n')],
  ['break', breakLoop],
  ['continue', continueLoop],
]);

for (const name of BUILTINS.keys()) NAMES.add(name);
