import type { WorkContext } from '../shared/progress.ts';

/** A work context that also measures its phases. */
export interface TimedWork extends WorkContext {
  /** Milliseconds by phase so far, the running one included. */
  timings(): Record<string, number>;
}

export function timedWork(work: WorkContext, now: () => number = () => performance.now()): TimedWork {
  const spent = new Map<string, number>();
  let current: { name: string; since: number } | null = null;
  const settle = (): void => {
    if (current === null) return;
    const at = now();
    spent.set(current.name, (spent.get(current.name) ?? 0) + (at - current.since));
    current = { name: current.name, since: at };
  };
  return {
    signal: work.signal,
    phase: (name, percent) => {
      settle();
      current = { name, since: now() };
      work.phase(name, percent);
    },
    log: (line) => work.log(line),
    timings: () => {
      settle();
      return Object.fromEntries([...spent].map(([name, ms]) => [name, Math.round(ms)]));
    },
  };
}
