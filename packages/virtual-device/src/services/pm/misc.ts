import { changePermissionFlags, resetPermissionsOf } from '../../apps/permissions.ts';
import { PERMISSION_FLAGS } from '../../packages/record.ts';
import type { CommandContext } from '../../shell/command.ts';
import { notHereCommands } from '../not-here.ts';
import { illegalArgument, takeUser } from '../services.ts';
import type { SubCommand } from '../services.ts';
import { print } from '../sub-commands.ts';
import { FEATURES } from './list.ts';

/** As the tool lists them. */
const FLAGS_BY_NAME = [
  'review-required',
  'revoked-compat',
  'revoke-when-requested',
  'user-fixed',
  'user-set',
] as const;

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

/** `pm set-permission-flags|clear-permission-flags <package> <permission> <flags>…` */
function permissionFlags(verb: string, set: boolean): SubCommand {
  return async (context, args, services) => {
    const [name, permission, ...given] = takeUser(args).rest;
    if (name === undefined) return fails(context, 'no package specified');
    if (permission === undefined) return fails(context, 'no permission specified');
    if (given.length === 0) return fails(context, 'no permission flags specified');
    const flags = given.flatMap((flag) => PERMISSION_FLAGS.find((known) => known === flag) ?? []);
    const unknown = given.find((flag) => !flags.some((known) => known === flag));
    if (unknown !== undefined)
      return fails(context, `specified flag ${unknown} is not one of [${FLAGS_BY_NAME.join(', ')}]`);
    const { database, apps } = services;
    if (!database.get(name)) return illegalArgument(context, verb, `Unknown package: ${name}`);
    await changePermissionFlags(database, apps, name, permission, flags, set);
    return 0;
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
  ['set-permission-flags', permissionFlags('set-permission-flags', true)],
  ['clear-permission-flags', permissionFlags('clear-permission-flags', false)],
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
