import type { ShellCommand } from './types.ts';

/** Words that the device's shell (mksh) takes as they are. */
const PLAIN = /^[A-Za-z0-9_@%+=:,./-]+$/;

/** One word for the device's shell: any text, in single quotes where it needs them. */
export function quote(word: string): string {
  if (PLAIN.test(word)) return word;
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** A command line for the device's shell; an argument list is quoted word by word. */
export function commandLine(command: ShellCommand): string {
  return typeof command === 'string' ? command : command.map(quote).join(' ');
}
