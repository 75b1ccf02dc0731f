import { baseApk } from '../../packages/record.ts';
import { SYSTEM_PACKAGES } from '../../packages/system-packages.ts';
import { isOwner, takeUser, throws } from '../services.ts';
import { isPackageEnabled } from './enable.ts';
import type { Services, SubCommand } from '../services.ts';

/** `pm list <what>` */
export const list: SubCommand = async (context, args, services) => {
  const [what = '', ...rest] = args;
  switch (what) {
    case 'package':
    case 'packages':
      return listPackages(context, rest, services);
    case 'users':
      await context.stdout.write('Users:\n\tUserInfo{0:Owner:4c13} running\n');
      return 0;
    case 'instrumentation':
      return listInstrumentation(context, rest, services);
    case 'features':
      await context.stdout.write(FEATURES.map((name) => `feature:${name}\n`).join(''));
      return 0;
    case 'libraries':
      await context.stdout.write(
        'library:android.test.base\nlibrary:android.test.mock\nlibrary:android.test.runner\n',
      );
      return 0;
    case 'permission-groups':
    case 'permissions':
      return 0;
    default:
      await context.stderr.write(`Error: unknown list type '${what}'\n`);
      return 255;
  }
};

export const FEATURES: readonly string[] = [
  'reqGlEsVersion=0x20000',
  'android.hardware.faketouch',
  'android.hardware.screen.landscape',
  'android.hardware.screen.portrait',
  'android.hardware.touchscreen',
  'android.software.app_widgets',
  'android.software.input_methods',
];

interface Row {
  readonly name: string;
  readonly path: string;
  readonly uid: number;
  readonly versionCode: number;
  readonly system: boolean;
  readonly installer: string | null;
}

function allPackages(services: Services): Row[] {
  return [
    ...SYSTEM_PACKAGES.map(({ name, path, uid }) => ({
      name,
      path,
      uid,
      versionCode: services.profile.api,
      system: true,
      installer: null,
    })),
    ...services.database.all().map((record) => ({
      name: record.manifest.packageName,
      path: baseApk(record),
      uid: record.uid,
      versionCode: record.manifest.versionCode,
      system: false,
      installer: record.installer,
    })),
  ];
}

const listPackages: SubCommand = async (context, args, services) => {
  const { rest, user } = takeUser(args);
  if (!isOwner(user)) {
    return throws(
      context,
      'list',
      `java.lang.SecurityException: Shell does not have permission to access user ${user}`,
      'com.android.server.am.UserController.handleIncomingUser(UserController.java:2071)',
    );
  }
  const has = (option: string): boolean => rest.includes(option);
  const uid = rest.includes('--uid') ? Number(rest[rest.indexOf('--uid') + 1]) : null;
  const filter = rest.filter((arg, at) => !arg.startsWith('-') && rest[at - 1] !== '--uid').at(-1) ?? '';
  const rows = allPackages(services).filter(
    (row) =>
      !(has('-3') && row.system) &&
      !(has('-s') && !row.system) &&
      !(has('-d') && isPackageEnabled(row.name, services)) &&
      !(has('-e') && !isPackageEnabled(row.name, services)) &&
      (uid === null || row.uid === uid) &&
      row.name.includes(filter),
  );
  let text = '';
  for (const row of rows) {
    text += 'package:';
    if (has('-f')) text += `${row.path}=`;
    text += row.name;
    if (has('--show-versioncode')) text += ` versionCode:${row.versionCode}`;
    if (has('-i')) text += `  installer=${row.installer ?? 'null'}`;
    if (has('-U') || uid !== null) text += ` uid:${row.uid}`;
    text += '\n';
  }
  await context.stdout.write(text);
  return 0;
};

const listInstrumentation: SubCommand = async (context, args, services) => {
  const target = args.find((arg) => !arg.startsWith('-'));
  for (const { manifest, ...record } of services.database.all()) {
    for (const { name, targetPackage } of manifest.instrumentation) {
      if (target !== undefined && targetPackage !== target) continue;
      const path = args.includes('-f') ? `${record.codePath}/base.apk=` : '';
      await context.stdout.write(
        `instrumentation:${path}${manifest.packageName}/${name} (target=${targetPackage})\n`,
      );
    }
  }
  return 0;
};
