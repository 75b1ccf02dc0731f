import type { Engine } from '../engine/types.ts';
import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import type { JuggDirs } from '../shared/paths.ts';
import type { Deployer } from '../deploy/types.ts';
import type { DeviceUse } from './device-use.ts';
import type { Devices } from './devices.ts';
import type { Jobs } from './jobs.ts';
import type { LastDumps } from './last-dumps.ts';
import type { Projects } from './projects.ts';
import type { Settings } from './settings.ts';

export interface RuntimeInfo {
  readonly kind: 'server' | 'stdio' | 'cli';
  readonly version: string;
  readonly pid: number;
  /** `null` for a runtime that no port leads to. */
  readonly port: number | null;
  readonly startedAt: string;
}

/** Everything that tools work with, put together once a process. */
export interface Runtime {
  readonly info: RuntimeInfo;
  readonly dirs: JuggDirs;
  readonly settings: Settings;
  readonly log: Log;
  readonly projects: Projects;
  readonly jobs: Jobs;
  readonly deviceUse: DeviceUse;
  readonly lastDumps: LastDumps;
  readonly clock: Clock;
  /** Made at the first use: the server is ready before adb and the compilers are. */
  devices(): Promise<Devices>;
  engine(): Promise<Engine>;
  deployer(): Promise<Deployer>;
  /** A call has come for this project: its compilers get warm in the background, others can find out who works on it. */
  touch(projectDir: string): void;
  now(): Date;
  close(): Promise<void>;
}
