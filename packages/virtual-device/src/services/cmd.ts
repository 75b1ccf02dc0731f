import type { Command } from '../shell/command.ts';
import { DISPLAY_ID } from './dump-system.ts';
import { jobSchedulerCommand } from './job-commands.ts';
import { takeUser } from './services.ts';
import type { Services } from './services.ts';

/** `cmd [-l | <service> <args>…]`: the same handlers as the tools of their own names. */
export function cmdCommand(services: Services, handlers: ReadonlyMap<string, Command>): Command {
  const all = new Map([
    ...handlers,
    ['uimode', uiMode(services)] as const,
    ['display', displayCommand(services)] as const,
    ['locale', appLocales(services)] as const,
    ['jobscheduler', jobSchedulerCommand(services)] as const,
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

/** `cmd display get-displays` (Android 11 and later). */
function displayCommand({ display, power }: Services): Command {
  return async ({ args, stdout }) => {
    if (args[0] !== 'get-displays') {
      await stdout.write(`Unknown command: ${args[0] ?? ''}\n`);
      return 255;
    }
    const [width, height] = display.current;
    const state = power.awake ? 'ON' : 'OFF';
    await stdout.write(
      `Displays:\nDisplay id 0: DisplayInfo{"Built-in Screen", displayId 0, state ${state}, real ${width} x ${height}, density ${display.density}, rotation ${display.rotation}, type INTERNAL, uniqueId "local:${DISPLAY_ID}"}, isValid=true\n`,
    );
    return 0;
  };
}

/** `cmd locale get|set-app-locales <package> [--locales TAGS]`: kept and told; the device's own language is that of its start. */
function appLocales(services: Services): Command {
  const locales = new Map<string, string>();
  return async (context) => {
    const { rest } = takeUser(context.args);
    const [verb = '', packageName = ''] = rest;
    if (!services.database.get(packageName)) {
      await context.stderr.write(`Unknown package ${packageName} for userId 0\n`);
      return 1;
    }
    if (verb === 'set-app-locales') {
      const at = rest.indexOf('--locales');
      locales.set(packageName, at < 0 ? '' : (rest[at + 1] ?? ''));
      return 0;
    }
    await context.stdout.write(
      `Locales for ${packageName} for user 0 are [${locales.get(packageName) ?? ''}]\n`,
    );
    return 0;
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
