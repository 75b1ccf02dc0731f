import type { ServiceStarts } from '../app-process/intent-schema.ts';
import type { PackageRecord } from '../packages/record.ts';
import { splitComponent } from '../packages/record.ts';
import type { RunningApp, StartedService } from './app-process-record.ts';
import type { SystemLog } from './system-log.ts';

/** AOSP `ActivityManagerConstants`: `SERVICE_RESTART_DURATION`, `…_FACTOR`, `SERVICE_RESET_RUN_DURATION`. */
const FIRST_DELAY_MS = 1000;
const DELAY_FACTOR = 4;
const RESET_MS = 60_000;
/** `MIN_CRASH_INTERVAL`: who crashes again within it does not come back. */
const CRASH_INTERVAL_MS = 120_000;

interface Host {
  readonly log: SystemLog;
  /** Starts a process for a service of it; an answer: why it could not. */
  start(record: PackageRecord, processName: string, className: string): Promise<string | null>;
}

/** The services of a process that is gone, and when they are due. */
interface Waiting {
  readonly packageName: string;
  readonly services: readonly StartedService[];
  readonly timer: NodeJS.Timeout;
}

/**
 * Brings started services back whose processes have ended, as AOSP's `ActiveServices.scheduleServiceRestartLocked`:
 * after a second, and ever later when that happens again. All times are ms of `performance.now()`.
 */
export class ServiceRestarts {
  readonly #host: Host;
  /** By name of the process. */
  readonly #waiting = new Map<string, Waiting>();
  /** By component: how long it had to wait last, and until when. */
  readonly #delays = new Map<string, { readonly delayMs: number; readonly dueMs: number }>();
  readonly #crashes = new Map<string, number>();

  constructor(host: Host) {
    this.#host = host;
  }

  /** Processes whose services wait. */
  get due(): number {
    return this.#waiting.size;
  }

  /** A process tells of a started service. */
  note(app: RunningApp, starts: ServiceStarts): void {
    if (!starts.sticky && starts.starts.length === 0) {
      app.services.delete(starts.component);
      return;
    }
    const before = app.services.get(starts.component);
    const isSame = before !== undefined && before.starts[0]?.id === starts.starts[0]?.id;
    const deliveredMs = starts.starts.length === 0 ? null : isSame ? before.deliveredMs : performance.now();
    app.services.set(starts.component, { ...starts, deliveredMs });
  }

  /** A process has ended. */
  gone(app: RunningApp): void {
    const services = [...app.services.values()];
    if (app.killReason === 'shutdown') this.close();
    const isStopped = app.killReason?.startsWith('stop ') === true || app.killReason === 'shutdown';
    if (services.length === 0 || isStopped) return;
    const crashed = app.crashed || app.killReason === 'crash';
    if (crashed && this.#crashedAgain(app.processName)) return;
    const delayMs = Math.max(...services.map((service) => this.#delay(service)));
    for (const { component } of services)
      this.#host.log.system(
        'ActivityManager',
        `Scheduling restart of crashed service ${component} in ${delayMs}ms for start-requested`,
        'W',
      );
    const timer = setTimeout(() => void this.#due(app, services), delayMs);
    this.#waiting.set(app.processName, { packageName: app.packageName, services, timer });
  }

  /** A process has come, for whatever reason: services of it that wait for one run at once. */
  came(app: RunningApp): void {
    const waiting = this.#waiting.get(app.processName);
    if (!waiting) return;
    clearTimeout(waiting.timer);
    this.#waiting.delete(app.processName);
    // What is not delivered when the process ends again is still to be done.
    for (const service of waiting.services) app.services.set(service.component, service);
    void app.bound.then(async (trouble) => {
      if (trouble !== null) return;
      for (const { component, starts } of waiting.services)
        await app.port.request('restartService', { component, starts });
    });
  }

  /** By force: nothing of this package comes back. */
  forget(packageName: string): void {
    for (const [name, { packageName: owner, timer }] of this.#waiting) {
      if (owner !== packageName) continue;
      clearTimeout(timer);
      this.#waiting.delete(name);
    }
  }

  close(): void {
    for (const { timer } of this.#waiting.values()) clearTimeout(timer);
    this.#waiting.clear();
  }

  async #due({ record, processName }: RunningApp, services: readonly StartedService[]): Promise<void> {
    const component = services[0]?.component ?? '';
    const className = splitComponent(component)?.className ?? component;
    const trouble = await this.#host.start(record, processName, className);
    if (trouble === null) return;
    this.#waiting.delete(processName);
    this.#host.log.system('ActivityManager', `Unable to restart ${component}: ${trouble}`, 'W');
  }

  #crashedAgain(processName: string): boolean {
    const now = performance.now();
    const last = this.#crashes.get(processName);
    this.#crashes.set(processName, now);
    if (last === undefined || now >= last + CRASH_INTERVAL_MS) return false;
    this.#host.log.system(
      'ActivityManager',
      `Process ${processName} has crashed too many times, killing! Reason: crashed quickly`,
      'W',
    );
    return true;
  }

  /** At least twice the time that it has worked on what it gets again. */
  #delay({ component, deliveredMs }: StartedService): number {
    const now = performance.now();
    const last = this.#delays.get(component);
    const workedMs = deliveredMs === null ? 0 : Math.round(2 * (now - deliveredMs));
    const usual = last && now < last.dueMs + RESET_MS ? last.delayMs * DELAY_FACTOR : FIRST_DELAY_MS;
    const delayMs = Math.max(usual, workedMs);
    this.#delays.set(component, { delayMs, dueMs: now + delayMs });
    return delayMs;
  }
}
