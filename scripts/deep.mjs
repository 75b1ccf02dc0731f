// npm run test:deep [-- engine|device|server] [--minutes 60] [--seed 1]: random tests, and tests of rare events, by time
// instead of a fixed number. A suite's files read JUGG_DEEP_MINUTES (of each suite) and JUGG_DEEP_SEED (the first seed),
// and print a line that says how much they ran; the files of one with `repeats` are run again and again.
import { join } from 'node:path';
import { run } from './lib/run.mjs';

const root = join(import.meta.dirname, '..');
const SUITES = {
  engine: { files: ['packages/jugg/test/engine/truth.test.ts'] },
  // 10,000 small files once, cycles of an app's life for the rest.
  device: {
    files: [
      'packages/virtual-device/test/adbd/real-adb.test.ts',
      'packages/virtual-device/test/apps/cycles.test.ts',
    ],
  },
  // Ways to lose a client.
  server: {
    files: ['packages/jugg/test/e2e/lost-clients.test.ts', 'packages/jugg/test/mcp/lost-sockets.test.ts'],
    repeats: true,
  },
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
  const { files, repeats = false } = SUITES[name];
  console.error(`${name}: ${minutes} min from seed ${seed}`);
  const end = performance.now() + (repeats ? minutes * 60_000 : 0);
  let rounds = 0;
  do {
    await vitest(files);
    rounds += 1;
  } while (performance.now() < end);
  if (repeats) console.log(`${name}: ${rounds} rounds`);
}

function vitest(files) {
  return run(
    process.execPath,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--mode', 'deep', ...files],
    {
      cwd: root,
      env: { ...process.env, JUGG_DEEP_MINUTES: String(minutes), JUGG_DEEP_SEED: String(seed) },
    },
  );
}
