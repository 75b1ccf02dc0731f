import { build } from 'esbuild';

/** Bundles a script of a test with the sources it uses into `folder`, as `<its name>.mjs`: a child process can run it. */
export async function bundleForTest(script: string, folder: string): Promise<void> {
  await build({
    entryPoints: [script],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    logLevel: 'warning',
    // Some libraries are CommonJS inside and call require for Node's own modules.
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
}
