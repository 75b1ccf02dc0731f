import { basename } from 'node:path';
import type { ClassInfo } from '../toolchain/types.ts';
import type { ModuleRecord } from './module-record.ts';
import type { Diagnostic } from './types.ts';

/** The classes that more than one module (or both languages of one) makes, at the later of their sources. */
export function classesTwice(records: readonly ModuleRecord[]): Diagnostic[] {
  // Where a class comes from is only looked for when it is there twice: it goes over all sources.
  const makers = new Map<string, () => string | null>();
  const found: Diagnostic[] = [];
  for (const record of records) {
    for (const stage of [record.kotlin, record.java]) {
      for (const info of stage?.classes ?? []) {
        const { name } = info;
        const source = (): string | null => sourceOf(info, Object.keys(stage?.inputs ?? {}));
        const first = makers.get(name);
        if (first === undefined) {
          makers.set(name, source);
          continue;
        }
        const other = first();
        const where = other === null ? '' : `, also in ${other}`;
        const message = `The class ${name} is in the app twice${where}.`;
        found.push({ severity: 'error', tool: 'engine', file: source(), line: null, column: null, message });
      }
    }
  }
  return found;
}

/** A class file tells only the name of its source: of two with one name, the one in the folder of its package. */
function sourceOf({ name, sourceFile }: ClassInfo, sources: readonly string[]): string | null {
  const named = sources.filter((file) => basename(file) === sourceFile);
  const folder = name.split('.').slice(0, -1).join('/');
  return (
    named.find((file) => file.replaceAll('\\', '/').endsWith(`${folder}/${sourceFile}`)) ?? named[0] ?? null
  );
}
