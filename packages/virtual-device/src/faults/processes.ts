import type {
  AppEvent,
  AppProcessPoolPort,
  AppProcessPort,
  AppProcessResult,
  Method,
  ParamsOf,
  ProcessExit,
  RequestOptions,
  ResultOf,
} from '../app-process/types.ts';
import type { FaultOptions } from './catalogue.ts';
import type { Faults } from './faults.ts';

type Phase = FaultOptions<'kill-app'>['phase'];

/** Requests at which a process can be made to die, before they are answered. */
const BEFORE: Partial<Record<Method, Phase>> = {
  bind: 'bind',
  startActivity: 'start',
  tap: 'input',
  swipe: 'input',
  text: 'input',
  key: 'input',
  attachAgent: 'agent',
  background: 'background',
};

/** A pool whose processes have the faults of the device. */
export function faultyPool(pool: AppProcessPoolPort, faults: Faults): AppProcessPoolPort {
  return {
    async take(options) {
      const taken = await pool.take(options);
      return taken.ok ? { ok: true, value: new FaultyProcess(taken.value, faults) } : taken;
    },
    prepare: (apks) => pool.prepare(apks),
    setConfig: (config) => pool.setConfig(config),
    close: () => pool.close(),
  };
}

class FaultyProcess implements AppProcessPort {
  readonly pid: number;
  readonly stderrFile: string;
  readonly exited: Promise<ProcessExit>;
  readonly #process: AppProcessPort;
  readonly #faults: Faults;
  #packageName = '';

  constructor(process: AppProcessPort, faults: Faults) {
    this.#process = process;
    this.#faults = faults;
    this.pid = process.pid;
    this.stderrFile = process.stderrFile;
    this.exited = process.exited;
  }

  async request<M extends Method>(
    method: M,
    params: ParamsOf<M>,
    options?: RequestOptions,
  ): Promise<AppProcessResult<ResultOf<M>>> {
    if ('packageName' in params && typeof params.packageName === 'string')
      this.#packageName = params.packageName;
    if (this.#dies(BEFORE[method])) await this.#process.kill();
    if (method === 'attachAgent') {
      const refused = this.#faults.strike('agent-refused');
      if (refused) return { ok: false, fault: { code: 'AGENT_REFUSED', message: refused.message } };
    }
    const answer = await this.#process.request(method, params, options);
    if (method === 'startActivity' && answer.ok && this.#dies('resumed')) await this.#process.kill();
    return answer;
  }

  onEvent(listener: (event: AppEvent) => void): () => void {
    return this.#process.onEvent((event) => listener(this.#shifted(event)));
  }

  kill(): Promise<void> {
    return this.#process.kill();
  }

  #dies(phase: Phase | undefined): boolean {
    const fault = this.#faults.get('kill-app');
    if (!fault || phase === undefined || fault.phase !== phase) return false;
    if (fault.package !== undefined && fault.package !== this.#packageName) return false;
    return this.#faults.strike('kill-app') !== null;
  }

  /** logd stamps what an app says with the device's clock. */
  #shifted(event: AppEvent): AppEvent {
    const jump = this.#faults.get('clock-jump');
    if (!jump || event.event !== 'log') return event;
    return { event: 'log', params: { ...event.params, timeMs: event.params.timeMs + jump.ms } };
  }
}
