import type { AppEvent, AppProcessPort, ResultOf } from '../app-process/types.ts';
import type { Component } from '../apk/manifest.ts';
import type { ShellIntent } from '../packages/intents.ts';
import { shortComponent } from '../packages/record.ts';
import type { PackageRecord } from '../packages/record.ts';
import type { AppManagerHost } from './app-manager-host.ts';
import { leftTask, sameIntent } from './app-process-record.ts';
import type { LeftTask, RunningApp } from './app-process-record.ts';
import { BinderDriver } from './binder-driver.ts';
import { removeDeadSockets, removePipes } from './dead-sockets.ts';
import type { TestRun } from './bind-params.ts';
import { fatalSignal } from './exit-signal.ts';
import { toRequest } from './intent-request.ts';
import { bound, Launcher, START_MS } from './launcher.ts';
import { isSeen, occludes, turnsScreenOn } from './over-lock.ts';
import type { OverLock } from './over-lock.ts';
import { ServiceRestarts } from './service-restarts.ts';
import type { NotStarted, StartOutcome, StartState } from './start-outcome.ts';
import type { StartCause } from './system-log.ts';
import { answerUiAutomation } from './ui-automation.ts';

type Activities = ResultOf<'activities'>;

/** The running app processes and which of them is in front. */
export class AppManager {
  readonly #host: AppManagerHost;
  readonly #running = new Map<number, RunningApp>();
  readonly #listeners = new Set<() => void>();
  readonly #exits = new Map<number, Promise<void>>();
  readonly #launcher: Launcher;
  readonly #binders = new BinderDriver((pid) => this.#running.get(pid));
  /** Tasks whose processes are gone, by process name. */
  readonly #left = new Map<string, LeftTask>();
  readonly #restarts: ServiceRestarts;
  #front: RunningApp | null = null;
  #queue: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(host: AppManagerHost) {
    this.#host = host;
    this.#launcher = new Launcher(host, {
      began: (app, cause) => {
        this.#running.set(app.pid, app);
        this.#exits.set(app.pid, this.#watch(app, app.port));
        host.log.processStarted(app.pid, app.processName, app.uid, app.packageName, cause);
        this.#restarts.came(app);
        this.#changed();
      },
      failed: async (app) => {
        if (this.#running.has(app.pid)) await this.kill(app, 'bind failed');
      },
    });
    this.#restarts = new ServiceRestarts({
      log: host.log,
      start: async (record, processName, className) => {
        const app = await this.process(record, processName, { kind: 'service', className });
        return 'message' in app ? app.message : null;
      },
    });
  }

  /** `null`: the launcher. */
  get front(): RunningApp | null {
    return this.#front;
  }

  all(): readonly RunningApp[] {
    return [...this.#running.values()];
  }

  byPid(pid: number): RunningApp | undefined {
    return this.#running.get(pid);
  }

  byProcessName(name: string): RunningApp | undefined {
    return this.all().find((app) => app.processName === name);
  }

  /** Binders of running processes that are known to others, and calls that are not answered. */
  get bindersKept(): number {
    return this.#binders.size;
  }

  /** Processes that are to be started again for their services. */
  get servicesDue(): number {
    return this.#restarts.due;
  }

  /** Neither in front nor used by what is: what `am kill` may end. */
  isBackground(app: RunningApp): boolean {
    return app !== this.#front && (!this.#front || !this.#binders.holds(app.pid, this.#front.pid));
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Starts an activity, in the app's process or a new one. Starts are made one after the other. `decided` hears at
   * once what the start comes to, as far as the system knows it.
   */
  start(
    record: PackageRecord,
    component: Component,
    intent: ShellIntent,
    decided: (state: StartState) => void,
  ): Promise<StartOutcome> {
    return this.#inTurn(() => this.#start(record, component, intent, decided));
  }

  /** The process of this name, started when it does not run; for services, receivers and test runs. */
  process(
    record: PackageRecord,
    processName: string,
    cause: StartCause,
    testRun?: TestRun,
  ): Promise<RunningApp | NotStarted> {
    return this.#inTurn(async () => {
      if (this.#closed) return { message: 'the device is being shut down' };
      // The code of a test package runs as well.
      for (const each of testRun ? [record, testRun.record] : [record]) {
        const refusal = await this.#host.trust.refusal(each);
        if (refusal !== null) return { message: refusal };
      }
      const running = testRun ? undefined : this.byProcessName(processName);
      return bound(running ?? (await this.#launcher.launch(record, processName, cause, testRun)));
    });
  }

  /**
   * The process of this name for another one that waits for it: at once, and before its application is made. Not in
   * turn: a start may wait for the process that asks.
   */
  async reach(
    record: PackageRecord,
    processName: string,
    cause: StartCause,
  ): Promise<RunningApp | NotStarted> {
    const refusal = await this.#host.trust.refusal(record);
    if (refusal !== null) return { message: refusal };
    if (this.#closed) return { message: 'the device is being shut down' };
    return this.byProcessName(processName) ?? this.#launcher.launch(record, processName, cause);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work);
    this.#queue = result.catch(() => {});
    return result;
  }

  async #start(
    record: PackageRecord,
    component: Component,
    intent: ShellIntent,
    decided: (state: StartState) => void,
  ): Promise<StartOutcome> {
    if (this.#closed) return { ok: false, kind: 'failed', message: 'the device is being shut down' };
    const refusal = await this.#host.trust.refusal(record);
    if (refusal !== null) return { ok: false, kind: 'untrusted', message: refusal };
    const began = performance.now();
    const { packageName } = record.manifest;
    const shown = shortComponent(packageName, component.name);
    const running = this.byProcessName(component.process);
    const old = running && (await running.bound) === null ? running : undefined;
    const before = old ? await this.#existingTask(old, shown, intent) : null;
    const was = this.#front;
    if (old && before && !takesIntents(component, shown, before, intent)) {
      await this.#toFront(old);
      const state = was === old ? 'deliveredToTop' : 'broughtToFront';
      decided(state);
      return { ok: true, state, component: before, cold: false, totalMs: performance.now() - began };
    }
    const left = old ? undefined : this.#left.get(component.process);
    const root = left?.rootIntents.get(shown);
    const comesBack = left !== undefined && root !== undefined && sameIntent(root, intent);
    this.#left.delete(component.process);
    const there = was === old ? 'deliveredToTop' : 'broughtToFront';
    const state = before ? there : comesBack ? 'broughtToFront' : 'started';
    decided(state);
    const cause = { kind: 'activity', className: component.name } as const;
    const app = await bound(old ?? (await this.#launcher.launch(record, component.process, cause)));
    if ('message' in app) return { ok: false, kind: 'failed', message: app.message };
    this.#sendBack(app);
    const request = { ...toRequest(intent), component: shown };
    const asked = performance.now();
    const options = { timeoutMs: START_MS };
    const started = comesBack
      ? await app.port.request('restoreTask', { task: left.task }, options)
      : await app.port.request('startActivity', request, options);
    if (!started.ok) {
      const { code, message } = started.fault;
      if (code === 'ACTIVITY_NOT_FOUND') return { ok: false, kind: 'notFound', message };
      const crashed = code === 'APP_CRASHED' || code === 'PROCESS_GONE';
      return { ok: false, kind: crashed ? 'crashed' : 'failed', message };
    }
    for (const [name, first] of comesBack ? left.rootIntents : []) app.rootIntents.set(name, first);
    if (!app.rootIntents.has(shown)) app.rootIntents.set(shown, intent);
    app.saved = null;
    // The activity may have ended the app, or sent the user home, before it answered.
    if (this.#running.has(app.pid) && started.value.resumed) {
      this.#setFront(app);
      app.shown = true;
      await this.#showFront();
    }
    // As on a phone: until it is shown, not until it has come to rest.
    const totalMs = asked - began + started.value.laidOutMs;
    this.#host.log.displayed(started.value.component, totalMs);
    return { ok: true, state, component: started.value.component, cold: !old, totalMs };
  }

  /** The top activity of the task that this start means, if it is there and the start adds nothing to it. */
  async #existingTask(app: RunningApp, component: string, intent: ShellIntent): Promise<string | null> {
    const root = app.rootIntents.get(component);
    if (!root || !sameIntent(root, intent)) return null;
    const asked = await app.port.request('activities', {});
    const task = asked.ok
      ? asked.value.tasks.find(({ rootComponent }) => rootComponent === component)
      : undefined;
    return task?.activities.find(({ finishing }) => !finishing)?.component ?? null;
  }

  /** Pauses what is in front, without waiting for it: the new activity comes up meanwhile. */
  #sendBack(next: RunningApp | null): void {
    const front = this.#front;
    if (!front || front === next) return;
    // How the screen is turned is for the next one to say.
    this.#front = null;
    void this.#background(front);
  }

  async #background(app: RunningApp): Promise<void> {
    app.shown = false;
    const answer = await app.port.request('background', {});
    if (answer.ok && this.#front !== app) app.saved = answer.value.task ?? null;
  }

  async #toFront(app: RunningApp): Promise<void> {
    if (this.#front === app) return;
    this.#sendBack(app);
    if (isSeen(app.overLock, this.#host.screen())) {
      const shown = await app.port.request('foreground', {});
      if (!shown.ok || !shown.value.resumed) return;
      app.shown = true;
    }
    this.#setFront(app);
    app.saved = null;
    if (turnsScreenOn(app.overLock, this.#host.screen())) this.#host.turnScreenOn();
  }

  #setFront(app: RunningApp | null): void {
    this.#front = app;
    this.#host.wantOrientation(app?.orientation ?? 'any');
  }

  /** What is in front may be seen over a lock screen. */
  get frontOccludes(): boolean {
    return this.#front !== null && occludes(this.#front.overLock, this.#host.screen().secure);
  }

  /** The screen goes off or is locked, or shows apps again: what is in front is stopped, or resumed. */
  async screenChanged(): Promise<void> {
    const screen = this.#host.screen();
    for (const app of this.all()) void app.port.request('screen', screen);
    await this.#showFront();
  }

  async #showFront(): Promise<void> {
    const app = this.#front;
    const seen = app !== null && isSeen(app.overLock, this.#host.screen());
    if (!app || app.shown === seen) return;
    app.shown = seen;
    await app.port.request(seen ? 'foreground' : 'background', {});
  }

  /** An activity has come up: usually because we asked for it, else by an alarm, a service, a test. */
  #resumed(app: RunningApp): void {
    if (this.#front !== app) {
      this.#sendBack(app);
      this.#setFront(app);
    }
    app.shown = true;
    if (turnsScreenOn(app.overLock, this.#host.screen())) this.#host.turnScreenOn();
    else void this.#showFront();
    this.#askToUnlock(app);
  }

  #overLock(app: RunningApp, wishes: OverLock): void {
    app.overLock = wishes;
    if (this.#front !== app) return;
    void this.#showFront();
    this.#askToUnlock(app);
  }

  /** By its flag an activity covers a lock screen that asks for nothing, and has others ask (AOSP `handleDismissKeyguard`). */
  #askToUnlock({ overLock }: RunningApp): void {
    if (overLock.dismissKeyguard && this.#host.screen().secure) void this.#host.dismissLock();
  }

  /** HOME: the launcher comes to the front. */
  async goHome(): Promise<void> {
    const front = this.#front;
    this.#setFront(null);
    if (front) await this.#background(front);
  }

  /** What every process shows; processes that do not answer are left out. The one in front comes first. */
  async stacks(): Promise<readonly { readonly app: RunningApp; readonly activities: Activities }[]> {
    const apps = this.all().toSorted((a, b) => Number(b === this.#front) - Number(a === this.#front));
    const asked = await Promise.all(
      apps.map(async (app) => ({ app, answer: await app.port.request('activities', {}) })),
    );
    return asked.flatMap(({ app, answer }) => (answer.ok ? [{ app, activities: answer.value }] : []));
  }

  /** Ends a process and waits until it is gone. */
  async kill(app: RunningApp, reason: string): Promise<void> {
    app.killReason = reason;
    this.#host.log.killing(app.pid, app.processName, app.uid, reason);
    await app.port.kill();
    await this.#exits.get(app.pid);
  }

  /** `cause` as the log words it: `from pid 123`, `installPackageLI`. */
  async stopPackage(packageName: string, cause: string): Promise<void> {
    const reason = `stop ${packageName} due to ${cause}`;
    const apps = this.all().filter((app) => app.packageName === packageName);
    this.#restarts.forget(packageName);
    await Promise.all(apps.map((app) => this.kill(app, reason)));
    for (const [name, { packageName: owner }] of this.#left)
      if (owner === packageName) this.#left.delete(name);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#restarts.close();
    await Promise.all(this.all().map((app) => this.kill(app, 'shutdown')));
    await this.#host.pool.close();
  }

  async #watch(app: RunningApp, port: AppProcessPort): Promise<void> {
    const stop = port.onEvent((event) => this.#event(app, event));
    const { code, signal } = await port.exited;
    stop();
    const fatal = app.killReason === null ? fatalSignal(code, signal) : null;
    if (fatal !== null) this.#host.log.nativeCrash(app.pid, app.processName, app.uid, fatal);
    this.#running.delete(app.pid);
    this.#exits.delete(app.pid);
    this.#restarts.gone(app);
    const left = this.#front === app || fatal !== null ? null : leftTask(app);
    if (left) this.#left.set(app.processName, left);
    if (this.#front === app) this.#setFront(null);
    this.#binders.gone(app.pid, app.killReason?.startsWith('stop ') ?? false, this.all());
    if (!this.all().some(({ packageName }) => packageName === app.packageName))
      this.#host.packageEnded(app.packageName);
    if (app.killReason === null) this.#host.log.died(app.pid, app.processName);
    this.#changed();
    await removeDeadSockets(this.#host.socketDir);
    await removePipes(this.#host.socketDir, app.pid);
  }

  #event(app: RunningApp, event: AppEvent): void {
    switch (event.event) {
      case 'log': {
        const { timeMs, tid, priority, tag, message, buffer } = event.params;
        this.#host.logd.write({ timeMs, uid: app.uid, pid: app.pid, tid, priority, tag, message, buffer });
        break;
      }
      case 'activity':
        if (event.params.state === 'RESUMED') this.#resumed(app);
        this.#host.log.event(`wm_activity_${event.params.state.toLowerCase()}`, [0, event.params.component]);
        break;
      case 'started':
      case 'startService':
      case 'stopService':
      case 'broadcast':
        this.#host.askedByApp(app, event);
        break;
      case 'serviceStarts':
        this.#restarts.note(app, event.params);
        break;
      case 'transact':
        this.#binders.transact(app, event.params);
        break;
      case 'releaseBinder':
        this.#binders.release(app, event.params);
        break;
      case 'findComponent':
        void this.#host
          .findComponent(app, event.params)
          .catch((error: unknown) => ({ found: true, failed: String(error) }))
          .then((found) => app.port.request('componentFound', { id: event.params.id, ...found }));
        break;
      case 'uriPermission': {
        const { id } = event.params;
        void app.port.request('uriPermissionAnswer', {
          id,
          ...this.#host.uriPermission(app, event.params),
        });
        break;
      }
      case 'contentChanged':
        for (const other of this.all())
          if (other !== app) void other.port.request('contentChanged', event.params);
        break;
      case 'overLock':
        this.#overLock(app, event.params);
        break;
      case 'putSetting':
        this.#host.settingPut(app, event.params);
        break;
      case 'orientation':
        app.orientation = event.params.wanted;
        if (this.#front === app) this.#host.wantOrientation(app.orientation);
        break;
      case 'dismissKeyguard':
        void this.#dismissLock(app, event.params.id);
        break;
      case 'permission':
        this.#host.permissionAnswered(app, event.params.permission, event.params.granted);
        break;
      case 'home':
        if (this.#front === app) this.#setFront(null);
        app.saved = event.params.task ?? null;
        break;
      case 'uiAutomation':
        void answerUiAutomation(app, this.#front, event.params);
        break;
      case 'crash':
        app.crashed = true;
        this.#host.log.crashed(app.pid, app.processName, event.params.exception, event.params.message);
        break;
      case 'anr':
        this.#host.log.anr(app.pid, app.processName, event.params.reason);
        break;
      default:
        break;
    }
  }

  async #dismissLock(app: RunningApp, id: number): Promise<void> {
    const isFront = this.#front === app;
    if (isFront && turnsScreenOn(app.overLock, this.#host.screen())) this.#host.turnScreenOn();
    const outcome = isFront ? await this.#host.dismissLock() : 'error';
    await app.port.request('keyguardDismissed', { id, outcome });
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

const SINGLE_TOP = 0x2000_0000;

/** Whether the one on top gets the intent of another start (AOSP `ActivityStarter.complyActivityFlags`). */
function takesIntents(
  { launchMode }: Component,
  shown: string,
  top: string,
  { flags }: ShellIntent,
): boolean {
  return top === shown && (launchMode !== 0 || (flags & SINGLE_TOP) !== 0);
}
