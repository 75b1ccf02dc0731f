import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { juggDirs } from '../shared/paths.ts';

const PREFIX = 'jugg://artifact/';

/** Folders whose files may be read through a link, by the word that begins the id. */
function folders(): Readonly<Record<string, string>> {
  const dirs = juggDirs();
  return { file: dirs.artifacts, job: join(dirs.state, 'jobs'), log: dirs.logs };
}

/** `jugg://artifact/<id>` for a file that Jugg wrote; `undefined` for any other. */
export function artifactUri(path: string): { href: string; name: string } | undefined {
  const found = Object.entries(folders()).find(([, folder]) => dirname(path) === folder);
  return (
    found && { href: `${PREFIX}${found[0]}-${encodeURIComponent(basename(path))}`, name: basename(path) }
  );
}

/** Content of the file behind a link; `undefined` for one that is not there, or not ours to give. */
export async function readArtifact(uri: string): Promise<{ bytes: Buffer; mimeType: string } | undefined> {
  if (!uri.startsWith(PREFIX)) return undefined;
  const [, word = '', encoded = ''] = /^([a-z]+)-(.+)$/.exec(uri.slice(PREFIX.length)) ?? [];
  const folder = folders()[word];
  const name = safeName(encoded);
  if (!folder || !name) return undefined;
  try {
    return { bytes: await readFile(join(folder, name)), mimeType: mimeType(name) };
  } catch {
    return undefined;
  }
}

function safeName(encoded: string): string | undefined {
  try {
    const name = decodeURIComponent(encoded);
    return /[\\/]/.test(name) || name.startsWith('.') ? undefined : name;
  } catch {
    return undefined;
  }
}

function mimeType(name: string): string {
  if (name.endsWith('.png')) return 'image/png';
  if (name.endsWith('.html')) return 'text/html';
  if (name.endsWith('.json')) return 'application/json';
  return 'text/plain';
}
