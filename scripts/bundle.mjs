// Builds packages/jugg/dist: the CLI with all its libraries, the virtual device's daemon, the command table. Run by setup.mjs.
import { build } from 'esbuild';
import { cp, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'packages/jugg/dist');
const DAY_MS = 86_400_000;

const common = {
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  splitting: true,
  chunkNames: 'chunk-[hash]',
  outExtension: { '.js': '.mjs' },
  outdir: dist,
  legalComments: 'linked',
  logLevel: 'warning',
  // Some libraries are CommonJS inside and call require for Node's own modules.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
};

export async function bundle() {
  await mkdir(dist, { recursive: true });
  const { metafile } = await build({
    ...common,
    metafile: true,
    entryPoints: {
      jugg: join(root, 'packages/jugg/src/cli/jugg.ts'),
      'virtual-device': join(root, 'packages/virtual-device/src/main.ts'),
      'generate-table': join(root, 'packages/jugg/src/cli/generate-table.ts'),
    },
  });
  const { commandTable } = await import(pathToFileURL(join(dist, 'generate-table.mjs')).href);
  await writeFile(join(dist, 'cli-table.json'), JSON.stringify(commandTable()));
  await rm(join(dist, 'generate-table.mjs'));
  await removeOldChunks(new Set(Object.keys(metafile.outputs).map((path) => basename(path))));
  await rm(join(dist, 'samples'), { recursive: true, force: true });
  await cp(join(root, 'docs/topics'), join(dist, 'docs'), { recursive: true });
  const skipped = /(^|[\\/])(build|\.gradle|\.idea|local\.properties)$/;
  await cp(join(root, 'samples'), join(dist, 'samples'), {
    recursive: true,
    filter: (from) => !skipped.test(from),
  });
}

/** Chunks of earlier bundles go when they are a day old: a program that runs since then may load some yet. */
async function removeOldChunks(current) {
  for (const name of await readdir(dist)) {
    if (!name.startsWith('chunk-') || current.has(name)) continue;
    const path = join(dist, name);
    if (Date.now() - (await stat(path)).mtimeMs > DAY_MS) await rm(path);
  }
}

/** Copies the lists of what is resolved at run time: with them Jugg can fetch before its own jars are built. */
export async function copyLists() {
  await mkdir(join(dist, 'runtime'), { recursive: true });
  for (const name of ['compile-host', 'virtual-device']) {
    await cp(join(root, `jvm/${name}/runtime-artifacts.json`), join(dist, `runtime/${name}.json`));
  }
}

/** Copies what Maven built. */
export async function copyJars() {
  await mkdir(join(dist, 'jars'), { recursive: true });
  for (const name of ['inspector', 'compile-host', 'virtual-device']) {
    await cp(join(root, `jvm/${name}/target/${name}.jar`), join(dist, `jars/${name}.jar`), {
      preserveTimestamps: true,
    });
  }
}
