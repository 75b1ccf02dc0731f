import type { Component } from '../apk/manifest.ts';
import { fits } from './intents.ts';
import type { Resolved, ShellIntent } from './intents.ts';
import type { PackageRecord } from './record.ts';
import { splitComponent } from './record.ts';

/** The components of a kind that an intent means: the one it names, else those whose filters take it. */
export function matchingComponents(
  kind: Component['kind'],
  intent: ShellIntent,
  packages: readonly PackageRecord[],
): Resolved[] {
  const named = intent.component === undefined ? null : splitComponent(intent.component);
  if (intent.component !== undefined && !named) return [];
  const packageName = named?.packageName ?? intent.packageName;
  return packages
    .filter(({ manifest }) => packageName === undefined || manifest.packageName === packageName)
    .flatMap((record) =>
      record.manifest.components
        .filter((component) => component.kind === kind && component.enabled)
        .filter((component) =>
          named
            ? component.name === named.className
            : component.filters.some((filter) => fits(filter, intent)),
        )
        .map((component) => ({ record, component })),
    );
}
