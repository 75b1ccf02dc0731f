import { z } from 'zod';
import { manifestSchema } from '../apk/manifest.ts';
import type { Component } from '../apk/manifest.ts';

/** AOSP `PackageManager.COMPONENT_ENABLED_STATE_*`, with the number in the dump. */
export const ENABLED_STATES = [
  'default',
  'enabled',
  'disabled',
  'disabled-user',
  'disabled-until-used',
] as const;

/** As `pm set-permission-flags` names them, in the order of their bits (AOSP `PackageManager.FLAG_PERMISSION_*`). */
export const PERMISSION_FLAGS = [
  'user-set',
  'user-fixed',
  'revoked-compat',
  'review-required',
  'revoke-when-requested',
] as const;
const permissionFlag = z.enum(PERMISSION_FLAGS);
export type PermissionFlag = z.infer<typeof permissionFlag>;

/** An installed package, as `/data/system/packages.xml` keeps it on a phone. */
export const packageSchema = z.object({
  manifest: manifestSchema,
  uid: z.int(),
  /** `/data/app/~~<random>==/<package>-<random>==` */
  codePath: z.string(),
  /** File names in `codePath`, base first. */
  apks: z.array(z.string()).min(1),
  /** SHA-256 of each APK, hex, in the same order. */
  digests: z.array(z.string()),
  /** SHA-256 of the signer's certificate, hex. */
  signer: z.string(),
  schemes: z.array(z.enum(['v1', 'v2', 'v3'])),
  /** ms since the epoch */
  firstInstallMs: z.number(),
  lastUpdateMs: z.number(),
  installer: z.string().nullable(),
  stopped: z.boolean(),
  granted: z.array(z.string()),
  /** How often the user has refused a permission; after the second time nobody asks again. */
  refusals: z.record(z.string(), z.int()).default({}),
  /** By permission, what the user and `pm set-permission-flags` have left. */
  permissionFlags: z.record(z.string(), z.array(permissionFlag)).default({}),
  /** What `pm disable…` and `pm enable` said, by component class; the empty name is the package. */
  states: z.record(z.string(), z.enum(ENABLED_STATES)).default({}),
});
export type PackageRecord = z.infer<typeof packageSchema>;

/** `pkg/.Name`, as `ComponentName.flattenToShortString` writes it. */
export function shortComponent(packageName: string, className: string): string {
  const short = className.startsWith(`${packageName}.`) ? className.slice(packageName.length) : className;
  return `${packageName}/${short}`;
}

/** `pkg/.Name` and `pkg/full.Name` apart, the class full; `null` when it is neither. */
export function splitComponent(
  text: string,
): { readonly packageName: string; readonly className: string } | null {
  const at = text.indexOf('/');
  if (at <= 0 || at === text.length - 1) return null;
  const packageName = text.slice(0, at);
  const name = text.slice(at + 1);
  return { packageName, className: name.startsWith('.') ? packageName + name : name };
}

export function baseApk(record: PackageRecord): string {
  return `${record.codePath}/${record.apks[0] ?? 'base.apk'}`;
}

export function dataDir(packageName: string): string {
  return `/data/data/${packageName}`;
}

export function activities(record: PackageRecord): readonly Component[] {
  return record.manifest.components.filter(({ kind }) => kind === 'activity');
}

/** Whether an activity, or the package with the empty name, can be started. */
export function isEnabled(record: PackageRecord, component?: Component): boolean {
  const whole = record.states[''] ?? 'default';
  if (whole.startsWith('disabled')) return false;
  const own = component ? (record.states[component.name] ?? 'default') : 'default';
  return own === 'default' ? (component?.enabled ?? true) : own === 'enabled';
}
