import type { Command } from '../shell/command.ts';
import type { SettingsNamespace } from '../system/settings-store.ts';
import type { Services } from './services.ts';
import { takeUser } from './services.ts';
import { toRotation } from './window-commands.ts';

/** `settings get|put|delete|list <namespace> [<name> [<value>]]` */
export function settingsCommand(services: Services): Command {
  return async (context) => {
    const { rest } = takeUser(context.args);
    const [verb = '', where = '', name = '', value] = rest;
    const namespace = asNamespace(where);
    if (!namespace) {
      await context.stderr.write(`Invalid namespace '${where}'\n`);
      return 255;
    }
    const { settings } = services;
    switch (verb) {
      case 'get':
        await context.stdout.write(`${settings.get(namespace, name) ?? 'null'}\n`);
        return 0;
      case 'put':
        if (value === undefined) {
          await context.stderr.write('Bad arguments\n');
          return 255;
        }
        settings.put(namespace, name, value);
        await applySetting(namespace, name, value, services.display);
        return 0;
      case 'delete': {
        const deleted = settings.delete(namespace, name);
        await context.stdout.write(`Deleted ${deleted ? 1 : 0} rows\n`);
        return 0;
      }
      case 'reset':
        // Nothing was set by a package or as a default of its own.
        return 0;
      case 'list':
        for (const [key, each] of settings.list(namespace)) await context.stdout.write(`${key}=${each}\n`);
        return 0;
      default:
        await context.stderr.write(`Invalid command: ${verb}\n`);
        return 255;
    }
  };
}

function asNamespace(text: string): SettingsNamespace | null {
  const lower = text.toLowerCase();
  return lower === 'system' || lower === 'secure' || lower === 'global' ? lower : null;
}

/** Settings that change what apps see. */
export async function applySetting(
  namespace: SettingsNamespace,
  name: string,
  value: string,
  display: Services['display'],
): Promise<void> {
  if (namespace !== 'system') return;
  if (name === 'font_scale') display.fontScale = Math.min(Math.max(Number(value) || 1, 0.3), 4);
  else if (name === 'user_rotation') display.userRotation = toRotation(value);
  else return;
  await display.apply();
}
