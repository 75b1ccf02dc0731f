import { setPermission } from '../../apps/permissions.ts';
import { SYSTEM_PACKAGES } from '../../packages/system-packages.ts';
import type { Command } from '../../shell/command.ts';
import { dumpPackage } from '../dump-package.ts';
import { illegalArgument, isOwner, takeUser } from '../services.ts';
import type { Services, SubCommand } from '../services.ts';
import { serviceCommand } from '../sub-commands.ts';
import { ENABLE_COMMANDS } from './enable.ts';
import { install, installAbandon, installCommit, installCreate, installWrite } from './install.ts';
import { list } from './list.ts';
import { MISC_PM } from './misc.ts';
import { queryActivities, resolveActivity } from './query.ts';

const path: SubCommand = async (context, args, services) => {
  const { rest } = takeUser(args);
  const [name = ''] = rest;
  const system = SYSTEM_PACKAGES.find((other) => other.name === name);
  const record = services.database.get(name);
  if (!system && !record) return 1;
  const paths = record ? record.apks.map((file) => `${record.codePath}/${file}`) : [system?.path ?? ''];
  await context.stdout.write(paths.map((each) => `package:${each}\n`).join(''));
  return 0;
};

const uninstall: SubCommand = async (context, args, services) => {
  const { rest, user } = takeUser(args);
  const keepData = rest.includes('-k');
  const [name] = rest.filter((arg, at) => !arg.startsWith('-') && rest[at - 1] !== '--versionCode');
  if (name === undefined) {
    await context.stderr.write('Error: package name not specified\n');
    return 1;
  }
  const removed = isOwner(user) && (await services.installer.uninstall(name, keepData));
  await context.stdout.write(removed ? 'Success\n' : 'Failure [DELETE_FAILED_INTERNAL_ERROR]\n');
  return removed ? 0 : 1;
};

const clear: SubCommand = async (context, args, services) => {
  const { rest } = takeUser(args);
  const [name] = rest.filter((arg) => !arg.startsWith('-'));
  const cleared = name !== undefined && (await services.installer.clear(name));
  await context.stdout.write(cleared ? 'Success\n' : 'Failed\n');
  return cleared ? 0 : 1;
};

const dump: SubCommand = async (context, args, services) => {
  await context.stdout.write(dumpPackage(args[0], services));
  return 0;
};

/** `grant` and `revoke` of what the manifest asks for. */
function permission(granted: boolean): SubCommand {
  return async (context, args, services) => {
    const verb = granted ? 'grant' : 'revoke';
    const { rest } = takeUser(args);
    const [name = '', wanted] = rest;
    const record = services.database.get(name);
    if (wanted === undefined) {
      await context.stderr.write('Error: no permission specified\n');
      return 1;
    }
    if (!record) return illegalArgument(context, verb, `Unknown package: ${name}`);
    if (!record.manifest.permissions.includes(wanted)) {
      await context.stderr.write(
        `\nException occurred while executing '${verb}':\njava.lang.SecurityException: Package ${name} has not requested permission ${wanted}\n\tat com.android.server.pm.permission.PermissionManagerServiceImpl.grantRuntimePermissionInternal(PermissionManagerServiceImpl.java:1359)\n`,
      );
      return 255;
    }
    await setPermission(services.database, services.apps, name, wanted, granted);
    return 0;
  };
}

const SUB_COMMANDS: ReadonlyMap<string, SubCommand> = new Map<string, SubCommand>([
  ['install', install],
  ['install-create', installCreate],
  ['install-write', installWrite],
  ['install-commit', installCommit],
  ['install-abandon', installAbandon],
  ['uninstall', uninstall],
  ['list', list],
  ['path', path],
  ['dump', dump],
  ['clear', clear],
  ['grant', permission(true)],
  ['revoke', permission(false)],
  ...ENABLE_COMMANDS,
  ['resolve-activity', resolveActivity],
  ['query-activities', queryActivities],
  ...MISC_PM,
]);

/** `pm` and `cmd package`. */
export function packageCommand(services: Services): Command {
  return serviceCommand('Package manager (package)', SUB_COMMANDS, services);
}
