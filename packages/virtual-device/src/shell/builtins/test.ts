import { testCommand } from '../test-command.ts';
import type { Builtin } from './builtin.ts';

/** `test …` and `[ … ]` */
export const test: Builtin = async (shell, args) => {
  const words = args.at(-1) === ']' ? args.slice(0, -1) : args;
  const result = await testCommand(words, shell.expander());
  if (typeof result === 'boolean') return result ? 0 : 1;
  return shell.complain(result.problem, 2);
};
