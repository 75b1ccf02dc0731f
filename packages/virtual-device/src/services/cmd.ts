import type { Command } from '../shell/command.ts';
import type { Services } from './services.ts';

/** `cmd [-l | <service> <args>…]`: the same handlers as the tools of their own names. */
export function cmdCommand(services: Services, handlers: ReadonlyMap<string, Command>): Command {
  const all = new Map([
    ...handlers,
    ['uimode', uiMode(services)] as const,
    ['statusbar', async () => 0] as const,
  ]);
  return async (context) => {
    const [name, ...args] = context.args.filter((arg, at) => !(at === 0 && arg === '-w'));
    if (name === undefined || name === '-l') {
      const lines = [...all.keys()].sort().map((each) => `  ${each}\n`);
      await context.stdout.write(`Currently running services:\n${lines.join('')}`);
      return 0;
    }
    const handler = all.get(name);
    if (handler) return handler({ ...context, name, args });
    await context.stderr.write(`cmd: Can't find service: ${name}\n`);
    return 20;
  };
}

/** `cmd uimode night [yes|no]` */
function uiMode({ display }: Services): Command {
  return async ({ args, stdout, stderr }) => {
    const [what, value] = args;
    if (what !== 'night') {
      await stderr.write(`Unknown command: ${what ?? ''}\n`);
      return 255;
    }
    if (value !== undefined && value !== 'yes' && value !== 'no') {
      await stderr.write(`Error: mode must be 'yes' or 'no', not '${value}'\n`);
      return 255;
    }
    if (value !== undefined) {
      display.night = value === 'yes';
      await display.apply();
    }
    await stdout.write(`Night mode: ${display.night ? 'yes' : 'no'}\n`);
    return 0;
  };
}
