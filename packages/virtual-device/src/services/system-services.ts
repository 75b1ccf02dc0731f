import type { Command } from '../shell/command.ts';
import { notHereCommands } from './not-here.ts';
import type { Services, SubCommand } from './services.ts';
import { serviceCommand } from './sub-commands.ts';

/** `cmd statusbar …`: there is no status bar that could open or close. */
export function statusBarCommand(services: Services): Command {
  const nothing: SubCommand = async () => 0;
  const table = new Map<string, SubCommand>([
    ['expand-notifications', nothing],
    ['expand-settings', nothing],
    ['collapse', nothing],
    ['get-status-icons', nothing],
    [
      'check-support',
      async (context) => {
        await context.stdout.write('false\n');
        return 0;
      },
    ],
    ...notHereCommands('cmd statusbar', ['add-tile', 'remove-tile', 'click-tile', 'send-disable-flag']),
  ]);
  return serviceCommand('Status bar (statusbar)', table, services);
}

/** `cmd notification …` (Android 9 and later): notifications stay in their app, so the list is empty. */
export function notificationCommand(services: Services): Command {
  const nothing: SubCommand = async () => 0;
  const table = new Map<string, SubCommand>([
    ['list', nothing],
    ...notHereCommands('cmd notification', [
      'post',
      'get',
      'snooze',
      'unsnooze',
      'set_dnd',
      'allow_dnd',
      'disallow_dnd',
      'allow_listener',
      'disallow_listener',
      'allow_assistant',
    ]),
  ]);
  return serviceCommand('Notification manager (notification)', table, services);
}

/** Apps that doze does not touch, as `dumpsys deviceidle whitelist` and `cmd deviceidle whitelist` keep them. */
export function deviceIdleCommand(services: Services): Command {
  const added = new Set<string>();
  const uidOf = (name: string): number | undefined => services.database.get(name)?.uid;
  return async ({ args, stdout, stderr }) => {
    const [what = '', ...names] = args;
    if (what !== 'whitelist' && what !== 'except-idle-whitelist') {
      if (what === '' || what === '-a') await stdout.write('  mLightEnabled=false  mDeepEnabled=false\n');
      else await stderr.write(`Error: deviceidle ${what} is not supported by the Jugg virtual device\n`);
      return what === '' || what === '-a' ? 0 : 255;
    }
    for (const each of names) {
      const [sign, name] = [each[0] ?? '', each.slice(1)];
      if (sign === '+') {
        if (uidOf(name) !== undefined) added.add(name);
        await stdout.write(uidOf(name) === undefined ? `Unknown package: ${name}\n` : `Added: ${name}\n`);
      } else if (sign === '-') {
        if (added.delete(name)) await stdout.write(`Removed: ${name}\n`);
      } else await stdout.write(`Package must be prefixed with +, -, or =: ${each}\n`);
    }
    if (names.length > 0) return 0;
    await stdout.write('system-excidle,com.android.shell,2000\n');
    for (const name of added) await stdout.write(`user,${name},${uidOf(name) ?? 0}\n`);
    return 0;
  };
}
