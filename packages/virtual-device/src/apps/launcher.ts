import type { AppProcessPort, ParamsOf } from '../app-process/types.ts';
import type { PackageRecord } from '../packages/record.ts';
import type { AppManagerHost } from './app-manager-host.ts';
import type { RunningApp } from './app-process-record.ts';
import { bindParams } from './bind-params.ts';
import type { TestRun } from './bind-params.ts';
import { NO_WISHES } from './over-lock.ts';
import type { NotStarted } from './start-outcome.ts';
import type { StartCause } from './system-log.ts';

/** The first start of a large app on a slow machine translates its code. */
export const START_MS = 90_000;

interface Watcher {
  /** The process is the app's from now on, before it is told so. */
  began(app: RunningApp, cause: StartCause): void;
  /** Its application could not be made. */
  failed(app: RunningApp): Promise<void>;
}

/** Makes spare processes those of apps. */
export class Launcher {
  readonly #host: AppManagerHost;
  readonly #watcher: Watcher;
  /** Processes that are on their way, by name. */
  readonly #launches = new Map<string, Promise<RunningApp | NotStarted>>();

  constructor(host: AppManagerHost, watcher: Watcher) {
    this.#host = host;
    this.#watcher = watcher;
  }

  /** A new process that has been told to be the app's, see `RunningApp.bound`; one that is on its way is the same. */
  async launch(
    record: PackageRecord,
    processName: string,
    cause: StartCause,
    testRun?: TestRun,
  ): Promise<RunningApp | NotStarted> {
    const begun = testRun ? undefined : this.#launches.get(processName);
    if (begun) return begun;
    const launch = this.#begin(record, processName, cause, testRun);
    this.#launches.set(processName, launch);
    try {
      return await launch;
    } finally {
      this.#launches.delete(processName);
    }
  }

  async #begin(
    record: PackageRecord,
    processName: string,
    cause: StartCause,
    testRun?: TestRun,
  ): Promise<RunningApp | NotStarted> {
    const taken = await this.#host.pool.take();
    if (!taken.ok) return { message: taken.fault.message };
    const port: AppProcessPort = taken.value;
    const params = await bindParams(this.#host, { record, pid: port.pid, processName }, testRun);
    let settle: (outcome: NotStarted | null) => void = () => {};
    const app: RunningApp = {
      port,
      bound: new Promise((resolve) => {
        settle = resolve;
      }),
      pid: port.pid,
      uid: record.uid,
      processName,
      packageName: record.manifest.packageName,
      record,
      startedMs: this.#host.now(),
      rootIntents: new Map(),
      saved: null,
      overLock: NO_WISHES,
      orientation: 'any',
      shown: false,
      services: new Map(),
      killReason: null,
      crashed: false,
    };
    this.#watcher.began(app, cause);
    if (testRun) port.onEvent((event) => testRun.heard(event));
    // In the same turn: whoever finds the app among those that run may ask it for something.
    void this.#bind(app, params).then(settle);
    return app;
  }

  async #bind(app: RunningApp, params: ParamsOf<'bind'>): Promise<NotStarted | null> {
    const bound = await app.port.request('bind', params, { timeoutMs: START_MS });
    if (!bound.ok) {
      await this.#watcher.failed(app);
      const { code, message } = bound.fault;
      return { message, crashed: code === 'APP_CRASHED' || code === 'PROCESS_GONE' };
    }
    const { pid, uid } = app;
    for (const message of bound.value.warnings) {
      const entry = { timeMs: this.#host.now(), uid, pid, tid: pid, priority: 'W', buffer: 'main' } as const;
      this.#host.logd.write({ ...entry, tag: 'JuggVirtualDevice', message });
    }
    this.#host.log.processBound(pid, app.processName);
    return null;
  }
}

/** The process when its application is made. */
export async function bound(app: RunningApp | NotStarted): Promise<RunningApp | NotStarted> {
  return 'message' in app ? app : ((await app.bound) ?? app);
}
