import type { Component, PathRule } from '../apk/manifest.ts';
import type { Resolved } from './intents.ts';
import { isEnabled } from './record.ts';
import type { PackageRecord } from './record.ts';

/** The content provider of an authority. */
export function providerOf(authority: string, packages: readonly PackageRecord[]): Resolved | undefined {
  return packages
    .flatMap((record) => record.manifest.components.map((component) => ({ record, component })))
    .find(
      ({ record, component }) =>
        component.kind === 'provider' &&
        component.authorities.includes(authority) &&
        isEnabled(record, component),
    );
}

/** Authority and path of a content URI; `null` when it is none. */
export function contentUri(text: string): { readonly authority: string; readonly path: string } | null {
  const [, authority, path = ''] = /^content:\/\/([^/?#]+)([^?#]*)/.exec(text) ?? [];
  if (authority === undefined) return null;
  try {
    // A user may stand before the authority.
    return { authority: authority.replace(/^.*@/, ''), path: decodeURIComponent(path) };
  } catch {
    return null;
  }
}

/** As `PatternMatcher` matches; in a simple pattern `.` is any character and `*` repeats the one before it. */
export function pathMatches({ kind, path }: PathRule, tried: string): boolean {
  if (kind === 'literal') return tried === path;
  if (kind === 'prefix') return tried.startsWith(path);
  const regex = path.replaceAll(/\\(.)|[$()+?[\]^{|}]|\./gs, (all, literal: string | undefined) => {
    if (all === '.') return '[^]';
    return `\\${literal ?? all}`;
  });
  return new RegExp(`^${regex}$`).test(tried);
}

/** What is needed to use a path of a provider, and whether that is there for everybody who may open it. */
export function mayUse(
  component: Component,
  path: string,
  write: boolean,
  holds: (permission: string) => boolean,
): boolean {
  const whole = write ? component.writePermission : component.readPermission;
  if (whole !== null && holds(whole)) return true;
  const needed = component.pathPermissions.flatMap((rule) => {
    const permission = write ? rule.writePermission : rule.readPermission;
    return permission !== null && pathMatches(rule, path) ? [permission] : [];
  });
  return needed.some(holds) || (whole === null && needed.length === 0);
}
