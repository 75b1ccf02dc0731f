// Builds packages/jugg/dist: the CLI with all its libraries, the virtual device's daemon, the command table. Run by setup.mjs.
import { build } from 'esbuild';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'packages/jugg/dist');

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
  await build({
    ...common,
    entryPoints: {
      jugg: join(root, 'packages/jugg/src/cli/jugg.ts'),
      'virtual-device': join(root, 'packages/virtual-device/src/main.ts'),
      'generate-table': join(root, 'packages/jugg/src/cli/generate-table.ts'),
    },
  });
  const { commandTable } = await import(pathToFileURL(join(dist, 'generate-table.mjs')).href);
  await writeFile(join(dist, 'cli-table.json'), JSON.stringify(commandTable()));
  await rm(join(dist, 'generate-table.mjs'));
  await rm(join(dist, 'samples'), { recursive: true, force: true });
  await cp(join(root, 'docs/topics'), join(dist, 'docs'), { recursive: true });
  const skipped = /(^|[\\/])(build|\.gradle|\.idea|local\.properties)$/;
  await cp(join(root, 'samples'), join(dist, 'samples'), {
    recursive: true,
    filter: (from) => !skipped.test(from),
  });
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
