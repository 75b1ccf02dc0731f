import type { Adbd } from '../adbd/server.ts';
import type { Services } from '../services/services.ts';
import type { FaultName } from './catalogue.ts';
import type { Faults } from './faults.ts';

const FLOOD_TICK_MS = 50;
const BOOTED = ['sys.boot_completed', 'dev.bootcomplete', 'service.bootanim.exit'] as const;

/** What faults do by themselves, beside what each part of the device asks for. Returns how to stop. */
export function startEffects(faults: Faults, adbd: Adbd, services: Services): () => void {
  const running = new Map<FaultName, () => void>();
  const begin: Partial<Record<FaultName, () => () => void>> = {
    offline: () => reconnect(adbd),
    unauthorized: () => reconnect(adbd),
    vanish: () => away(adbd),
    'boot-loop': () => bootLoop(faults, adbd, services),
    'log-flood': () => flood(faults, services),
  };
  const stop = faults.onChange(({ kind, name }) => {
    running.get(name)?.();
    running.delete(name);
    const end = kind === 'set' ? begin[name]?.() : undefined;
    if (end) running.set(name, end);
  });
  return () => {
    stop();
    for (const end of running.values()) end();
  };
}

/** Who is connected has to come anew, now and when it is over. */
function reconnect(adbd: Adbd): () => void {
  adbd.disconnectAll();
  return () => adbd.disconnectAll();
}

function away(adbd: Adbd): () => void {
  void adbd.setReachable(false);
  return () => void adbd.setReachable(true);
}

/** Up without a system server, gone, up again … */
function bootLoop(faults: Faults, adbd: Adbd, services: Services): () => void {
  const { properties, apps, log } = services;
  for (const name of BOOTED) properties.set(name, '');
  properties.set('init.svc.bootanim', 'running');
  for (const app of apps.all()) void apps.kill(app, 'shutdown');
  let timer: NodeJS.Timeout | undefined;
  const turn = (up: boolean): void => {
    void adbd.setReachable(up);
    if (up) log.system('Zygote', 'Exit zygote because system server (pid 1204) has terminated', 'E');
    const options = faults.get('boot-loop');
    timer = setTimeout(() => turn(!up), up ? options?.upMs : options?.downMs);
    timer.unref();
  };
  turn(false);
  return () => {
    clearTimeout(timer);
    for (const name of BOOTED) properties.set(name, '1');
    properties.set('init.svc.bootanim', 'stopped');
    void adbd.setReachable(true);
  };
}

function flood(faults: Faults, services: Services): () => void {
  const { logd, systemPid } = services;
  let owed = 0;
  let line = 0;
  const timer = setInterval(() => {
    const { linesPerSecond = 0, tag = 'Flood' } = faults.get('log-flood') ?? {};
    for (owed += (linesPerSecond * FLOOD_TICK_MS) / 1000; owed >= 1; owed--) {
      const entry = { timeMs: services.now(), uid: 1000, pid: systemPid, tid: systemPid, tag } as const;
      logd.write({ ...entry, priority: 'D', message: `line ${++line} of a flood`, buffer: 'main' });
    }
  }, FLOOD_TICK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
