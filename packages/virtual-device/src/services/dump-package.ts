import { activities, dataDir, ENABLED_STATES, PERMISSION_FLAGS } from '../packages/record.ts';
import type { PackageRecord } from '../packages/record.ts';
import type { Services } from './services.ts';

/** `2026-11-30 16:10:05`, in the device's time zone, which is UTC. */
function stamp(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}

/** A number that stays with a name, as the identity hashes of a dump do while the system runs. */
export function identity(text: string): string {
  let hash = 7;
  for (const char of text) hash = (Math.imul(hash, 31) + (char.codePointAt(0) ?? 0)) >>> 0;
  return (hash & 0xfff_ffff).toString(16);
}

/** `dumpsys package [name]` (AOSP `Settings.dumpPackageLPr`). */
export function dumpPackage(name: string | undefined, services: Services): string {
  const records = services.database
    .all()
    .filter(({ manifest }) => name === undefined || manifest.packageName === name);
  if (name !== undefined && records.length === 0) {
    return `Dexopt state:\n  Unable to find package: ${name}\n`;
  }
  return resolverTable(records) + records.map((record) => packageText(record, services.profile.api)).join('');
}

function resolverTable(records: readonly PackageRecord[]): string {
  let text = 'Activity Resolver Table:\n  Non-Data Actions:\n';
  for (const record of records) {
    for (const component of activities(record)) {
      for (const filter of component.filters) {
        for (const action of filter.actions) {
          const shown = `${record.manifest.packageName}/${component.name.replace(`${record.manifest.packageName}.`, '.')}`;
          text += `      ${action}:\n        ${identity(component.name)} ${shown} filter ${identity(action)}\n`;
          text += `          Action: "${action}"\n`;
          for (const category of filter.categories) text += `          Category: "${category}"\n`;
        }
      }
    }
  }
  return `${text}\nPackages:\n`;
}

/** Those that were granted, and those that anything is known of. */
function runtimePermissions({ granted, permissionFlags }: PackageRecord): string[] {
  const known = Object.keys(permissionFlags).filter((name) => permissionFlags[name]?.length);
  return [...new Set([...granted, ...known])].map((name) => {
    const flags = PERMISSION_FLAGS.filter((flag) => permissionFlags[name]?.includes(flag));
    const shown = flags.map((flag) => flag.toUpperCase().replaceAll('-', '_')).join('|');
    return `        ${name}: granted=${granted.includes(name)}${shown === '' ? '' : `, flags=[ ${shown}]`}`;
  });
}

function packageText(record: PackageRecord, api: number): string {
  const { manifest, codePath } = record;
  const { packageName } = manifest;
  const flags = [
    ...(manifest.debuggable ? ['DEBUGGABLE'] : []),
    'HAS_CODE',
    'ALLOW_CLEAR_USER_DATA',
    ...(manifest.testOnly ? ['TEST_ONLY'] : []),
    'ALLOW_BACKUP',
  ].join(' ');
  const version = record.schemes.includes('v3') ? 3 : record.schemes.includes('v2') ? 2 : 1;
  const lines = [
    `  Package [${packageName}] (${identity(codePath)}):`,
    `    ${api >= 33 ? 'appId' : 'userId'}=${record.uid}`,
    `    pkg=Package{${identity(packageName)} ${packageName}}`,
    `    codePath=${codePath}`,
    `    resourcePath=${codePath}`,
    `    legacyNativeLibraryDir=${codePath}/lib`,
    '    extractNativeLibs=false',
    '    primaryCpuAbi=null',
    '    secondaryCpuAbi=null',
    `    versionCode=${manifest.versionCode} minSdk=${manifest.minSdk} targetSdk=${manifest.targetSdk}`,
    '    minExtensionVersions=[]',
    `    versionName=${manifest.versionName ?? 'null'}`,
    `    usesNonSdkApi=false`,
    `    splits=[${record.apks.map((file) => (file === 'base.apk' ? 'base' : file.replace(/^split_|\.apk$/g, ''))).join(', ')}]`,
    `    apkSigningVersion=${version}`,
    `    flags=[ ${flags} ]`,
    `    privateFlags=[ PRIVATE_FLAG_ACTIVITIES_RESIZE_MODE_RESIZEABLE_VIA_SDK_VERSION ]`,
    '    forceQueryable=false',
    `    dataDir=/data/user/0/${packageName}`,
    '    supportsScreens=[small, medium, large, xlarge, resizeable, anyDensity]',
    `    timeStamp=${stamp(record.lastUpdateMs)}`,
    ...(api < 33 ? [`    firstInstallTime=${stamp(record.firstInstallMs)}`] : []),
    `    lastUpdateTime=${stamp(record.lastUpdateMs)}`,
    `    installerPackageName=${record.installer ?? 'null'}`,
    `    signatures=PackageSignatures{${identity(record.signer)} version:${version}, signatures:[${record.signer.slice(0, 8)}], past signatures:[]}`,
    '    installPermissionsFixed=true',
    `    pkgFlags=[ ${flags} ]`,
    ...(manifest.permissions.length > 0
      ? ['    requested permissions:', ...manifest.permissions.map((name) => `      ${name}`)]
      : []),
    `    User 0: ceDataInode=${Number.parseInt(identity(dataDir(packageName)), 16)} deDataInode=0 installed=true hidden=false suspended=false ${api >= 29 ? 'distractionFlags=0 ' : ''}stopped=${String(record.stopped)} notLaunched=${String(record.stopped)} enabled=${ENABLED_STATES.indexOf(record.states[''] ?? 'default')} instant=false virtual=false`,
    `      installReason=0`,
    ...(api >= 33 ? [`      firstInstallTime=${stamp(record.firstInstallMs)}`] : []),
    '      runtime permissions:',
    ...runtimePermissions(record),
    '',
  ];
  return lines.map((line) => `${line}\n`).join('');
}
