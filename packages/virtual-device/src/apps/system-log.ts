import { uidName, UID_SYSTEM } from '../fs/layout.ts';
import type { Logd, LogPriority } from '../system/logd.ts';

/** Why a process is started, in AOSP's words (`HostingRecord`); the class is the component's. */
export interface StartCause {
  readonly kind: 'activity' | 'service' | 'broadcast' | 'content provider' | 'added application';
  readonly className: string | null;
}

const SIGNALS: Readonly<Record<number, string>> = {
  4: 'SIGILL',
  5: 'SIGTRAP',
  6: 'SIGABRT',
  7: 'SIGBUS',
  8: 'SIGFPE',
  11: 'SIGSEGV',
};

/** The lines that the system server of a phone writes when processes and activities come and go. */
export class SystemLog {
  readonly #logd: Logd;
  readonly #pid: number;
  readonly #api: number;
  readonly #now: () => number;

  constructor(logd: Logd, pid: number, api: number, now: () => number) {
    this.#logd = logd;
    this.#pid = pid;
    this.#api = api;
    this.#now = now;
  }

  system(tag: string, message: string, priority: LogPriority = 'I'): void {
    this.#write('system', tag, message, priority);
  }

  event(tag: string, values: readonly (string | number)[]): void {
    this.#write('events', tag, `[${values.join(',')}]`, 'I');
  }

  startRequested(intent: string, callerUid: number, resultCode: number): void {
    this.system(
      'ActivityTaskManager',
      `START u0 {${intent}} with LAUNCH_MULTIPLE from uid ${callerUid} (BAL_ALLOW_PERMISSION) result code=${resultCode}`,
    );
  }

  /** AOSP ProcessList.startProcessLocked: `Start proc <pid>:<name>/<uid> for top-activity {<component>}`. */
  processStarted(pid: number, name: string, uid: number, packageName: string, cause: StartCause): void {
    const { kind, className } = cause;
    const isTop = kind === 'activity' && this.#api >= 29;
    const type = isTop ? 'top-activity' : kind;
    // A test run starts the app as such: there is no component.
    const component = className === null ? packageName : `${packageName}/${className}`;
    const target = this.#api >= 29 && className !== null ? `{${component}}` : component;
    this.system('ActivityManager', `Start proc ${pid}:${name}/${shortUid(uid)} for ${type} ${target}`);
    this.event('am_proc_start', [0, pid, uid, name, type, target]);
  }

  processBound(pid: number, name: string): void {
    this.event('am_proc_bound', [0, pid, name]);
  }

  displayed(component: string, ms: number): void {
    const user = this.#api >= 34 ? ' for user 0' : '';
    this.system('ActivityTaskManager', `Displayed ${component}${user}: +${duration(ms)}`);
    this.event('wm_activity_launch_time', [0, 0, component, Math.round(ms)]);
  }

  forceStopping(packageName: string, uid: number): void {
    this.system(
      'ActivityManager',
      `Force stopping ${packageName} appid=${uid} user=0: from pid ${this.#pid}`,
    );
  }

  killing(pid: number, name: string, uid: number, reason: string): void {
    this.system('ActivityManager', `Killing ${pid}:${name}/${shortUid(uid)} (adj 0): ${reason}`);
    this.event('am_kill', [0, pid, name, 0, reason]);
  }

  died(pid: number, name: string): void {
    this.system('ActivityManager', `Process ${name} (pid ${pid}) has died: fg  TOP`);
    this.event('am_proc_died', [0, pid, name, 0, 2]);
  }

  crashed(pid: number, name: string, exception: string, message: string): void {
    this.event('am_crash', [pid, 0, name, 0, exception, message, 'Unknown', 0]);
    this.system('ActivityTaskManager', `  Force finishing activity of ${name}`, 'W');
  }

  /** What libc's handler and debuggerd write of a crash in native code; a tombstone file there is not. */
  nativeCrash(pid: number, name: string, uid: number, signal: number): void {
    const label = `signal ${signal} (${SIGNALS[signal] ?? 'SIG?'}), code -6 (SI_TKILL)`;
    const thread = name.slice(-15);
    const lines: readonly (readonly [string, string])[] = [
      ['libc', `Fatal ${label} in tid ${pid} (${thread}), pid ${pid} (${thread})`],
      ['DEBUG', '*** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***'],
      ['DEBUG', `pid: ${pid}, tid: ${pid}, name: ${thread}  >>> ${name} <<<`],
      ['DEBUG', `uid: ${uid}`],
      ['DEBUG', `${label}, fault addr --------`],
    ];
    for (const [tag, message] of lines) {
      const by =
        tag === 'libc' ? { uid, pid, tid: pid } : { uid: UID_SYSTEM, pid: this.#pid, tid: this.#pid };
      this.#logd.write({ timeMs: this.#now(), ...by, priority: 'F', tag, message, buffer: 'crash' });
    }
  }

  anr(pid: number, name: string, reason: string): void {
    this.system('ActivityManager', `ANR in ${name}\nPID: ${pid}\nReason: ${reason}`, 'E');
    this.event('am_anr', [0, pid, name, 0, reason]);
  }

  #write(buffer: 'system' | 'events', tag: string, message: string, priority: LogPriority): void {
    this.#logd.write({
      timeMs: this.#now(),
      uid: UID_SYSTEM,
      pid: this.#pid,
      tid: this.#pid,
      priority,
      tag,
      message,
      buffer,
    });
  }
}

/** `u0a133` as ActivityManager writes it, without the underscore of `ps`. */
export function shortUid(uid: number): string {
  return uidName(uid).replace('_', '');
}

/** `+345ms`, `+1s234ms` without the plus (AOSP TimeUtils.formatDuration). */
function duration(ms: number): string {
  const whole = Math.round(ms);
  return whole < 1000 ? `${whole}ms` : `${Math.floor(whole / 1000)}s${whole % 1000}ms`;
}
