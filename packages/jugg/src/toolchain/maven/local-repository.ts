import { readFile, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { SaxesParser } from 'saxes';

export interface MavenPlaces {
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
  /** Absolute path of `mvn`, when there is one. */
  readonly mvn: string | null;
}

/**
 * The user's local Maven repository, found without starting Maven: `-Dmaven.repo.local` in `MAVEN_ARGS` or `MAVEN_OPTS`,
 * `localRepository` of the user's settings, then of the installation's, else `~/.m2/repository`
 * (Maven's settings reference).
 */
export async function localRepository(places: MavenPlaces): Promise<string> {
  const { env, home } = places;
  for (const name of ['MAVEN_ARGS', 'MAVEN_OPTS']) {
    const value = /(?:^|\s)-Dmaven\.repo\.local=(?:"([^"]+)"|(\S+))/.exec(env[name] ?? '');
    const path = value?.[1] ?? value?.[2];
    if (path) return path;
  }
  for (const settings of await settingsFiles(places)) {
    const text = await readFile(settings, 'utf8').catch(() => null);
    const path = text === null ? null : localRepositoryIn(text);
    if (path) return interpolate(path, env, home);
  }
  return join(home, '.m2', 'repository');
}

export function defaultPlaces(env: NodeJS.ProcessEnv, mvn: string | null): MavenPlaces {
  return { env, home: homedir(), mvn };
}

async function settingsFiles({ env, home, mvn }: MavenPlaces): Promise<string[]> {
  const files = [join(home, '.m2', 'settings.xml')];
  const installed = env['MAVEN_HOME'] ?? env['M2_HOME'];
  if (installed) files.push(join(installed, 'conf', 'settings.xml'));
  if (mvn !== null) {
    const real = await realpath(mvn).catch(() => mvn);
    files.push(join(dirname(dirname(real)), 'conf', 'settings.xml'));
  }
  return files;
}

/** Text of `/settings/localRepository`; null when it is not there or the file is not well formed. */
function localRepositoryIn(xml: string): string | null {
  const parser = new SaxesParser();
  const path: string[] = [];
  let found = '';
  let broken = false;
  parser.on('opentag', (tag) => path.push(tag.name));
  parser.on('closetag', () => path.pop());
  parser.on('text', (text) => {
    if (path.join('/') === 'settings/localRepository') found += text;
  });
  parser.on('error', () => {
    broken = true;
  });
  parser.write(xml).close();
  return broken || found.trim() === '' ? null : found.trim();
}

function interpolate(path: string, env: NodeJS.ProcessEnv, home: string): string {
  return path.replaceAll(/\$\{([^}]+)\}/g, (whole, name: string) => {
    if (name === 'user.home') return home;
    if (name.startsWith('env.')) return env[name.slice('env.'.length)] ?? whole;
    return whole;
  });
}
