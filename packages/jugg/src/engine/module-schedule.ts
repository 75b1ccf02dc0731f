import type { ModuleModel } from '../project/model.ts';
import type { Result } from '../shared/outcome.ts';

/** Kotlin's compiler takes one module at a time; javac and the work around both compilers go on beside it. */
const AT_ONCE = 3;

/**
 * Runs `work` on each module once all that `upstream` names for it are done, several at a time. `modules` has dependencies
 * first; `null` for a module that was not begun. After a failure no module behind it in that order is begun any more, those before it are: so the first failure
 * of the answer is always the same one.
 */
export async function inOrder<T>(
  modules: readonly ModuleModel[],
  upstream: (module: ModuleModel) => readonly ModuleModel[],
  work: (module: ModuleModel) => Promise<Result<T>>,
): Promise<(Result<T> | null)[]> {
  const results: (Result<T> | null)[] = modules.map(() => null);
  const slots = new Slots(AT_ONCE);
  let failedAt = Number.POSITIVE_INFINITY;
  const done = new Map<string, Promise<boolean>>();
  const run = async (module: ModuleModel, index: number): Promise<boolean> => {
    const before = await Promise.all(upstream(module).flatMap(({ name }) => done.get(name) ?? []));
    if (before.includes(false)) return false;
    return slots.with(async () => {
      if (index > failedAt) return false;
      const result = await work(module);
      results[index] = result;
      if (!result.ok) failedAt = Math.min(failedAt, index);
      return result.ok;
    });
  };
  for (const [index, module] of modules.entries()) done.set(module.name, run(module, index));
  // Also when one throws: nothing of this build may go on behind its answer.
  const ends = await Promise.allSettled(done.values());
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return results;
}

class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  async with<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }
}
