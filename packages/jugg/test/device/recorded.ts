import type { AdbConnection, ShellResult } from '../../src/adb/types.ts';
import { commandLine } from '../../src/adb/quote.ts';
import { fail, ok, type Result } from '../../src/shared/outcome.ts';

/** A device that prints what a phone printed, and keeps the command lines it was given. */
export class RecordedPhone implements AdbConnection {
  readonly serial = 'R5CT90AB12X';
  readonly features: ReadonlySet<string> = new Set();
  readonly commands: string[] = [];
  readonly #answers: readonly (readonly [RegExp, string])[];

  /** The first answer whose pattern fits a command line is printed; others print nothing. */
  constructor(answers: readonly (readonly [RegExp, string])[]) {
    this.#answers = answers;
  }

  shell(command: string | readonly string[]): Promise<Result<ShellResult>> {
    const line = commandLine(command);
    this.commands.push(line);
    const stdout = this.#answers.find(([form]) => form.test(line))?.[1] ?? '';
    return Promise.resolve(ok({ stdout, stderr: '', exitCode: 0 }));
  }

  install(_source: unknown, args: readonly string[]): Promise<Result<{ readonly output: string }>> {
    this.commands.push(`pm install ${args.join(' ')}`);
    return Promise.resolve(ok({ output: 'Success\n' }));
  }

  exec = unplugged;
  shellRaw = unplugged;
  spawn = unplugged;
  openStream = unplugged;
  push = unplugged;
  pull = unplugged;
  pullFile = unplugged;
  stat = unplugged;
  lstat = unplugged;
  list = unplugged;
  close(): void {}
}

function unplugged(): Promise<Result<never>> {
  return Promise.resolve(fail('DEVICE_GONE', 'This device only prints what was recorded.'));
}
