import type { z } from 'zod';
import { CATALOGUE, FAULT_NAMES, faultHelp, isFaultName } from './catalogue.ts';
import type { FaultInput, FaultName, FaultOptions } from './catalogue.ts';

export interface ActiveFault {
  readonly name: FaultName;
  readonly options: Readonly<Record<string, unknown>>;
  /** Strikes that are left; `null` until cleared. */
  readonly timesLeft: number | null;
}

export type FaultChange =
  | { readonly kind: 'set'; readonly name: FaultName }
  | { readonly kind: 'cleared'; readonly name: FaultName };

interface Entry {
  readonly options: Readonly<Record<string, unknown>>;
  timesLeft: number | null;
  readonly timer: NodeJS.Timeout | null;
}

/** The faults of one device that are set now. Each part of the device asks when it comes to what may go wrong. */
export class Faults {
  readonly #active = new Map<FaultName, Entry>();
  readonly #listeners = new Set<(change: FaultChange) => void>();

  /** Sets a fault; one of that name that is set is replaced. */
  set<N extends FaultName>(name: N, options: FaultInput<N>): void {
    this.#set(name, CATALOGUE[name].options.parse(options));
  }

  /** The same with what a person gave; the value says what is wrong with it, or is `null`. */
  trySet(name: string, options: Readonly<Record<string, unknown>>): string | null {
    if (!isFaultName(name)) return `There is no fault "${name}"; there are ${FAULT_NAMES.join(', ')}.`;
    const parsed = CATALOGUE[name].options.safeParse(options);
    if (!parsed.success) return problem(name, parsed.error);
    this.#set(name, parsed.data);
    return null;
  }

  #set(name: FaultName, options: Readonly<Record<string, unknown>>): void {
    clearTimeout(this.#active.get(name)?.timer ?? undefined);
    const { forMs, times } = options;
    const timer = typeof forMs === 'number' ? setTimeout(() => this.clear(name), forMs) : null;
    timer?.unref();
    this.#active.set(name, { options, timesLeft: typeof times === 'number' ? times : null, timer });
    this.#tell({ kind: 'set', name });
  }

  get<N extends FaultName>(name: N): FaultOptions<N> | null {
    const entry = this.#active.get(name);
    // What is kept under a name was parsed by that name's schema.
    return entry ? (entry.options as FaultOptions<N>) : null;
  }

  /** As {@link get}, and counts as a strike where they are counted: after the last one the fault is gone. */
  strike<N extends FaultName>(name: N): FaultOptions<N> | null {
    const found = this.get(name);
    const entry = this.#active.get(name);
    if (!entry || entry.timesLeft === null) return found;
    entry.timesLeft -= 1;
    if (entry.timesLeft <= 0) this.clear(name);
    return found;
  }

  /** Ends a fault; false when it was not set. */
  clear(name: FaultName): boolean {
    const entry = this.#active.get(name);
    if (!entry) return false;
    clearTimeout(entry.timer ?? undefined);
    this.#active.delete(name);
    this.#tell({ kind: 'cleared', name });
    return true;
  }

  clearAll(): void {
    for (const name of this.#active.keys()) this.clear(name);
  }

  active(): readonly ActiveFault[] {
    return [...this.#active].map(([name, { options, timesLeft }]) => ({ name, options, timesLeft }));
  }

  onChange(listener: (change: FaultChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves when the fault is not set (any more), or when the signal says that nobody waits. */
  async whenCleared(name: FaultName, signal?: AbortSignal): Promise<void> {
    if (!this.#active.has(name) || signal?.aborted) return;
    await new Promise<void>((resolve) => {
      const finish = (): void => {
        stop();
        signal?.removeEventListener('abort', finish);
        resolve();
      };
      const stop = this.onChange((change) => {
        if (change.kind === 'cleared' && change.name === name) finish();
      });
      signal?.addEventListener('abort', finish, { once: true });
    });
  }

  #tell(change: FaultChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}

function problem(name: FaultName, error: z.ZodError): string {
  const what = error.issues
    .map((issue) =>
      issue.code === 'unrecognized_keys'
        ? `unknown option ${issue.keys.join(', ')}`
        : `${issue.path.join('.')}: ${issue.message}`,
    )
    .join('; ');
  const options = faultHelp(name).options.map((option) => `${option.name} (${option.about})`);
  return `${name}: ${what}. Its options: ${options.join(', ')}.`;
}
