import { strerror } from '../fs/errno.ts';
import { pathOf } from '../shell/command.ts';
import type { Command, CommandContext, CommandTable } from '../shell/command.ts';
import type { Faults } from './faults.ts';

/** Commands that ask the system server, which is not there yet while a device boots. */
const SERVICE_OF: Readonly<Record<string, string>> = {
  am: 'activity',
  pm: 'package',
  wm: 'window',
  input: 'input',
  settings: 'settings',
};
const NEEDS_SYSTEM = new Set([
  ...Object.keys(SERVICE_OF),
  'cmd',
  'dumpsys',
  'uiautomator',
  'monkey',
  'svc',
  'ime',
]);

/** The device's commands with the faults that strike commands. */
export function faultyCommands(table: CommandTable, faults: Faults): CommandTable {
  return new Map(
    [...table].map(([name, command]): [string, Command] => [
      name,
      (context) => run(name, command, context, faults),
    ]),
  );
}

async function run(name: string, command: Command, context: CommandContext, faults: Faults): Promise<number> {
  if (faults.get('stall')?.service === name) {
    await faults.whenCleared('stall', context.signal);
    if (context.signal.aborted) return 129;
  }
  if (faults.get('boot-loop') && NEEDS_SYSTEM.has(name)) {
    const service = SERVICE_OF[name] ?? context.args.find((arg) => !arg.startsWith('-')) ?? 'activity';
    const text =
      name === 'dumpsys' ? `Can't find service: ${service}` : `cmd: Can't find service: ${service}`;
    await context.stderr.write(`${text}\n`);
    return name === 'dumpsys' ? 0 : 20;
  }
  if (name === 'uiautomator' && context.args[0] === 'dump') return dump(command, context, faults);
  return command(context);
}

/** What each known failure prints, and its exit code (test/field-cases/uiautomator-dump.json). */
async function dump(command: Command, context: CommandContext, faults: Faults): Promise<number> {
  const compressed = context.args.includes('--compressed');
  // On a screen that moves the compressed dump often still works.
  if (faults.get('uiautomator')?.how === 'not-idle' && compressed) return command(context);
  const how = faults.strike('uiautomator')?.how;
  const fail = async (text: string, code: number): Promise<number> => {
    await context.stderr.write(text);
    return code;
  };
  switch (how) {
    case undefined:
      return command(context);
    case 'not-idle':
    case 'never-idle':
      return fail('ERROR: could not get idle state.\n', 0);
    case 'killed':
      return fail('Killed \n', 137);
    case 'null-root':
      return fail('ERROR: null root node returned by UiTestAutomationBridge.\n', 0);
    case 'busy':
      return fail(
        'java.lang.IllegalStateException: UiAutomationService android.accessibilityservice.IAccessibilityServiceClient$Stub$Proxy@2b61d0calready registered!\n\tat android.os.Parcel.createExceptionOrNull(Parcel.java:3059)\n',
        1,
      );
    case 'dead-object':
      return fail(
        'android.os.DeadObjectException\n\tat android.os.BinderProxy.transactNative(Native Method)\n\tat android.os.BinderProxy.transact(BinderProxy.java:584)\n',
        1,
      );
    case 'no-file':
      await context.stdout.write(`UI hierchary dumped to: ${target(context)}\n`);
      return 0;
    case 'other-path':
      return dumpElsewhere(command, context);
    case 'hang':
      await faults.whenCleared('uiautomator', context.signal);
      return 137;
    default:
      return how satisfies never;
  }
}

function target({ args }: CommandContext): string {
  return args.slice(1).find((arg) => !arg.startsWith('--')) ?? '/sdcard/window_dump.xml';
}

/** Some devices write to the old name of the storage, whatever was asked for. */
async function dumpElsewhere(command: Command, context: CommandContext): Promise<number> {
  const path = '/storage/emulated/0/window_dump.xml';
  const status = await command({ ...context, args: ['dump', path] });
  const there = await context.fs.stat(pathOf(context, path));
  if (!there.ok) await context.stderr.write(`${path}: ${strerror(there.errno)}\n`);
  return status;
}
