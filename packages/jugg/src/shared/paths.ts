import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface JuggDirs {
  /** Discovery files, projects, baselines, jobs, the token. */
  readonly state: string;
  /** What can be made again: unpacked tools, class-data archives, translated dex files. */
  readonly cache: string;
  readonly logs: string;
  /** Files written for a call; kept 7 days or 500 MB. */
  readonly artifacts: string;
}

/**
 * Jugg's folders for this user (contract §2): XDG on Linux, `~/Library/Application Support/jugg` on macOS,
 * `%LOCALAPPDATA%\jugg` on Windows. `JUGG_HOME` puts all of them below one folder, for tests and sandboxes;
 * `JUGG_CACHE_DIR` keeps the cache elsewhere, so that such sandboxes share what is slow to make.
 */
export function juggDirs(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): JuggDirs {
  const under = (base: string, cache = join(base, 'cache')): JuggDirs => ({
    state: join(base, 'state'),
    cache,
    logs: join(base, 'logs'),
    artifacts: join(base, 'artifacts'),
  });
  const own = env['JUGG_HOME'];
  if (own) return under(own, env['JUGG_CACHE_DIR'] || join(own, 'cache'));
  if (platform === 'win32')
    return under(join(env['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local'), 'jugg'));
  if (platform === 'darwin') return under(join(homedir(), 'Library', 'Application Support', 'jugg'));
  const state = env['XDG_STATE_HOME'] || join(homedir(), '.local', 'state');
  const cache = env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  return under(join(state, 'jugg'), join(cache, 'jugg'));
}

/** Folder for sockets: Unix socket paths are limited to about 104 bytes, so it must be short. */
export function socketDir(env: NodeJS.ProcessEnv = process.env): string {
  return env['XDG_RUNTIME_DIR'] || tmpdir();
}

/**
 * A file that Jugg ships: `jars/inspector.jar`, `virtual-device.mjs`, … The same for the bundle (`dist/jugg.mjs`) and
 * for the sources (`src/shared/paths.ts`), as long as `npm run setup` has built `dist/`.
 */
export function shippedFile(relative: string): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const fromSources = here.replaceAll('\\', '/').endsWith('/src/shared');
  return fromSources ? join(here, '..', '..', 'dist', relative) : join(here, relative);
}
