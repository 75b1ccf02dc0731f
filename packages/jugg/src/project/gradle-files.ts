import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { DslLanguage } from './dsl/lexer.ts';

/** A Gradle file as found: Groovy wins when both exist, as in Gradle itself. */
export interface GradleFile {
  readonly path: string;
  readonly language: DslLanguage;
  readonly text: string;
}

/** Reads `<dir>/<name>.gradle`, else `<dir>/<name>.gradle.kts`; `null` when there is neither. */
export async function readGradleFile(dir: string, name: 'settings' | 'build'): Promise<GradleFile | null> {
  const candidates = [
    [`${name}.gradle`, 'groovy'],
    [`${name}.gradle.kts`, 'kotlin'],
  ] as const;
  for (const [fileName, language] of candidates) {
    const path = join(dir, fileName);
    const text = await textOrNull(path);
    if (text !== null) return { path, language, text };
  }
  return null;
}

/** The nearest folder upwards, `dir` itself included, with a Gradle settings file. */
export async function findProjectRoot(dir: string): Promise<string | null> {
  for (let at = dir; ; at = dirname(at)) {
    for (const name of ['settings.gradle', 'settings.gradle.kts']) {
      if (await isFile(join(at, name))) return at;
    }
    if (dirname(at) === at) return null;
  }
}

/** `gradle.properties` as name and value; escapes other than of line ends do not occur in names Jugg asks for. */
export function parseProperties(text: string): Map<string, string> {
  const values = new Map<string, string>();
  for (const line of text.replace(/\\\r?\n[ \t]*/g, '').split(/\r?\n/)) {
    const match = /^\s*([^#!\s=:][^\s=:]*)\s*[=:\s]\s*(.*)$/.exec(line);
    if (match?.[1] !== undefined) values.set(match[1], (match[2] ?? '').trim());
  }
  return values;
}

export async function textOrNull(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    return null;
  }
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
