import type { SubCommand } from './services.ts';
import { takeUser } from './services.ts';

const MODES = ['allow', 'ignore', 'deny', 'default', 'foreground'] as const;

/** What was set, by package and operation; an app here is never asked by it. */
const set = new WeakMap<object, Map<string, Map<string, string>>>();

function modesOf(services: object, packageName: string): Map<string, string> {
  const all = set.get(services) ?? new Map<string, Map<string, string>>();
  set.set(services, all);
  const modes = all.get(packageName) ?? new Map<string, string>();
  all.set(packageName, modes);
  return modes;
}

/** `appops get|set|reset <package> [<operation> [<mode>]]` (AOSP `AppOpsService.Shell`); kept and shown, without effect on apps. */
export const APP_OPS: ReadonlyMap<string, SubCommand> = new Map<string, SubCommand>([
  [
    'set',
    async (context, args, services) => {
      const [packageName = '', operation = '', mode = ''] = takeUser(args).rest.filter(
        (arg) => arg !== '--uid',
      );
      if (!MODES.some((each) => each === mode)) {
        await context.stderr.write(`Error: Mode ${mode} is not valid\n`);
        return 255;
      }
      if (!services.database.get(packageName)) {
        await context.stderr.write(`Error: No UID for ${packageName} in user 0\n`);
        return 255;
      }
      modesOf(services, packageName).set(operation, mode);
      return 0;
    },
  ],
  [
    'get',
    async (context, args, services) => {
      const [packageName = '', operation] = takeUser(args).rest.filter((arg) => arg !== '--uid');
      if (!services.database.get(packageName)) {
        await context.stderr.write(`Error: No UID for ${packageName} in user 0\n`);
        return 255;
      }
      const modes = [...modesOf(services, packageName)].filter(
        ([name]) => operation === undefined || name === operation,
      );
      const text = modes.map(([name, mode]) => `${name}: ${mode}\n`).join('');
      await context.stdout.write(text === '' ? 'No operations.\n' : text);
      return 0;
    },
  ],
  [
    'reset',
    async (_context, args, services) => {
      const [packageName] = takeUser(args).rest;
      if (packageName !== undefined) modesOf(services, packageName).clear();
      else set.delete(services);
      return 0;
    },
  ],
]);
