import { resetPermissionsOf } from '../../apps/permissions.ts';
import type { CommandContext } from '../../shell/command.ts';
import { notHereCommands } from '../not-here.ts';
import { illegalArgument, takeUser } from '../services.ts';
import type { SubCommand } from '../services.ts';
import { print } from '../sub-commands.ts';
import { FEATURES } from './list.ts';

/** `pm has-feature <name> [<version>]` */
const hasFeature: SubCommand = async (context, args) => {
  const [name] = args;
  if (name === undefined) {
    await context.stderr.write('Error: expected FEATURE name\n');
    return 1;
  }
  const has = FEATURES.includes(name);
  await context.stdout.write(`${String(has)}\n`);
  return has ? 0 : 1;
};

/**
 * `pm set-permission-flags|clear-permission-flags <package> <permission> <flags>…`: not kept. Whether the user is asked goes
 * by what was refused before.
 */
function permissionFlags(verb: string): SubCommand {
  return async (context, args, services) => {
    const [name = ''] = takeUser(args).rest;
    if (services.database.get(name)) return 0;
    return illegalArgument(context, verb, `Unknown package: ${name}`);
  };
}

const resetPermissions: SubCommand = async (_context, _args, { database, apps }) => {
  for (const record of database.all()) await resetPermissionsOf(database, apps, record.manifest.packageName);
  return 0;
};

/** Code is not compiled ahead of time here: for a package that is there, it is as good as done. */
const compile: SubCommand = async (context, args, services) => {
  const takesValue = new Set(['-m', '-r', '-p', '--split', '--secondary-dex']);
  const name = args.find((arg, at) => !arg.startsWith('-') && !takesValue.has(args[at - 1] ?? ''));
  if (name !== undefined && !services.database.get(name)) {
    await context.stdout.write(`Failure: package ${name} could not be compiled\n`);
    return 1;
  }
  return print(context, 'Success\n');
};

async function fails(context: CommandContext, text: string): Promise<number> {
  await context.stderr.write(`Error: ${text}\n`);
  return 1;
}

export const MISC_PM: readonly (readonly [string, SubCommand])[] = [
  ['has-feature', hasFeature],
  ['set-permission-flags', permissionFlags('set-permission-flags')],
  ['clear-permission-flags', permissionFlags('clear-permission-flags')],
  ['reset-permissions', resetPermissions],
  ['compile', compile],
  ['bg-dexopt-job', (context) => print(context, 'Success\n')],
  ['trim-caches', async () => 0],
  ['get-max-users', (context) => print(context, 'Maximum supported users: 1\n')],
  ['get-max-running-users', (context) => print(context, 'Maximum supported running users: 1\n')],
  ['create-user', (context) => fails(context, "couldn't create User.")],
  ['remove-user', (context, args) => fails(context, `couldn't remove user id ${args.at(-1) ?? ''}`)],
  ['get-install-location', (context) => print(context, '0[auto]\n')],
  ...notHereCommands('pm', [
    'dump-profiles',
    'suspend',
    'unsuspend',
    'get-app-links',
    'set-app-links',
    'verify-app-links',
    'move-package',
    'install-existing',
    'set-home-activity',
    'set-installer',
    'rollback-app',
    'force-dex-opt',
    'reconcile-secondary-dex-files',
  ]),
];
