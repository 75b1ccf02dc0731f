import type { ModuleModel, ProjectModel } from './model.ts';
import type { ChangeType } from '../engine/types.ts';
import { extname } from 'node:path';
import { join } from 'node:path';

export type RootKind = 'java' | 'res' | 'assets' | 'resources' | 'jniLibs';

/** A folder whose files are inputs of the debug variant. */
export interface SourceRoot {
  readonly dir: string;
  readonly kind: RootKind;
  /** Module path. */
  readonly module: string;
}

export interface ProjectInputs {
  readonly roots: readonly SourceRoot[];
  /** Manifests: they need not exist. */
  readonly manifests: readonly { readonly file: string; readonly module: string }[];
  readonly buildFiles: readonly string[];
}

/** Every place whose content can change the debug variant of the given modules. Tests and other variants do not. */
export function projectInputs(project: ProjectModel, modules: readonly ModuleModel[]): ProjectInputs {
  const roots: SourceRoot[] = [];
  const manifests: { file: string; module: string }[] = [];
  for (const module of modules) {
    for (const set of module.sourceSets) {
      const add = (kind: RootKind, dirs: readonly string[]): void => {
        roots.push(...dirs.map((dir) => ({ dir, kind, module: module.name })));
      };
      add('java', set.java);
      add('resources', set.resources);
      if (module.kind === 'java') continue;
      add('res', set.res);
      add('assets', set.assets);
      add('jniLibs', [join(module.dir, 'src', set.name, 'jniLibs')]);
      manifests.push({ file: set.manifest, module: module.name });
    }
  }
  return { roots, manifests, buildFiles: project.buildFiles };
}

/**
 * What a file below a root is to the build; `null` when it is nothing to it (a text file among the Java sources, what
 * aapt2 ignores by default: names that begin with a dot, end with `~`, …).
 */
export function classify(kind: RootKind, name: string): ChangeType | null {
  if (kind === 'java') {
    const extension = extname(name);
    return extension === '.java' ? 'Java' : extension === '.kt' ? 'Kotlin' : null;
  }
  if (name.startsWith('.') || name.endsWith('~') || /^(thumbs\.db|cvs)$/i.test(name)) return null;
  if (name.endsWith('.scc') || name.endsWith('.swp')) return null;
  if (kind === 'jniLibs') return name.endsWith('.so') ? 'Native' : null;
  return kind === 'res' ? 'Resource' : kind === 'assets' ? 'Asset' : 'Other';
}

/** Folders that never hold sources, wherever they are. */
export function isIgnoredDir(name: string): boolean {
  return (
    name.startsWith('.') ||
    name === 'build' ||
    name === 'node_modules' ||
    name === 'CVS' ||
    name === '__MACOSX'
  );
}
