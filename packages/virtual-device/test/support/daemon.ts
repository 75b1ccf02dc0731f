import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));

/** The daemon as one file, as it is shipped. */
export async function bundleDaemon(folder: string): Promise<string> {
  const file = join(folder, 'virtual-device.mjs');
  await build({
    entryPoints: [join(here, '..', '..', 'src', 'main.ts')],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    logLevel: 'error',
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
  return file;
}

export interface Daemon {
  readonly process: ChildProcess;
  /** The first line on its standard output. */
  readonly said: Promise<Record<string, unknown>>;
  readonly exit: Promise<number | null>;
}

/** Starts a daemon with a spec file beside its state folder. */
export async function startDaemon(program: string, spec: Record<string, unknown>): Promise<Daemon> {
  const folder = String(spec['stateDir']);
  const file = join(folder, `${String(spec['name'])}.spec`);
  await writeFile(file, JSON.stringify(spec));
  // A killed daemon leaves its sockets: they go with the test's folder.
  const env = { ...process.env, XDG_RUNTIME_DIR: folder };
  const child = spawn(process.execPath, [program, file], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const said = new Promise<Record<string, unknown>>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const end = output.indexOf('\n');
      if (end >= 0) resolve(JSON.parse(output.slice(0, end)));
    });
    child.once('close', (code) => reject(new Error(`the daemon ended with ${code ?? 'a signal'}`)));
  });
  // Who does not wait for the line does not want to hear of its absence.
  said.catch(() => {});
  child.stderr.resume();
  const exit = new Promise<number | null>((resolve) => {
    child.once('exit', (code) => resolve(code));
  });
  return { process: child, said, exit };
}

export async function temporaryFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'vd-daemon-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
