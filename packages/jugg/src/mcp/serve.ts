import type { Server } from 'node:http';
import { createRuntime } from '../runtime/create.ts';
import { removeRecord, writeRecord } from '../runtime/discovery.ts';
import { whenIdle } from '../runtime/idle.ts';
import { portHolders } from '../runtime/port-owners.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { loadSettings } from '../runtime/settings.ts';
import { userToken } from '../runtime/token.ts';
import { systemClock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import { fail, ok, type Result } from '../shared/outcome.ts';
import type { JuggDirs } from '../shared/paths.ts';
import { VERSION } from '../shared/version.ts';
import type { HttpCaller } from './caller.ts';
import { HttpFront } from './http.ts';
import { localBackend } from './local-backend.ts';
import { bindFirstFree, FIRST_PORT, LAST_PORT, listenWith } from './ports.ts';
import { buildServer, type ToolBackend } from './server.ts';

export interface RunningServer {
  readonly port: number;
  readonly addresses: readonly string[];
  readonly runtime: Runtime;
  /** Ends when the server has stopped, whoever asked for it. */
  readonly stopped: Promise<void>;
  readonly stop: (reason: string) => Promise<void>;
}

/** Running calls may finish for this long once the server was told to stop. */
const DRAIN_MS = 2000;

/** Starts the HTTP server: bound, known by its discovery file, ready. `PORT_RANGE_FULL` names who holds the ports. */
export async function serve(
  dirs: JuggDirs,
  log: Log,
  options: { readonly exitWhenIdle: boolean },
): Promise<Result<RunningServer>> {
  const { settings, problems } = await loadSettings(null);
  for (const problem of problems) log.warn(problem);
  const token = await userToken(dirs.state);
  const started = new Date();
  let runtime: Runtime | undefined;
  let lastRequest = systemClock.now();
  const backend = ({ trusted, client }: HttpCaller): ToolBackend => {
    if (!runtime) throw new Error('asked before the runtime was made');
    return localBackend(runtime, trusted, client);
  };
  const front = new HttpFront({
    build: (caller) => buildServer(backend(caller), VERSION),
    backend,
    token,
    guards: { allowedHosts: settings.allowedHosts, allowedOrigins: settings.allowedOrigins },
    onRequest: () => {
      lastRequest = systemClock.now();
    },
    onError: (error) => log.error('http', error),
    onStop: (onlyIfIdle) => {
      if (onlyIfIdle && (runtime?.jobs.active ?? 0) > 0) return false;
      // The answer to this very request goes out first.
      setImmediate(() => void stop(onlyIfIdle ? 'a newer jugg takes over' : 'jugg stop'));
      return true;
    },
  });
  const servers = new Set<Server>();
  const bound = await bindFirstFree(listenWith(() => front.createServer(), servers));
  if (!bound.ok) {
    const owners = await portHolders(FIRST_PORT, LAST_PORT);
    const named = Object.entries(owners).map(([port, owner]) => `${port}: ${owner}`);
    return fail(
      'PORT_RANGE_FULL',
      `${bound.fault.message}${named.length > 0 ? ` Held by ${named.join(', ')}.` : ''} Stop one of these programs.`,
      { data: { owners } },
    );
  }
  const { port, addresses } = bound.value;
  front.port = port;
  const startedAt = started.toISOString();
  const info = { kind: 'server' as const, version: VERSION, pid: process.pid, port, startedAt };
  const projects: string[] = [];
  const publish = (): Promise<void> =>
    writeRecord(dirs.state, { port, pid: process.pid, version: VERSION, startedAt, projects });
  const onProject = (projectDir: string): void => {
    projects.push(projectDir);
    if (!stopping) publish().catch((error: unknown) => log.error('discovery file', error));
  };
  let stopping: Promise<void> | undefined;
  runtime = createRuntime({ info, dirs, settings, log, onProject });
  await publish();
  log.info(`ready on port ${port} (${addresses.join(', ')})`);

  let finished = (): void => {};
  const stopped = new Promise<void>((resolve) => {
    finished = resolve;
  });
  const running = runtime;
  const idle = new AbortController();
  if (options.exitWhenIdle) {
    const watch = {
      clock: systemClock,
      idleExitMs: settings.idleExitMs,
      isBusy: () => running.jobs.active > 0,
      lastUse: () => lastRequest,
    };
    void whenIdle(watch, idle.signal).then(() => stop('idle'));
  }

  function stop(reason: string): Promise<void> {
    stopping ??= (async () => {
      log.info(`stopping: ${reason}`);
      idle.abort();
      front.beginClosing();
      await removeRecord(dirs.state, process.pid);
      await running.close();
      await closeAll(servers);
      finished();
    })();
    return stopping;
  }
  return ok({ port, addresses, runtime, stopped, stop });
}

async function closeAll(servers: ReadonlySet<Server>): Promise<void> {
  const closed = [...servers].map(
    (server) =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
        setTimeout(() => server.closeAllConnections(), DRAIN_MS).unref();
      }),
  );
  await Promise.all(closed);
}
