import type { CommandContext } from '../shell/command.ts';
import type { SubCommand } from './services.ts';

/** What Android has and this device has not is refused, never taken as if it were done. */
export async function notHere(context: CommandContext, what: string): Promise<number> {
  await context.stderr.write(`Error: ${what} is not supported by the Jugg virtual device\n`);
  return 255;
}

/** Sub-commands of `tool` that Android knows and that have nothing to work on here. */
export function notHereCommands(tool: string, names: readonly string[]): readonly [string, SubCommand][] {
  return names.map((name) => [name, (context) => notHere(context, `${tool} ${name}`)]);
}
