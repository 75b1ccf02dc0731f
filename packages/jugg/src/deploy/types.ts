import type { BuildState, ClassJar } from '../engine/types.ts';
import type { Device } from '../device/types.ts';
import type { Result } from '../shared/outcome.ts';
import type { WorkContext } from '../shared/progress.ts';

export type DeployType = 'NONE' | 'HOT_RELOAD' | 'HOT_FIX' | 'EMBEDDED' | 'INSTALL';

export interface DeployRequest {
  readonly projectDir: string;
  readonly state: BuildState;
  /** Restart the app even where the running process could take the change. */
  readonly alwaysRestartApp: boolean;
  /** Activity to bring to the front after an install or restart; default the launcher activity. */
  readonly launchActivity?: string | undefined;
  /** Aligned and signed APK of `state`, made on demand. */
  readonly packageApk: () => Promise<Result<string>>;
  /** What that APK's dex was made of, for devices that run class files. */
  readonly classJars: () => Promise<Result<readonly ClassJar[]>>;
}

export interface Deployment {
  readonly serial: string;
  readonly deployType: DeployType;
  /** Why this way and not a lighter one, for people. */
  readonly reasons: readonly string[];
  /** `null` when the app does not run (nothing to launch). */
  readonly pid: number | null;
  /** `pkg/.Activity` that is on top, when something was launched. */
  readonly component: string | null;
  /** The installed APK is older than the running code: the next restart installs it first. */
  readonly overlayPending: boolean;
  /** One sentence for people. */
  readonly message: string;
  /** Milliseconds by phase name. */
  readonly timings: Readonly<Record<string, number>>;
}

/** What a device got last from this project, as kept on this machine. */
export interface DeployedState {
  readonly applicationId: string;
  readonly stateId: string;
  /** ISO-8601. */
  readonly deployedAt: string;
  readonly deployType: DeployType;
  /** The device's own clock (ms since the epoch) when the last deploy or restart began: where wait-logs starts. */
  readonly deviceTimeMs: number;
  readonly overlayPending: boolean;
}

/** Deploys to one device at a time; the state of each device is its own. */
export interface Deployer {
  deploy(device: Device, request: DeployRequest, work: WorkContext): Promise<Result<Deployment>>;
  /** Uninstalls (`keepData: false`) or installs over, always the full APK, and launches. */
  reinstall(
    device: Device,
    request: DeployRequest & { readonly keepData: boolean },
    work: WorkContext,
  ): Promise<Result<Deployment>>;
  /**
   * Stops and starts the app; installs the pending APK before that when the running code is newer. `pid` and
   * `component` are null only when there is nothing to launch.
   */
  restart(
    device: Device,
    request: {
      readonly projectDir: string;
      readonly packageName: string;
      readonly launchActivity?: string | undefined;
    },
    work: WorkContext,
  ): Promise<
    Result<{ readonly pid: number | null; readonly component: string | null; readonly message: string }>
  >;
  lastDeployed(projectDir: string, serial: string): Promise<DeployedState | null>;
  /** Milliseconds since the epoch (this machine's clock) when Jugg last started the app there; `null` for never. */
  lastStart(serial: string, packageName: string): number | null;
}
