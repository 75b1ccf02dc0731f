import type { AdbConnection, DeviceRef } from '../adb/types.ts';
import type { Clock } from '../shared/clock.ts';
import type { ErrorCode } from '../shared/errors.ts';
import { fail, ok, type Result } from '../shared/outcome.ts';
import { changePermission, clearApp, openLink, stopApp, type ControlContext } from './app-control.ts';
import { readByDumpsys } from './dumpsys-source.ts';
import { readClock, readFacts, readInteractivity, readScreen, readUser } from './facts.ts';
import { touchByInput, touchInside } from './gestures.ts';
import { dropClassFiles, putClassFiles } from './class-files.ts';
import { redefineClasses } from './hot-classes.ts';
import { HostRefs } from './host-refs.ts';
import type { InspectorConnection } from './inspector-connection.ts';
import { inspectInside } from './inspect.ts';
import { highestRef, pingSchema, recreateSchema, toTree, treeSchema } from './inspector-wire.ts';
import { Inspectors } from './inspectors.ts';
import { keyArgument, pressKeys } from './keys.ts';
import { readLauncher, startActivity } from './launch.ts';
import { followLogs, readLogs } from './log-reader.ts';
import { installApk, readApp, uninstallApp, type UserContext } from './packages.ts';
import { readProcesses } from './processes.ts';
import { takeScreenshot } from './screencap.ts';
import { run } from './shell.ts';
import { readStack } from './stack.ts';
import { enterByInput, enterInside, focusInside } from './text-entry.ts';
import type { Screen, ViewTree } from './tree.ts';
import type * as port from './types.ts';
import { readByUiautomator } from './uiautomator-source.ts';

export interface AdbDeviceOptions {
  readonly connection: AdbConnection;
  readonly ref: Pick<DeviceRef, 'kind' | 'name'>;
  /** Absolute path of `inspector.jar` on this machine. */
  readonly inspectorJar: string;
  /** Secret shared with the inspectors that this server starts. */
  readonly nonce: string;
  readonly clock: Clock;
}

/** The user in front seldom changes; asking before every command would double its cost. */
const USER_KEPT_MS = 5_000;
const TREE_TIMEOUT_MS = 8_000;
const ASK_TIMEOUT_MS = 5_000;
const HOME_LIMIT_MS = 3_000;
const HOME_POLL_MS = 50;

/** What another way of reading the screen can do something about. */
function mayFallBack(code: ErrorCode): boolean {
  return code === 'FEATURE_NOT_SUPPORTED' || code === 'NOT_DEBUGGABLE';
}

function notRunning(packageName: string): Result<never> {
  return fail('APP_NOT_RUNNING', `${packageName} does not run. Call restart or deploy.`);
}

/** A device reached over adb, with inspectors in its apps where they can be had. */
export class AdbDevice implements port.Device {
  readonly serial: string;
  readonly #options: AdbDeviceOptions;
  readonly #inspectors: Inspectors;
  readonly #refs = new HostRefs();
  #facts: port.DeviceFacts | null = null;
  #user: { readonly id: number; readonly atMs: number } | null = null;

  constructor(options: AdbDeviceOptions) {
    const { connection, ref, inspectorJar, nonce, clock } = options;
    this.#options = options;
    this.serial = connection.serial;
    this.#inspectors = new Inspectors({
      connection,
      virtual: ref.kind === 'virtual',
      jar: inspectorJar,
      nonce,
      clock,
    });
  }

  async facts(signal: AbortSignal): Promise<Result<port.DeviceFacts>> {
    if (this.#facts) return ok(this.#facts);
    const read = await readFacts(this.#options.connection, this.#options.ref, signal);
    if (read.ok) this.#facts = read.value;
    return read;
  }

  screen(signal: AbortSignal): Promise<Result<Screen>> {
    return readScreen(this.#options.connection, signal);
  }

  interactivity(signal: AbortSignal): Promise<Result<port.Interactivity>> {
    return readInteractivity(this.#options.connection, signal);
  }

  async user(signal: AbortSignal): Promise<Result<number>> {
    const known = await this.#who(signal);
    return known.ok ? ok(known.value.user) : known;
  }

  now(signal: AbortSignal): Promise<Result<number>> {
    return readClock(this.#options.connection, signal);
  }

  app(packageName: string, signal: AbortSignal): Promise<Result<port.InstalledApp | null>> {
    return this.#forUser(signal, (context) => readApp(context, packageName, signal));
  }

  install(
    apk: string,
    options: port.InstallOptions,
    signal: AbortSignal,
  ): Promise<Result<port.InstalledApp>> {
    return this.#forUser(signal, (context) => installApk(context, apk, options, signal));
  }

  uninstall(packageName: string, signal: AbortSignal): Promise<Result<void>> {
    return this.#forUser(signal, (context) => uninstallApp(context, packageName, signal));
  }

  launcher(packageName: string, signal: AbortSignal): Promise<Result<string | null>> {
    return this.#forUser(signal, (context) => readLauncher(context, packageName, signal));
  }

  start(request: port.StartRequest, signal: AbortSignal): Promise<Result<port.Started>> {
    const { clock } = this.#options;
    return this.#forUser(signal, (context) =>
      startActivity({ ...context, device: this, clock }, request, signal),
    );
  }

  forceStop(packageName: string, signal: AbortSignal): Promise<Result<void>> {
    return this.#forUser(signal, async ({ connection, user }) => {
      const done = await run(connection, ['am', 'force-stop', '--user', String(user), packageName], signal);
      return done.ok ? ok(undefined) : done;
    });
  }

  stop(packageName: string, signal: AbortSignal): Promise<Result<void>> {
    return this.#control(signal, (context) => stopApp(context, packageName, signal));
  }

  clear(packageName: string, signal: AbortSignal): Promise<Result<void>> {
    return this.#control(signal, (context) => clearApp(context, packageName, signal));
  }

  setPermission(
    packageName: string,
    change: port.PermissionChange,
    signal: AbortSignal,
  ): Promise<Result<void>> {
    return this.#forUser(signal, (context) => changePermission(context, packageName, change, signal));
  }

  openUri(request: port.OpenRequest, signal: AbortSignal): Promise<Result<{ readonly component: string }>> {
    return this.#control(signal, (context) => openLink(context, request, signal));
  }

  async home(signal: AbortSignal): Promise<Result<void>> {
    const { connection, clock } = this.#options;
    const before = await this.activities(signal);
    if (!before.ok) return before;
    const pressed = await run(connection, ['input', 'keyevent', 'KEYCODE_HOME'], signal);
    if (!pressed.ok) return pressed;
    const end = clock.now() + HOME_LIMIT_MS;
    for (;;) {
      const now = await this.activities(signal);
      if (!now.ok) return now;
      const task = now.value.tasks.find(({ id }) => id === now.value.topTaskId);
      const left = now.value.top?.packageName !== before.value.top?.packageName;
      if (task?.type === 'home' || left) return ok(undefined);
      if (clock.now() >= end)
        return fail('ACTIVITY_NOT_STARTED', 'The home screen did not come to the front.');
      await clock.sleep(HOME_POLL_MS, signal);
    }
  }

  async processes(packageName: string, signal: AbortSignal): Promise<Result<readonly port.AppProcess[]>> {
    const known = await this.#who(signal);
    if (!known.ok) return known;
    return readProcesses(this.#options.connection, { ...known.value, packageName }, signal);
  }

  async activities(signal: AbortSignal): Promise<Result<port.ActivityStack>> {
    const known = await this.#who(signal);
    return known.ok ? readStack(this.#options.connection, known.value, signal) : known;
  }

  async tree(
    packageName: string,
    { includeGone }: { readonly includeGone: boolean },
    signal: AbortSignal,
  ): Promise<Result<ViewTree>> {
    const inspector = await this.#inspector(packageName, signal);
    if (inspector.ok) {
      const read = await inspector.value.connection.request('tree', { includeGone }, treeSchema, {
        timeoutMs: TREE_TIMEOUT_MS,
        signal,
      });
      if (!read.ok) return read;
      this.#inspectors.noteRefs(highestRef(read.value));
      const tree = toTree(read.value, packageName);
      return tree ? ok(tree) : fail('APP_NOT_FOREGROUND', `${packageName} has no window.`);
    }
    if (!mayFallBack(inspector.fault.code)) return inspector;
    return this.#treeFromOutside(packageName, inspector.fault.message, signal);
  }

  async #treeFromOutside(
    packageName: string,
    because: string,
    signal: AbortSignal,
  ): Promise<Result<ViewTree>> {
    const screen = await this.screen(signal);
    if (!screen.ok) return screen;
    const { connection, clock } = this.#options;
    const context = { connection, clock, refs: this.#refs, screen: screen.value };
    const read = await readByUiautomator(context, packageName, signal);
    if (read.ok) return ok({ ...read.value, fallbackReason: because });
    if (!read.fault.code.startsWith('UI_')) return read;
    const dumped = await readByDumpsys(context, packageName, signal);
    // What uiautomator complained about says more than the poorer way's failure.
    return dumped.ok ? ok({ ...dumped.value, fallbackReason: `${because} ${read.fault.message}` }) : read;
  }

  async gesture(
    packageName: string,
    gesture: port.Gesture,
    signal: AbortSignal,
  ): Promise<Result<port.GestureResult>> {
    const inspector = await this.#inspector(packageName, signal);
    if (inspector.ok) return touchInside(inspector.value.connection, gesture, signal);
    if (!mayFallBack(inspector.fault.code)) return inspector;
    return touchByInput(this.#options.connection, gesture, signal);
  }

  async enterText(
    packageName: string,
    request: port.TextRequest,
    signal: AbortSignal,
  ): Promise<Result<port.TextEntry>> {
    const inspector = await this.#inspector(packageName, signal);
    if (inspector.ok) return enterInside(inspector.value.connection, request, signal);
    if (!mayFallBack(inspector.fault.code)) return inspector;
    const { connection, clock } = this.#options;
    return enterByInput({ connection, clock, packageName, device: this }, request, signal);
  }

  async focus(
    packageName: string,
    field: NonNullable<port.TextRequest['field']>,
    signal: AbortSignal,
  ): Promise<Result<void>> {
    const inspector = await this.#inspector(packageName, signal);
    if (inspector.ok) return focusInside(inspector.value.connection, field.ref, signal);
    if (!mayFallBack(inspector.fault.code)) return inspector;
    const [x, y] = field.center;
    const tapped = await touchByInput(this.#options.connection, { action: 'tap', x, y }, signal);
    return tapped.ok ? ok(undefined) : tapped;
  }

  async pressKey(key: string | number, signal: AbortSignal): Promise<Result<void>> {
    const argument = keyArgument(key);
    return argument.ok ? pressKeys(this.#options.connection, [argument.value], signal) : argument;
  }

  async inspect(
    packageName: string,
    request: port.InspectRequest,
    signal: AbortSignal,
  ): Promise<Result<readonly port.InspectedValue[]>> {
    const inspector = await this.#inspector(packageName, signal);
    if (inspector.ok) return inspectInside(inspector.value.connection, request, signal);
    const { code, message } = inspector.fault;
    if (!mayFallBack(code)) return inspector;
    return fail(
      'FEATURE_NOT_SUPPORTED',
      `Values of views are read inside the app by the inspector: ${message}`,
    );
  }

  async ping(
    packageName: string,
    signal: AbortSignal,
  ): Promise<Result<{ readonly pid: number; readonly inspector: boolean; readonly reason: string | null }>> {
    const processes = await this.processes(packageName, signal);
    if (!processes.ok) return processes;
    const main = processes.value[0];
    if (main?.name !== packageName) return notRunning(packageName);
    const inspector = await this.#inspector(packageName, signal, main.pid);
    if (!inspector.ok && mayFallBack(inspector.fault.code))
      return ok({ pid: main.pid, inspector: false, reason: inspector.fault.message });
    if (!inspector.ok) return inspector;
    const { connection, pid } = inspector.value;
    const answered = await connection.request('ping', {}, pingSchema, { timeoutMs: ASK_TIMEOUT_MS, signal });
    return answered.ok ? ok({ pid, inspector: true, reason: null }) : answered;
  }

  putClassFiles(files: readonly port.ClassFiles[], signal: AbortSignal): Promise<Result<void>> {
    return putClassFiles(this.#options.connection, files, signal);
  }

  dropClassFiles(dexSha256: readonly string[], signal: AbortSignal): Promise<Result<void>> {
    return dropClassFiles(this.#options.connection, dexSha256, signal);
  }

  screenshot(signal: AbortSignal): Promise<Result<port.Screenshot>> {
    return takeScreenshot(this.#options.connection, signal);
  }

  async redefine(
    packageName: string,
    classes: readonly port.ClassRedefinition[],
    signal: AbortSignal,
  ): Promise<Result<{ readonly pid: number; readonly tookMs: number }>> {
    const inspector = await this.#inspector(packageName, signal);
    if (!inspector.ok) return inspector;
    const { connection, pid } = inspector.value;
    const done = await redefineClasses(connection, classes, signal);
    return done.ok ? ok({ pid, tookMs: done.value.tookMs }) : done;
  }

  async recreateActivities(
    packageName: string,
    signal: AbortSignal,
  ): Promise<Result<{ readonly activities: number }>> {
    const inspector = await this.#inspector(packageName, signal);
    if (!inspector.ok) return inspector;
    return inspector.value.connection.request('recreateActivities', {}, recreateSchema, {
      timeoutMs: ASK_TIMEOUT_MS,
      signal,
    });
  }

  async logs(
    { sinceMs }: { readonly sinceMs: number | null },
    signal: AbortSignal,
  ): Promise<Result<readonly port.LogEntry[]>> {
    const facts = await this.facts(signal);
    return facts.ok ? readLogs(this.#options.connection, facts.value.api, sinceMs, signal) : facts;
  }

  async followLogs(
    { sinceMs }: { readonly sinceMs: number | null },
    onEntries: (entries: readonly port.LogEntry[], gap: boolean) => void,
    signal: AbortSignal,
  ): Promise<Result<void>> {
    const facts = await this.facts(signal);
    if (!facts.ok) return facts;
    const { connection, clock } = this.#options;
    return followLogs({ connection, api: facts.value.api, clock }, sinceMs, onEntries, signal);
  }

  close(): Promise<void> {
    this.#inspectors.close();
    return Promise.resolve();
  }

  async #inspector(
    packageName: string,
    signal: AbortSignal,
    knownPid?: number,
  ): Promise<Result<{ readonly connection: InspectorConnection; readonly pid: number }>> {
    let pid = knownPid ?? this.#inspectors.openPid(packageName);
    if (pid === null) {
      const processes = await this.processes(packageName, signal);
      if (!processes.ok) return processes;
      const main = processes.value[0];
      if (main?.name !== packageName) return notRunning(packageName);
      ({ pid } = main);
    }
    const known = await this.#who(signal);
    if (!known.ok) return known;
    const opened = await this.#inspectors.get({ packageName, pid, user: known.value.user }, signal);
    return opened.ok ? ok({ connection: opened.value, pid }) : opened;
  }

  async #who(signal: AbortSignal): Promise<Result<{ readonly api: number; readonly user: number }>> {
    const facts = await this.facts(signal);
    if (!facts.ok) return facts;
    const now = this.#options.clock.now();
    if (!this.#user || now - this.#user.atMs > USER_KEPT_MS) {
      const read = await readUser(this.#options.connection, signal);
      if (!read.ok) return read;
      this.#user = { id: read.value, atMs: now };
    }
    return ok({ api: facts.value.api, user: this.#user.id });
  }

  #control<T>(
    signal: AbortSignal,
    work: (context: ControlContext) => Promise<Result<T>>,
  ): Promise<Result<T>> {
    const { clock } = this.#options;
    return this.#forUser(signal, (context) => work({ ...context, device: this, clock }));
  }

  async #forUser<T>(
    signal: AbortSignal,
    work: (context: UserContext) => Promise<Result<T>>,
  ): Promise<Result<T>> {
    const known = await this.#who(signal);
    if (!known.ok) return known;
    return work({ connection: this.#options.connection, user: known.value.user });
  }
}
