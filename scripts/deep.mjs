// npm run test:deep [-- engine] [--minutes 60] [--seed 1]: random tests by time instead of a fixed number.
// Each suite is a list of test files that read JUGG_DEEP_MINUTES (of each suite) and JUGG_DEEP_SEED (the first seed),
// and print a line that says how much they ran.
import { join } from 'node:path';
import { run } from './lib/run.mjs';

const root = join(import.meta.dirname, '..');
const SUITES = {
  engine: ['packages/jugg/test/engine/truth.test.ts'],
  device: ['packages/virtual-device/test/apps/cycles.test.ts'],
};

const args = process.argv.slice(2);
const option = (name, otherwise) => {
  const at = args.indexOf(`--${name}`);
  if (at < 0) return otherwise;
  const [, value] = args.splice(at, 2);
  const number = Number(value);
  if (Number.isFinite(number) && number > 0) return number;
  console.error(`--${name}: got "${value ?? ''}", expected a number above 0`);
  process.exit(2);
};
const minutes = option('minutes', 10);
// Another one every day, so that a nightly run does not play the same scripts again.
const seed = option('seed', Math.floor(Date.now() / 86_400_000));
const unknown = args.filter((name) => !(name in SUITES));
if (unknown.length > 0) {
  console.error(`no such suite: ${unknown.join(', ')}; expected ${Object.keys(SUITES).join(', ')}`);
  process.exit(2);
}

for (const name of args.length > 0 ? args : Object.keys(SUITES)) {
  console.error(`${name}: ${minutes} min from seed ${seed}`);
  await run(
    process.execPath,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--mode', 'deep', ...SUITES[name]],
    {
      cwd: root,
      env: { ...process.env, JUGG_DEEP_MINUTES: String(minutes), JUGG_DEEP_SEED: String(seed) },
    },
  );
}
