import type { Command, CommandTable } from '../shell/command.ts';
import { TOYBOX } from '../shell/commands.ts';
import { APP_OPS } from './appops.ts';
import { activityCommand } from './am/commands.ts';
import { cmdCommand } from './cmd.ts';
import { dumpsysCommand } from './dumpsys.ts';
import { inputCommand } from './input.ts';
import { LOCK_SETTINGS } from './lock-settings.ts';
import { logcatCommand, logCommand } from './logcat/logcat.ts';
import { Battery } from './battery.ts';
import { memoryCommands } from './memory-commands.ts';
import { miscCommands } from './misc-commands.ts';
import { packageCommand } from './pm/commands.ts';
import { processCommands } from './process-commands.ts';
import { propertyCommands } from './property-commands.ts';
import { connectivityCommand, ifconfigCommand, ipCommand, locationCommand } from './radios.ts';
import { runAsCommand } from './run-as.ts';
import { RunningTools } from './running-tools.ts';
import { screencapCommand } from './screencap.ts';
import type { Services } from './services.ts';
import { settingsCommand } from './settings-commands.ts';
import { serviceCommand } from './sub-commands.ts';
import { deviceIdleCommand, notificationCommand, statusBarCommand } from './system-services.ts';
import { uiautomatorCommand } from './uiautomator.ts';
import { windowCommand } from './window-commands.ts';

/** Everything that can be run in the device's shell. */
export function commandTable(services: Services): CommandTable {
  const battery = new Battery();
  const tools = new RunningTools();
  const handlers = new Map<string, Command>([
    ['activity', activityCommand(services)],
    ['package', packageCommand(services)],
    ['input', inputCommand(services)],
    ['window', windowCommand(services)],
    ['settings', settingsCommand(services)],
    ['appops', serviceCommand('AppOps service (appops)', APP_OPS, services)],
    ['battery', (context) => battery.command(context, context.args)],
    ['connectivity', connectivityCommand(services)],
    ['deviceidle', deviceIdleCommand(services)],
    ['location', locationCommand(services)],
    ['lock_settings', serviceCommand('Lock settings service (lock_settings)', LOCK_SETTINGS, services)],
    ['notification', notificationCommand(services)],
    ['statusbar', statusBarCommand(services)],
  ]);
  const named = (name: string): Command => handlers.get(name) ?? (async () => 20);
  const now = (): number => services.now();
  const table = new Map<string, Command>([
    ...TOYBOX,
    ...propertyCommands(services.properties),
    ...processCommands(services, tools),
    ...memoryCommands(services),
    ...miscCommands(services, tools),
    ['am', named('activity')],
    ['pm', named('package')],
    ['input', named('input')],
    ['wm', named('window')],
    ['settings', named('settings')],
    ['appops', named('appops')],
    ['locksettings', named('lock_settings')],
    ['cmd', cmdCommand(services, handlers)],
    ['dumpsys', dumpsysCommand(services, handlers)],
    ['ip', ipCommand],
    ['ifconfig', ifconfigCommand],
    ['screencap', screencapCommand(services)],
    ['uiautomator', uiautomatorCommand(services)],
    ['run-as', runAsCommand(services)],
    ['logcat', logcatCommand(services.logd, now)],
    ['log', logCommand(services.logd, now)],
  ]);
  table.set('which', which(table));
  return table;
}

function which(table: CommandTable): Command {
  return async ({ args, stdout }) => {
    let status = 0;
    for (const name of args.filter((arg) => !arg.startsWith('-'))) {
      if (table.has(name)) await stdout.write(`/system/bin/${name}\n`);
      else status = 1;
    }
    return status;
  };
}
