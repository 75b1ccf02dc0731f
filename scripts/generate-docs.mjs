// Writes docs/tool-reference.md and docs/reference from the sources; with --check only says what is stale.
import { build } from 'esbuild';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { tmpdir } from 'node:os';
import { pathToFileURL } from 'node:url';

const root = join(import.meta.dirname, '..');
const target = join(root, 'docs');
const generated = join(target, 'reference');
const check = process.argv.includes('--check');

const temporary = await mkdtemp(join(tmpdir(), 'jugg-docs-'));
let files;
try {
  const outfile = join(temporary, 'docs.mjs');
  await build({
    entryPoints: [join(root, 'packages/jugg/src/cli/docs/generate.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    logLevel: 'warning',
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
  const { referenceFiles } = await import(pathToFileURL(outfile).href);
  files = referenceFiles(await readFile(join(target, 'topics', 'protocol.md'), 'utf8'));
} finally {
  await rm(temporary, { recursive: true, force: true });
}

const stale = [];
for (const [name, content] of Object.entries(files)) {
  const path = join(target, name);
  if ((await readFile(path, 'utf8').catch(() => '')) === content) continue;
  stale.push(name);
  if (check) continue;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}
for (const entry of await readdir(generated, { recursive: true, withFileTypes: true }).catch(() => [])) {
  const name = relative(target, join(entry.parentPath, entry.name)).replaceAll('\\', '/');
  if (!entry.isFile() || name in files) continue;
  stale.push(name);
  if (!check) await rm(join(target, name));
}
if (check && stale.length > 0) {
  console.error(`stale in docs (npm run docs writes them): ${stale.join(', ')}`);
  process.exit(1);
}
