import type { AppManager } from '../apps/app-manager.ts';
import type { UriGrants } from '../apps/uri-grants.ts';
import type { SystemLog } from '../apps/system-log.ts';
import type { DeviceFs } from '../fs/device-fs.ts';
import type { PackageDatabase } from '../packages/database.ts';
import type { Installer } from '../packages/installer.ts';
import type { Sessions } from '../packages/sessions.ts';
import type { CommandContext } from '../shell/command.ts';
import type { Display } from '../system/display.ts';
import type { Logd } from '../system/logd.ts';
import type { Power } from '../system/power.ts';
import type { Profile } from '../system/profile.ts';
import type { Properties } from '../system/properties.ts';
import type { SettingsStore } from '../system/settings-store.ts';

/** The parts of the device that its commands work on. */
export interface Services {
  readonly profile: Profile;
  readonly properties: Properties;
  readonly settings: SettingsStore;
  readonly display: Display;
  readonly logd: Logd;
  readonly log: SystemLog;
  readonly files: DeviceFs;
  readonly database: PackageDatabase;
  readonly sessions: Sessions;
  readonly installer: Installer;
  readonly apps: AppManager;
  readonly grants: UriGrants;
  /** The system server's process id. */
  readonly systemPid: number;
  /** ms since the epoch when the device came up. */
  bootMs: number;
  now(): number;
  /** Ends all that runs and boots anew. */
  readonly reboot: () => void;
  readonly power: Power;
}

/** One sub-command of a service, `args` without its name. */
export type SubCommand = (
  context: CommandContext,
  args: readonly string[],
  services: Services,
) => Promise<number>;

/**
 * What `BasicShellCommandHandler` prints when a command throws, with the top of the stack only, and its exit code.
 */
export async function throws(
  context: CommandContext,
  command: string,
  exception: string,
  at = 'com.android.modules.utils.BasicShellCommandHandler.exec(BasicShellCommandHandler.java:97)',
): Promise<number> {
  await context.stderr.write(
    `\nException occurred while executing '${command}':\n${exception}\n\tat ${at}\n`,
  );
  return 255;
}

export function illegalArgument(context: CommandContext, command: string, message: string): Promise<number> {
  return throws(context, command, `java.lang.IllegalArgumentException: ${message}`);
}

/** `--user <N|all|current>` taken out of the arguments; other users than 0 do not exist here. */
export function takeUser(args: readonly string[]): {
  readonly rest: readonly string[];
  readonly user: string;
} {
  const at = args.indexOf('--user');
  if (at < 0) return { rest: args, user: 'current' };
  return { rest: args.toSpliced(at, 2), user: args[at + 1] ?? '' };
}

/** Whether a user given to a command is the only one there is. */
export function isOwner(user: string): boolean {
  return (
    user === '0' || user === 'current' || user === 'cur' || user === 'all' || user === '-1' || user === '-2'
  );
}
