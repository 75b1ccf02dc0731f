import { join } from 'node:path';
import type {
  AppEvent,
  AppProcessPort,
  AppProcessResult,
  Method,
  ParamsOf,
  ResultOf,
} from '../../src/app-process/types.ts';
import type { ViewNode } from '../../src/app-process/view-node.ts';
import { FIXTURE_PACKAGE } from './fixture-apk.ts';

/** Key codes of android.view.KeyEvent. */
export const KEY = { HOME: 3, BACK: 4, ENTER: 66, DEL: 67 } as const;

/** The request that makes `process` the fixture app's; `dir` holds the app's data, its storage and its sockets. */
export function bindParams(process: AppProcessPort, apk: string, dir: string): ParamsOf<'bind'> {
  return {
    packageName: FIXTURE_PACKAGE,
    processName: FIXTURE_PACKAGE,
    pid: process.pid,
    uid: 10_123,
    apks: [apk],
    dataDir: join(dir, 'data'),
    externalDir: join(dir, 'sdcard'),
    codeCacheDir: join(dir, 'data', 'code_cache'),
    socketDir: join(dir, 's'),
  };
}

/** A process with the fixture app in it, and what tests do with it. */
export class BoundApp {
  readonly process: AppProcessPort;
  readonly socketDir: string;
  readonly events: AppEvent[] = [];
  readonly #waiting = new Set<() => void>();

  constructor(process: AppProcessPort, dir: string) {
    this.process = process;
    this.socketDir = join(dir, 's');
    process.onEvent((event) => {
      this.events.push(event);
      // There is no other app.
      if (event.event === 'findComponent')
        void process.request('componentFound', { id: event.params.id, found: false });
      for (const look of this.#waiting) look();
    });
  }

  /** Binds the APK; for `dir` see {@link bindParams}. */
  static async bind(process: AppProcessPort, apk: string, dir: string): Promise<BoundApp> {
    const app = new BoundApp(process, dir);
    await app.ask('bind', bindParams(process, apk, dir));
    return app;
  }

  /** The answer; throws when it is an error. */
  async ask<M extends Method>(method: M, params: ParamsOf<M>): Promise<ResultOf<M>> {
    const result: AppProcessResult<ResultOf<M>> = await this.process.request(method, params);
    if (!result.ok) throw new Error(`${method}: ${result.fault.code} ${result.fault.message}`);
    return result.value;
  }

  start(activity = '.MainActivity'): Promise<ResultOf<'startActivity'>> {
    return this.ask('startActivity', { component: `${FIXTURE_PACKAGE}/${activity}` });
  }

  /** All nodes of all windows, topmost window last. */
  async nodes(): Promise<ViewNode[]> {
    const { windows } = await this.ask('viewDump', {});
    return windows.flatMap(({ root }) => flatten(root));
  }

  /** The one node with this id name (`count`) or, without one, with this text. */
  async node(idOrText: string): Promise<ViewNode> {
    const nodes = await this.nodes();
    const found =
      nodes.find(({ resourceId }) => resourceId?.endsWith(`:id/${idOrText}`)) ??
      nodes.find(({ text }) => text === idOrText);
    if (!found) throw new Error(`no ${idOrText} in ${nodes.map(({ text }) => text ?? '').join('|')}`);
    return found;
  }

  async text(id: string): Promise<string> {
    return (await this.node(id)).text ?? '';
  }

  async tap(idOrText: string): Promise<ResultOf<'tap'>> {
    const [left, top, right, bottom] = (await this.node(idOrText)).boundsPx;
    return this.ask('tap', { x: (left + right) / 2, y: (top + bottom) / 2 });
  }

  /** Waits for an event that has come or will come. */
  async event(matches: (event: AppEvent) => boolean, timeoutMs = 60_000): Promise<AppEvent> {
    const found = (): AppEvent | undefined => this.events.find(matches);
    const already = found();
    if (already) return already;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(look);
        reject(new Error(`the event did not come in ${timeoutMs} ms`));
      }, timeoutMs);
      const look = (): void => {
        const event = found();
        if (!event) return;
        clearTimeout(timer);
        this.#waiting.delete(look);
        resolve(event);
      };
      this.#waiting.add(look);
    });
  }

  /** The rest of all log messages so far that begin so. */
  said(prefix: string): string[] {
    return this.events.flatMap((event) =>
      event.event === 'log' && event.params.message.startsWith(prefix)
        ? [event.params.message.slice(prefix.length)]
        : [],
    );
  }

  /** The log entry of this tag whose message contains `part`. */
  log(tag: string, part: string): Promise<AppEvent> {
    return this.event(
      (event) => event.event === 'log' && event.params.tag === tag && event.params.message.includes(part),
    );
  }
}

function flatten(node: ViewNode): ViewNode[] {
  return [node, ...node.children.flatMap(flatten)];
}
