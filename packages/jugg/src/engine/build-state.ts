import { digest } from '../project/changes.ts';
import type { ModuleModel } from '../project/model.ts';
import type { ClassInfo } from '../toolchain/types.ts';
import type { Linked } from './stages/resources.ts';
import type { BuildState, ClassState } from './types.ts';

/** Puts the state of the app together; `id` is a digest over all the rest but the places of files. */
export function buildState(from: {
  readonly projectDir: string;
  readonly app: ModuleModel;
  readonly variant: string;
  readonly classes: readonly ClassInfo[];
  /** Dex file by class name. */
  readonly dex: ReadonlyMap<string, string>;
  readonly linked: Linked;
  readonly assets: string;
  readonly libraries: string;
}): BuildState {
  const { app, linked } = from;
  const classes = new Map<string, ClassState>();
  for (const info of [...from.classes].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    classes.set(info.name, { bytes: info.bytes, shape: info.shape, dex: from.dex.get(info.name) ?? '' });
  }
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
  const contents = [...classes].map(([name, { bytes }]) => `${name} ${bytes}`);
  return { id: digest(JSON.stringify([rest, contents])), ...rest, classes };
}
