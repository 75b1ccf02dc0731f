import { z } from 'zod';
import { parseBinaryXml } from './axml.ts';
import type { AttributeValue, XmlElement } from './axml.ts';

/** Resource ids of `android:` attributes (AOSP core/res/res/values/public-final.xml). */
const A = {
  name: 0x01010003,
  permission: 0x01010006,
  readPermission: 0x01010007,
  writePermission: 0x01010008,
  protectionLevel: 0x01010009,
  exported: 0x01010010,
  enabled: 0x0101000e,
  hasCode: 0x0101000c,
  debuggable: 0x0101000f,
  process: 0x01010011,
  taskAffinity: 0x01010012,
  authorities: 0x01010018,
  grantUriPermissions: 0x0101001b,
  launchMode: 0x0101001d,
  targetPackage: 0x01010021,
  mimeType: 0x01010026,
  scheme: 0x01010027,
  host: 0x01010028,
  path: 0x0101002a,
  pathPrefix: 0x0101002b,
  pathPattern: 0x0101002c,
  targetActivity: 0x01010202,
  minSdkVersion: 0x0101020c,
  versionCode: 0x0101021b,
  versionName: 0x0101021c,
  targetSdkVersion: 0x01010270,
  testOnly: 0x01010272,
  versionCodeMajor: 0x01010576,
  isSplitRequired: 0x01010591,
} as const;

/** AOSP `PermissionInfo`. */
const PROTECTION_MASK_BASE = 0xf;
const PROTECTION_SIGNATURE = 2;

const filterSchema = z.object({
  actions: z.array(z.string()),
  categories: z.array(z.string()),
  schemes: z.array(z.string()),
  hosts: z.array(z.string()),
  mimeTypes: z.array(z.string()),
});
export type IntentFilter = z.infer<typeof filterSchema>;

/** Which paths a rule is about, see `PatternMatcher`. */
const pathRule = z.object({ kind: z.enum(['literal', 'prefix', 'pattern']), path: z.string() });
export type PathRule = z.infer<typeof pathRule>;

const componentSchema = z.object({
  kind: z.enum(['activity', 'service', 'receiver', 'provider']),
  /** Full class name; of an alias its own name. */
  name: z.string(),
  exported: z.boolean(),
  /** Whether the manifest says so itself: from target 31 on it must, where there are filters. */
  exportedGiven: z.boolean(),
  enabled: z.boolean(),
  process: z.string(),
  permission: z.string().nullable(),
  /** Of a provider. */
  readPermission: z.string().nullable().default(null),
  writePermission: z.string().nullable().default(null),
  /** Of a provider: whether single URIs of it may be given away, and which, if not all. */
  grantUris: z.boolean().default(false),
  grantPaths: z.array(pathRule).default([]),
  pathPermissions: z
    .array(pathRule.extend({ readPermission: z.string().nullable(), writePermission: z.string().nullable() }))
    .default([]),
  /** Of an activity alias: the class that is started. */
  target: z.string().nullable(),
  /** Of an activity; 0 is `standard`, which is a new one for each start. */
  launchMode: z.int().default(0),
  authorities: z.array(z.string()),
  filters: z.array(filterSchema),
});
export type Component = z.infer<typeof componentSchema>;

/** What the package manager keeps of a manifest. */
export const manifestSchema = z.object({
  packageName: z.string(),
  /** Of a split APK: its name. */
  split: z.string().nullable(),
  /** The base works only together with splits. */
  splitRequired: z.boolean().default(false),
  versionCode: z.number(),
  versionName: z.string().nullable(),
  minSdk: z.number(),
  targetSdk: z.number(),
  debuggable: z.boolean(),
  testOnly: z.boolean(),
  /** Class of the Application, full. */
  applicationClass: z.string().nullable(),
  process: z.string(),
  components: z.array(componentSchema),
  instrumentation: z.array(z.object({ name: z.string(), targetPackage: z.string() })),
  permissions: z.array(z.string()),
  /** `<permission>`s of its own with what only apps of the same signer have (`PROTECTION_SIGNATURE`). */
  declaredPermissions: z.array(z.object({ name: z.string(), signature: z.boolean() })).default([]),
});
export type Manifest = z.infer<typeof manifestSchema>;

function text(element: XmlElement, key: number | string): string | null {
  const value = element.attributes.get(key);
  if (value?.kind === 'string') return value.text;
  return value?.kind === 'int' ? String(value.value) : null;
}

function integer(element: XmlElement, key: number, fallback: number): number {
  const value = element.attributes.get(key);
  if (value?.kind === 'int') return value.value;
  // A code name such as "Baklava" is a preview: newer than every release.
  return value?.kind === 'string' ? Number(value.text) || 10_000 : fallback;
}

function flag(value: AttributeValue | undefined, fallback: boolean): boolean {
  if (value?.kind === 'bool') return value.value;
  if (value?.kind === 'string') return value.text === 'true';
  return value?.kind === 'int' ? value.value !== 0 : fallback;
}

/** `.Main` → `pkg.Main`, `Main` → `pkg.Main`, `a.b.Main` stays. */
export function fullClassName(name: string, packageName: string): string {
  if (name.startsWith('.')) return packageName + name;
  return name.includes('.') ? name : `${packageName}.${name}`;
}

/** Reads AndroidManifest.xml in its compiled form; `null` when it is not one. */
export function parseManifest(file: Buffer): Manifest | null {
  const root = parseBinaryXml(file);
  const packageName = root ? text(root, 'package') : null;
  if (root?.name !== 'manifest' || !packageName) return null;
  const application = child(root, 'application');
  const sdk = child(root, 'uses-sdk');
  const minSdk = sdk ? integer(sdk, A.minSdkVersion, 1) : 1;
  const process = processName((application && text(application, A.process)) ?? packageName, packageName);
  const applicationClass = application ? text(application, A.name) : null;
  return {
    packageName,
    split: text(root, 'split'),
    splitRequired: flag(root.attributes.get(A.isSplitRequired), false),
    versionCode: integer(root, A.versionCodeMajor, 0) * 2 ** 32 + (integer(root, A.versionCode, 0) >>> 0),
    versionName: text(root, A.versionName),
    minSdk,
    targetSdk: sdk ? integer(sdk, A.targetSdkVersion, minSdk) : minSdk,
    debuggable: application ? flag(application.attributes.get(A.debuggable), false) : false,
    testOnly: application ? flag(application.attributes.get(A.testOnly), false) : false,
    applicationClass: applicationClass === null ? null : fullClassName(applicationClass, packageName),
    process,
    components: (application?.children ?? []).flatMap((element) => component(element, packageName, process)),
    instrumentation: root.children
      .filter(({ name }) => name === 'instrumentation')
      .map((element) => ({
        name: fullClassName(text(element, A.name) ?? '', packageName),
        targetPackage: text(element, A.targetPackage) ?? '',
      })),
    permissions: root.children
      .filter(({ name }) => name === 'uses-permission')
      .flatMap((element) => text(element, A.name) ?? []),
    declaredPermissions: root.children
      .filter(({ name }) => name === 'permission')
      .map((element) => ({
        name: text(element, A.name) ?? '',
        signature: (integer(element, A.protectionLevel, 0) & PROTECTION_MASK_BASE) === PROTECTION_SIGNATURE,
      })),
  };
}

function child(element: XmlElement, name: string): XmlElement | undefined {
  return element.children.find((other) => other.name === name);
}

function processName(name: string, packageName: string): string {
  return name.startsWith(':') ? packageName + name : name;
}

const KINDS: Readonly<Record<string, Component['kind']>> = {
  activity: 'activity',
  'activity-alias': 'activity',
  service: 'service',
  receiver: 'receiver',
  provider: 'provider',
};

function component(element: XmlElement, packageName: string, appProcess: string): Component[] {
  const kind = KINDS[element.name];
  const name = text(element, A.name);
  if (!kind || name === null) return [];
  const filters = element.children.filter((other) => other.name === 'intent-filter').map(intentFilter);
  const exported = element.attributes.get(A.exported);
  const process = text(element, A.process);
  const target = text(element, A.targetActivity);
  const grants = element.children.filter((other) => other.name === 'grant-uri-permission');
  return [
    {
      kind,
      name: fullClassName(name, packageName),
      exported: flag(exported, filters.length > 0),
      exportedGiven: exported !== undefined,
      enabled: flag(element.attributes.get(A.enabled), true),
      process: process === null ? appProcess : processName(process, packageName),
      permission: text(element, A.permission),
      ...permissionsOf(element),
      grantUris: grants.length > 0 || flag(element.attributes.get(A.grantUriPermissions), false),
      grantPaths: grants.flatMap(pathRules),
      pathPermissions: element.children
        .filter((other) => other.name === 'path-permission')
        .flatMap((other) => pathRules(other).map((rule) => ({ ...rule, ...permissionsOf(other) }))),
      target: target === null ? null : fullClassName(target, packageName),
      launchMode: integer(element, A.launchMode, 0),
      authorities: (text(element, A.authorities) ?? '').split(';').filter((authority) => authority !== ''),
      filters,
    },
  ];
}

/** Of a provider, or of a path of it. */
function permissionsOf(element: XmlElement): {
  readonly readPermission: string | null;
  readonly writePermission: string | null;
} {
  const both = text(element, A.permission);
  return {
    readPermission: text(element, A.readPermission) ?? both,
    writePermission: text(element, A.writePermission) ?? both,
  };
}

function pathRules(element: XmlElement): PathRule[] {
  const kinds = [
    ['literal', A.path],
    ['prefix', A.pathPrefix],
    ['pattern', A.pathPattern],
  ] as const;
  return kinds.flatMap(([kind, key]) => {
    const path = text(element, key);
    return path === null ? [] : [{ kind, path }];
  });
}

function intentFilter(element: XmlElement): IntentFilter {
  const named = (tag: string): string[] =>
    element.children.filter(({ name }) => name === tag).flatMap((other) => text(other, A.name) ?? []);
  const data = element.children.filter(({ name }) => name === 'data');
  const all = (key: number): string[] => data.flatMap((other) => text(other, key) ?? []);
  return {
    actions: named('action'),
    categories: named('category'),
    schemes: all(A.scheme),
    hosts: all(A.host),
    mimeTypes: all(A.mimeType),
  };
}
