import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Bench } from './support.ts';
import { Director } from './truth/director.ts';
import { play, written } from './truth/play.ts';
import { scriptSchema } from './truth/script.ts';
import { shrink } from './truth/shrink.ts';

/** Scripts that once went wrong, as small as they could be made. */
const KEPT = join(import.meta.dirname, 'truth', 'kept');

const isDeep = process.env['MODE'] === 'deep';
const minutes = Number(process.env['JUGG_DEEP_MINUTES'] ?? 10);
const firstSeed = Number(process.env['JUGG_DEEP_SEED'] ?? 1);

/** Of an ordinary run: always the same ones, so that a red build is one that its change has made red. */
const SEEDS = Array.from({ length: 12 }, (_, index) => index + 1);
const STEPS = 10;

// A script takes half a minute; a busy machine is no failure.
const LIMIT_MS = 600_000;

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open({});
});
afterAll(async () => bench.close());

describe.skipIf(isDeep)(
  'after any edits the app is what a clean build makes, and what explain said',
  async () => {
    test.each(await readdir(KEPT))(
      'kept: %s',
      async (name) => {
        const script = scriptSchema.parse(JSON.parse(await readFile(join(KEPT, name), 'utf8')));
        const { failure } = await play(bench, written(script), script.steps.length);
        expect(failure).toBeNull();
      },
      LIMIT_MS,
    );

    test.each(SEEDS)(
      'made up from seed %i',
      async (seed) => {
        const { failure, script } = await play(bench, new Director(seed), STEPS);
        expect(failure).toBeNull();
        expect(script.steps).toHaveLength(STEPS);
      },
      LIMIT_MS,
    );
  },
);

test.runIf(isDeep)(
  'as many scripts as there is time for',
  async () => {
    const ends = performance.now() + minutes * 60_000;
    const sum = { scripts: 0, steps: 0, rejected: 0, cleanBuilds: 0 };
    const failures: string[] = [];
    for (let seed = firstSeed * 10_000; performance.now() < ends; seed++) {
      const steps = 5 + (seed % 30);
      const played = await play(bench, new Director(seed), steps);
      sum.scripts += 1;
      sum.steps += played.script.steps.length;
      sum.rejected += played.rejected;
      sum.cleanBuilds += played.cleanBuilds;
      if (played.failure === null) continue;
      console.log(`seed ${seed}: ${played.failure}`);
      // As long as it has taken to find it, and not for ever.
      const shrinkUntil = performance.now() + Math.max(120_000, minutes * 10_000);
      const small = await shrink(bench, played, () => performance.now() > shrinkUntil);
      await mkdir(KEPT, { recursive: true });
      const file = join(KEPT, `seed-${seed}.json`);
      await writeFile(file, `${JSON.stringify(small, null, 2)}\n`);
      failures.push(`seed ${seed}: ${small.about} (kept as ${file})`);
    }
    console.log(
      `engine: ${sum.scripts} scripts, ${sum.steps} edits of which ${sum.rejected} were rejected, ${sum.cleanBuilds} clean builds of all; ${failures.length} failures`,
    );
    expect(failures).toEqual([]);
  },
  // Shrinking goes on after the end.
  (minutes * 2 + 30) * 60_000,
);
