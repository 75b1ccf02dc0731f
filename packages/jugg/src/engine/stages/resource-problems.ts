import { readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { JAVA_KEYWORDS } from '../java-source.ts';
import type { Diagnostic } from '../types.ts';
import type { FlatFiles, ResourceFile } from './resource-files.ts';
import { rName } from './resource-symbols.ts';

/** https://developer.android.com/guide/topics/resources/providing-resources, table 1; `transition`, `interpolator`, `navigation` beside it. */
const TYPES: ReadonlySet<string> = new Set(
  'anim animator color drawable font interpolator layout menu mipmap navigation raw transition values xml'.split(
    ' ',
  ),
);

/** Types whose names may be declared again and again: ids where they are used, attributes in several styleables. */
const SHARED: ReadonlySet<string> = new Set(['id', 'attr']);

/** What is wrong with the places and names of resource files, which aapt2 takes and the Android plug-in's merger refuses. */
export function namingProblems(files: readonly ResourceFile[]): Diagnostic[] {
  return files.flatMap(({ path }) => {
    const problem = namingProblem(path);
    return problem === null ? [] : [at(path, null, problem)];
  });
}

function namingProblem(path: string): string | null {
  const folder = basename(dirname(path));
  const type = folder.split('-')[0] ?? '';
  if (!TYPES.has(type)) {
    return `${folder} is no folder for resources: its name has to begin with one of ${[...TYPES].join(', ')}.`;
  }
  if (type === 'values') return null;
  const name = basename(path).split('.')[0] ?? '';
  if (/[^a-z0-9_]/.test(name))
    return `The name of a resource file may hold lowercase letters, digits and underscores only: ${basename(path)}.`;
  if (!/^[a-z_]/.test(name))
    return `The name of a resource file has to begin with a letter: ${basename(path)}.`;
  return JAVA_KEYWORDS.has(name) ? `A resource cannot be called ${name}, which is a word of Java's.` : null;
}

/**
 * Names that cannot be members of R, names that are declared twice for the same configuration in one `res` folder, and names
 * that R would spell alike: to aapt2 and to the Android plug-in's merger `a.b` and `a_b` are two resources, but the
 * plug-in's table of symbols holds no two for one field ("Duplicate symbol in table", `SymbolTable.Builder`).
 */
export async function declarationProblems(
  files: readonly ResourceFile[],
  flats: FlatFiles,
): Promise<Diagnostic[]> {
  const first = new Map<string, string>();
  const fields = new Map<string, { readonly symbol: string; readonly path: string }>();
  const problems: Diagnostic[] = [];
  for (const { path, root } of files) {
    const [folderType = '', ...qualifiers] = basename(dirname(path)).split('-');
    for (const symbol of flats[path]?.symbols ?? []) {
      const [type = '', name = ''] = symbol.split('/');
      if (folderType === 'values' && JAVA_KEYWORDS.has(rName(name))) {
        const message = `A resource cannot be called ${name}, which is a word of Java's.`;
        problems.push(at(path, await lineOf(path, name), message));
      }
      const field = fields.get(rName(symbol));
      if (field === undefined) fields.set(rName(symbol), { symbol, path });
      else if (field.symbol !== symbol) {
        const message = `${symbol} and ${field.symbol} (in ${field.path}) would both be R.${type}.${rName(name)}.`;
        problems.push(at(path, await lineOf(path, name), message));
      }
      if (SHARED.has(type)) continue;
      const key = `${root}\n${qualifiers.join('-')}\n${symbol}`;
      const other = first.get(key);
      if (other === undefined) first.set(key, path);
      else {
        const message = `Duplicate resources: ${symbol} is also in ${other}.`;
        problems.push(at(path, await lineOf(path, name), message));
      }
    }
  }
  return problems;
}

/** Where a values file declares the name; `null` for files that are a resource themselves. */
async function lineOf(path: string, name: string): Promise<number | null> {
  if (!basename(dirname(path)).startsWith('values')) return null;
  const text = await readFile(path, 'utf8').catch(() => '');
  const declares = (line: string): boolean =>
    [...line.matchAll(/\bname\s*=\s*["']([^"']+)["']/g)].some((match) => match[1] === name);
  const index = text.split('\n').findIndex(declares);
  return index < 0 ? null : index + 1;
}

function at(file: string, line: number | null, message: string): Diagnostic {
  return { severity: 'error', tool: 'engine', file, line, column: null, message };
}
