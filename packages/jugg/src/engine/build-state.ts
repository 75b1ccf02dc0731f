import { digest } from '../project/changes.ts';
import type { ModuleModel } from '../project/model.ts';
import type { Linked } from './stages/resources.ts';
import type { BuildState, ClassState } from './types.ts';

const MODULUS = 1n << 256n;

/** What one class adds to the digest of a set of classes. */
export function contentOf(name: string, bytes: string): bigint {
  return BigInt(`0x${digest(`${name} ${bytes}`)}`);
}

/** A digest of a set from those of its parts, whatever their order: that of a module need not be made again with each build. */
export function sumOf(parts: Iterable<bigint>): bigint {
  let sum = 0n;
  for (const part of parts) sum += part;
  return sum % MODULUS;
}

/** Puts the state of the app together; `id` is a digest over all the rest but the places of files. */
export function buildState(from: {
  readonly projectDir: string;
  readonly app: ModuleModel;
  readonly variant: string;
  readonly classes: ReadonlyMap<string, ClassState>;
  /** The sum of the contents of all classes. */
  readonly content: bigint;
  readonly linked: Linked;
  readonly assets: string;
  readonly libraries: string;
}): BuildState {
  const { app, linked, classes } = from;
  const rest = {
    projectDir: from.projectDir,
    module: app.name,
    variant: from.variant,
    applicationId: app.applicationId ?? '',
    versionCode: app.versionCode,
    minSdk: app.minSdk,
    launcherActivity: linked.launcherActivity,
    debuggable: app.debuggable,
    resources: linked.resources,
    manifest: linked.manifest,
    assets: from.assets,
    libraries: from.libraries,
  };
  return { id: digest(JSON.stringify([rest, from.content.toString(16)])), ...rest, classes };
}
