import type { IntentExtra } from '../app-process/intent-schema.ts';
import type { Component, IntentFilter } from '../apk/manifest.ts';
import type { PackageRecord } from './record.ts';
import { activities, isEnabled, shortComponent, splitComponent } from './record.ts';

/** An intent as the shell's tools give it. */
export interface ShellIntent {
  readonly component?: string;
  readonly packageName?: string;
  readonly action?: string;
  readonly data?: string;
  readonly type?: string;
  readonly categories: readonly string[];
  readonly flags: number;
  /** All of an app's intent, opaque. */
  readonly parcel?: string;
  /** Content URIs that its receiver may use from then on, as the flags say. */
  readonly grantedUris?: readonly string[];
  readonly extras: Readonly<Record<string, IntentExtra>>;
}

export interface Resolved {
  readonly record: PackageRecord;
  readonly component: Component;
}

export const ACTION_MAIN = 'android.intent.action.MAIN';
export const CATEGORY_LAUNCHER = 'android.intent.category.LAUNCHER';
const CATEGORY_DEFAULT = 'android.intent.category.DEFAULT';

/** All activities that take an intent without a component (AOSP `ComponentResolver`). */
export function matchingActivities(intent: ShellIntent, packages: readonly PackageRecord[]): Resolved[] {
  return packages
    .filter(
      (record) => intent.packageName === undefined || record.manifest.packageName === intent.packageName,
    )
    .flatMap((record) =>
      activities(record)
        .filter(
          (component) =>
            isEnabled(record, component) && component.filters.some((filter) => fits(filter, intent)),
        )
        .map((component) => ({ record, component })),
    );
}

/** The activity of an explicit component; also one that is not exported. */
export function namedActivity(text: string, packages: readonly PackageRecord[]): Resolved | null {
  const name = splitComponent(text);
  if (!name) return null;
  const record = packages.find(({ manifest }) => manifest.packageName === name.packageName);
  const component = record && activities(record).find((other) => other.name === name.className);
  return record && component && isEnabled(record, component) ? { record, component } : null;
}

/** Whether a filter takes an intent (AOSP `IntentFilter.match`, without paths). */
export function fits(filter: IntentFilter, intent: ShellIntent): boolean {
  if (intent.action !== undefined && !filter.actions.includes(intent.action)) return false;
  if (!intent.categories.every((category) => filter.categories.includes(category))) return false;
  return dataFits(filter, intent);
}

function dataFits(filter: IntentFilter, { data, type }: ShellIntent): boolean {
  if (data === undefined && type === undefined)
    return filter.schemes.length === 0 && filter.mimeTypes.length === 0;
  if (type !== undefined && !filter.mimeTypes.some((pattern) => mimeFits(pattern, type))) return false;
  if (data === undefined) return true;
  const [, scheme = '', host] = /^([a-z][a-z0-9+.-]*):(?:\/\/([^/?#:]*))?/i.exec(data) ?? [];
  if (filter.schemes.length === 0) return filter.mimeTypes.length > 0 && ['content', 'file'].includes(scheme);
  if (!filter.schemes.includes(scheme)) return false;
  if (type === undefined && filter.mimeTypes.length > 0) return false;
  return (
    filter.hosts.length === 0 ||
    (host !== undefined && filter.hosts.some((pattern) => hostFits(pattern, host)))
  );
}

function mimeFits(pattern: string, type: string): boolean {
  if (pattern === '*/*' || pattern === type) return true;
  return pattern.endsWith('/*') && type.startsWith(pattern.slice(0, -1));
}

function hostFits(pattern: string, host: string): boolean {
  return pattern.startsWith('*') ? host.endsWith(pattern.slice(1)) : pattern === host;
}

/** Starting implicitly asks for DEFAULT as well, except for launcher entries. */
export function forStart(intent: ShellIntent): ShellIntent {
  const launcher = intent.action === ACTION_MAIN && intent.categories.includes(CATEGORY_LAUNCHER);
  if (launcher || intent.categories.includes(CATEGORY_DEFAULT)) return intent;
  return { ...intent, categories: [...intent.categories, CATEGORY_DEFAULT] };
}

/** `Intent { act=… cat=[…] dat=… flg=0x… cmp=pkg/.Name }` (AOSP `Intent.toString`; extras are only hinted at). */
export function intentText(intent: ShellIntent): string {
  const parts: string[] = [];
  if (intent.action !== undefined) parts.push(`act=${intent.action}`);
  if (intent.categories.length > 0) parts.push(`cat=[${intent.categories.join(',')}]`);
  if (intent.data !== undefined) parts.push(`dat=${intent.data}`);
  if (intent.type !== undefined) parts.push(`typ=${intent.type}`);
  if (intent.flags !== 0) parts.push(`flg=0x${(intent.flags >>> 0).toString(16)}`);
  if (intent.packageName !== undefined) parts.push(`pkg=${intent.packageName}`);
  const name = intent.component === undefined ? null : splitComponent(intent.component);
  if (name) parts.push(`cmp=${shortComponent(name.packageName, name.className)}`);
  if (Object.keys(intent.extras).length > 0) parts.push('(has extras)');
  return `Intent { ${parts.join(' ')} }`;
}
