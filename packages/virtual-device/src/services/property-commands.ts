import { complain } from '../shell/command.ts';
import type { Command } from '../shell/command.ts';
import type { Properties } from '../system/properties.ts';

/** `getprop` and `setprop`. */
export function propertyCommands(properties: Properties): readonly (readonly [string, Command])[] {
  return [
    [
      'getprop',
      async ({ args, stdout }) => {
        const [name, fallback] = args.filter((arg) => arg !== '-Z' && arg !== '-T');
        if (name !== undefined) await stdout.write(`${properties.get(name) || (fallback ?? '')}\n`);
        else for (const [key, value] of properties.all()) await stdout.write(`[${key}]: [${value}]\n`);
        return 0;
      },
    ],
    [
      'setprop',
      async (context) => {
        const [name, value] = context.args;
        if (name === undefined || value === undefined) return complain(context, 'Need 2 arguments');
        if (properties.setByShell(name, value)) return 0;
        return complain(
          context,
          `failed to set property '${name}' to '${value}'; see dmesg for error reason`,
        );
      },
    ],
  ];
}
