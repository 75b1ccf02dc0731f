import { juggDirs, type JuggDirs } from '../shared/paths.ts';
import type { RuntimeFiles } from '../toolchain/runtime.ts';
import { DirectEngine } from './direct-engine.ts';
import type { Engine } from './types.ts';

/** Makes the engine; nothing is found, read or started before it is used. */
export function createEngine(
  options: {
    readonly dirs?: JuggDirs;
    readonly env?: NodeJS.ProcessEnv;
    readonly log?: (line: string) => void;
    readonly files?: RuntimeFiles;
  } = {},
): Engine {
  return new DirectEngine({
    dirs: options.dirs ?? juggDirs(options.env),
    env: options.env ?? process.env,
    log: options.log ?? (() => {}),
    ...(options.files === undefined ? {} : { files: options.files }),
  });
}
