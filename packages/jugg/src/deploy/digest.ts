import { z } from 'zod';
import type { BuildState } from '../engine/types.ts';

/** What of a build must be remembered to tell what has changed since: digests only, no paths. */
export const stateDigestSchema = z.object({
  id: z.string(),
  versionCode: z.number(),
  manifest: z.string(),
  resources: z.string(),
  assets: z.string(),
  libraries: z.string(),
  /** Digest of bytes and of shape by binary name; see `ClassState`. */
  classes: z.record(z.string(), z.tuple([z.string(), z.string()])),
});

export type StateDigest = z.infer<typeof stateDigestSchema>;

export function digestOf(state: BuildState): StateDigest {
  const { id, versionCode, manifest, resources, assets, libraries } = state;
  const classes = Object.fromEntries(
    [...state.classes].map(([name, { bytes, shape }]): [string, [string, string]] => [name, [bytes, shape]]),
  );
  return { id, versionCode, manifest, resources, assets, libraries, classes };
}

export interface StateDifference {
  /** Parts of the APK beside the app's own classes. */
  readonly parts: readonly ('manifest' | 'resources' | 'assets' | 'libraries')[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Fields, methods, super types or the like differ. */
  readonly reshaped: readonly string[];
  /** Method bodies differ, nothing else. */
  readonly rewritten: readonly string[];
}

export function compareStates(from: StateDigest, to: StateDigest): StateDifference {
  const parts = (['manifest', 'resources', 'assets', 'libraries'] as const).filter(
    (part) => from[part] !== to[part],
  );
  const added: string[] = [];
  const reshaped: string[] = [];
  const rewritten: string[] = [];
  for (const [name, [bytes, shape]] of Object.entries(to.classes)) {
    const old = from.classes[name];
    if (!old) added.push(name);
    else if (old[1] !== shape) reshaped.push(name);
    else if (old[0] !== bytes) rewritten.push(name);
  }
  const removed = Object.keys(from.classes).filter((name) => !(name in to.classes));
  return { parts, added, removed, reshaped, rewritten };
}

/** Nothing to do on the device: the two states show the same. */
export function isSame({ parts, added, removed, reshaped, rewritten }: StateDifference): boolean {
  return parts.length + added.length + removed.length + reshaped.length + rewritten.length === 0;
}
