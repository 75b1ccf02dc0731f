import { expect, test } from 'vitest';
import { inOrder } from '../../src/engine/module-schedule.ts';
import { compileDependencies } from '../../src/engine/plan.ts';
import { emptyFacts } from '../../src/project/build-facts.ts';
import type { ModuleModel } from '../../src/project/model.ts';
import { moduleModel } from '../../src/project/module-model.ts';
import { fail, ok, type Result } from '../../src/shared/outcome.ts';

function module(name: string, ...targets: string[]): ModuleModel {
  const dependencies = targets.map((target) => ({
    configuration: 'implementation' as const,
    kind: 'project' as const,
    target,
  }));
  const facts = { ...emptyFacts(), dependencies };
  return moduleModel({ name, dir: '/p', buildFile: '/p/b', facts, versions: new Map() });
}

const MODULES = [
  module(':a'),
  module(':b', ':a'),
  module(':c', ':a'),
  module(':d'),
  module(':e', ':b', ':c'),
];

/** Runs all modules; each ends when it is told to. Answers what ran, by the names of those that ran beside it. */
async function run(
  failing: readonly string[],
  order: readonly string[],
): Promise<{ begun: string[]; results: (Result<string> | null)[] }> {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const done = inOrder(
    MODULES,
    (one) => compileDependencies(MODULES, one),
    async ({ name }): Promise<Result<string>> => {
      begun.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
      return failing.includes(name) ? fail('COMPILE_ERROR', name) : ok(name);
    },
  );
  for (const name of order) {
    // Whatever is ready has begun after a turn.
    await new Promise((resolve) => setImmediate(resolve));
    ends.get(name)?.();
  }
  return { begun, results: await done };
}

test('modules run side by side, each after those it depends on', async () => {
  const { begun, results } = await run([], [':a', ':c', ':d', ':b', ':e']);
  expect(begun).toEqual([':a', ':d', ':b', ':c', ':e']);
  expect(results.map((result) => result?.ok)).toEqual([true, true, true, true, true]);
});

test('after a failure those before it still run, so that the first failure is always the same', async () => {
  const { begun, results } = await run([':b', ':d'], [':d', ':a', ':b', ':c']);
  expect(begun).toEqual([':a', ':d', ':b', ':c']);
  expect(results.map((result) => result && (result.ok ? 'ok' : result.fault.message))).toEqual([
    'ok',
    ':b',
    'ok',
    ':d',
    null,
  ]);
});

test('what throws ends it, once all have come to their end', async () => {
  await expect(
    inOrder(
      MODULES,
      () => [],
      async ({ name }) => (name === ':b' ? Promise.reject(new Error('bug')) : ok(name)),
    ),
  ).rejects.toThrow('bug');
});
