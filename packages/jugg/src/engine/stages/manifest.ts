import { readFile } from 'node:fs/promises';
import { fail, ok, type Result } from '../../shared/outcome.ts';
import type { ModuleModel } from '../../project/model.ts';
import { launcherActivity, refusedComponents } from '../manifest/facts.ts';
import { mergeManifests, type ManifestInput } from '../manifest/merge.ts';
import { printXml, type PrintedXml } from '../manifest/print.ts';
import { parseXml } from '../manifest/xml-tree.ts';
import type { Diagnostic } from '../types.ts';
import { resourceError } from './compile-failure.ts';

export interface MergedManifest {
  readonly printed: PrintedXml;
  /** Class name in full, if there is one. */
  readonly launcherActivity: string | null;
}

/**
 * Merges the manifests of the app and of the modules it depends on. `app` comes last in `modules`; a module need not have
 * a manifest, the app must. `FALLBACK_NEEDED` for what takes the Android plug-in's own merger.
 */
export async function mergeModuleManifests(
  modules: readonly ModuleModel[],
  app: ModuleModel,
): Promise<Result<MergedManifest>> {
  const inputs: ManifestInput[] = [];
  const problems: Diagnostic[] = [];
  const fromStrongest = [app, ...modules.filter((module) => module !== app).reverse()];
  for (const module of fromStrongest) {
    if (module.kind === 'java') continue;
    const files = module.sourceSets.map((set) => set.manifest).reverse();
    for (const file of files) {
      const text = await readOrNothing(file);
      if (text === null) continue;
      const parsed = parseXml(text, file);
      if ('problem' in parsed)
        problems.push({ ...manifestError(file, parsed.problem.message), ...parsed.problem });
      else inputs.push({ root: parsed.root, namespace: module.namespace ?? '' });
    }
  }
  const main = app.sourceSets[0]?.manifest ?? app.dir;
  if (problems.length === 0 && !inputs.some(({ root }) => root.file === main)) {
    problems.push(manifestError(main, 'The app has no manifest.'));
  }
  if (problems.length > 0) return resourceError(problems);
  const { root, refusals } = mergeManifests(inputs, app.applicationId ?? '');
  const [first] = refusals;
  if (first !== undefined) {
    const reason = `the manifests need the Android plug-in's merger: ${first.what} in ${first.file}:${first.line}`;
    return fail('FALLBACK_NEEDED', `Jugg cannot build this without Gradle: ${reason}.`, {
      data: { fallback: { used: false, rule: 'P8-manifest', reason }, refusals },
    });
  }
  const refused = refusedComponents(root, app.targetSdk ?? app.minSdk);
  if (refused.length > 0) {
    return resourceError(
      refused.map(({ element, message }) => ({
        ...manifestError(element.file, message),
        line: element.line,
      })),
    );
  }
  return ok({ printed: printXml(root), launcherActivity: launcherActivity(root) });
}

/** Turns messages about the merged manifest into messages about the file that a line came from. */
export function toSourceManifest(
  diagnostics: readonly Diagnostic[],
  mergedFile: string,
  printed: PrintedXml,
): Diagnostic[] {
  return diagnostics.map((one) => {
    if (one.file !== mergedFile || one.line === null) return one;
    const origin = printed.origins[one.line - 1];
    return origin
      ? { ...one, tool: 'manifest', file: origin.file, line: origin.line, column: null }
      : { ...one, tool: 'manifest', file: null, line: null, column: null };
  });
}

function manifestError(file: string, message: string): Diagnostic {
  return { severity: 'error', tool: 'manifest', file, line: null, column: null, message };
}

async function readOrNothing(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    return null;
  }
}
