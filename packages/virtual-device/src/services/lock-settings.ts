import type { CommandContext } from '../shell/command.ts';
import type { Credential, Power } from '../system/power.ts';
import type { Services, SubCommand } from './services.ts';
import { print } from './sub-commands.ts';

const MIN_PIN = /^\d{4,16}$/;
const MIN_PASSWORD = /^[\u0020-\u007e]{4,16}$/;

/** `--old <credential>` and the first other argument. */
function oldAndNew(args: readonly string[]): { readonly old: string; readonly wanted: string } {
  const at = args.indexOf('--old');
  const rest = at < 0 ? args : args.toSpliced(at, 2);
  return { old: at < 0 ? '' : (args[at + 1] ?? ''), wanted: rest[0] ?? '' };
}

/** AOSP `LockSettingsShellCommand.checkCredential`. */
async function mayChange(context: CommandContext, power: Power, old: string): Promise<boolean> {
  if (power.credential === null) {
    if (old !== '') await print(context, 'Old password provided but user has no password\n');
    return old === '';
  }
  const matches = power.credential.secret === old;
  if (!matches) await print(context, `Old password '${old}' didn't match\n`);
  return matches;
}

function set(kind: Credential['kind'], title: string, valid: RegExp): SubCommand {
  return async (context, args, { power }) => {
    const { old, wanted } = oldAndNew(args);
    if (!(await mayChange(context, power, old))) return 255;
    if (!valid.test(wanted)) {
      await print(context, "New credential doesn't satisfy admin policies\n");
      return 255;
    }
    await power.setCredential({ kind, secret: wanted });
    return print(context, `${title} set to '${wanted}'\n`);
  };
}

const clear: SubCommand = async (context, args, { power }) => {
  if (!(await mayChange(context, power, oldAndNew(args).old))) return 255;
  await power.setCredential(null);
  return print(context, 'Lock credential cleared\n');
};

const verify: SubCommand = async (context, args, { power }) =>
  (await mayChange(context, power, oldAndNew(args).old))
    ? print(context, 'Lock credential verified successfully\n')
    : 255;

const setDisabled: SubCommand = async (context, args, { power }) => {
  const disabled = oldAndNew(args).wanted === 'true';
  await power.setLockDisabled(disabled);
  return print(context, `Lock screen disabled set to ${disabled}\n`);
};

/** `locksettings` and `cmd lock_settings`; what is set holds until the device ends. */
export const LOCK_SETTINGS: ReadonlyMap<string, SubCommand> = new Map<string, SubCommand>([
  ['set-pin', set('pin', 'Pin', MIN_PIN)],
  ['set-password', set('password', 'Password', MIN_PASSWORD)],
  ['clear', clear],
  ['verify', verify],
  ['get-disabled', (context, _args, { power }: Services) => print(context, `${power.lockDisabled}\n`)],
  ['set-disabled', setDisabled],
]);
