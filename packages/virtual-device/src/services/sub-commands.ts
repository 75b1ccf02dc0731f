import type { Command, CommandContext } from '../shell/command.ts';
import type { Services, SubCommand } from './services.ts';

/** Prints a text and ends well. */
export async function print(context: CommandContext, text: string): Promise<number> {
  await context.stdout.write(text);
  return 0;
}

/** A service of `cmd` with its table of sub-commands; `title` heads its help, as Android prints it. */
export function serviceCommand(
  title: string,
  table: ReadonlyMap<string, SubCommand>,
  services: Services,
): Command {
  return async (context) => {
    const [name = '', ...args] = context.args;
    const command = table.get(name);
    if (command) return command(context, args, services);
    await context.stdout.write(
      name === '' || name === 'help'
        ? `${title} commands:\n${[...table.keys()].map((each) => `  ${each}\n`).join('')}`
        : `Unknown command: ${name}\n`,
    );
    return name === 'help' ? 0 : 255;
  };
}
