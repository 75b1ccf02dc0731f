import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { digest } from '../../project/changes.ts';
import type { ModuleModel } from '../../project/model.ts';
import { buildConfigSource } from './build-config.ts';
import { rClassSource, type RSymbol } from './r-class.ts';

/**
 * Writes `R.java` and `BuildConfig.java` of a module, each only when its content changed, and answers their digests by
 * path. `owned` are the symbols of the module's R class.
 */
export async function writeGeneratedSources(
  module: ModuleModel,
  dir: string,
  symbols: readonly RSymbol[],
  owned: ReadonlySet<string>,
  options: { readonly nonFinal: boolean; readonly variant: string },
): Promise<Record<string, string>> {
  const { namespace } = module;
  if (module.kind === 'java' || namespace === null) return {};
  const folder = join(dir, ...namespace.split('.'));
  const r = rClassSource(namespace, symbols, (symbol) => owned.has(symbol), options.nonFinal);
  const hashes: Record<string, string> = { [join(folder, 'R.java')]: await write(join(folder, 'R.java'), r) };
  const config = join(folder, 'BuildConfig.java');
  if (module.buildConfig) hashes[config] = await write(config, buildConfigSource(module, options.variant));
  else await rm(config, { force: true });
  return hashes;
}

async function write(path: string, text: string): Promise<string> {
  const old = await readFile(path, 'utf8').catch(() => null);
  if (old !== text) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  return digest(text);
}
