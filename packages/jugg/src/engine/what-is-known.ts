import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { digest } from '../project/changes.ts';
import type { ModuleModel, ProjectModel } from '../project/model.ts';
import type { ScannedFile } from '../project/scan.ts';
import type { JavaRecord } from './module-record.ts';
import type { ModuleStore } from './module-store.ts';
import { compileDependencies } from './plan.ts';
import type { KnownModule } from './known-module.ts';
import type { PredictInput } from './predict.ts';
import { VARIANT, type Comparison } from './prepare.ts';
import { buildConfigSource } from './stages/build-config.ts';
import { digestOfNames, ownedNames } from './stages/r-names.ts';
import { declaredSymbols } from './stages/resource-symbols.ts';
import { resourceInputs, resourceKey, type ResourceRecord } from './stages/resources.ts';

interface Place {
  readonly project: ProjectModel;
  readonly app: ModuleModel;
  readonly modules: readonly ModuleModel[];
  readonly comparison: Comparison;
  readonly toolsId: string;
  readonly store: ModuleStore;
  /** Whether there are outputs that can be built upon. */
  readonly hasOutputs: boolean;
}

/** Everything that a prediction needs, read from disk without running a tool. */
export async function whatIsKnown(place: Place): Promise<{
  readonly known: readonly KnownModule[];
  readonly input: Pick<PredictInput, 'resources' | 'linksResources' | 'otherFiles'>;
}> {
  const { comparison, store } = place;
  const { look, changes } = comparison;
  const record = await store.resources();
  const usable = record?.toolsId === place.toolsId ? record : null;
  const key = resourceKey(resourceInputs({ ...place, ...look }));
  const linksResources = usable?.linked?.key !== key;
  const resources = look.files.filter((file) => file.kind === 'res' && !isCompiled(file, usable, place));
  const isOther = ({ type }: { type: string }): boolean => !['Java', 'Kotlin', 'Resource'].includes(type);
  return {
    known: await knownModules(place, usable),
    input: {
      resources: linksResources ? resources.map(({ path }) => path) : [],
      linksResources,
      otherFiles: place.hasOutputs ? changes.changed.filter(isOther).map(({ file }) => file) : [],
    },
  };
}

function isCompiled({ path }: ScannedFile, record: ResourceRecord | null, { comparison }: Place): boolean {
  const hash = comparison.look.snapshot.get(path)?.hash;
  return hash !== '' && record?.files[path]?.hash === hash;
}

async function knownModules(place: Place, record: ResourceRecord | null): Promise<KnownModule[]> {
  const { project, modules, comparison, store } = place;
  const { files, snapshot } = comparison.look;
  const owned = ownedNames(modules, await symbolsOf(place, record), project.nonTransitiveR);
  const known: KnownModule[] = [];
  for (const module of modules) {
    const sources = { Kotlin: {}, Java: {} } as Record<string, Record<string, string>>;
    for (const { path, kind, type, module: owner } of files) {
      const of = kind === 'java' && owner === module.name ? sources[type] : undefined;
      if (of !== undefined) of[path] = snapshot.get(path)?.hash ?? '';
    }
    const its = await store.module(module.name);
    const { generated } = store.dirs(module.name);
    const hasGenerated = module.kind !== 'java' && module.namespace !== null;
    const symbols = owned.get(module.name) ?? new Set<string>();
    known.push({
      name: module.name,
      upstream: new Set(compileDependencies(modules, module).map(({ name }) => name)),
      record: its,
      kotlinSources: sources['Kotlin'] ?? {},
      javaSources: sources['Java'] ?? {},
      hasGenerated,
      generatedDir: generated,
      generatedChanges: hasGenerated && generatedChanges(module, generated, its.java, symbols),
      resourceClasses: hasGenerated ? resourceClasses(module.namespace ?? '', symbols) : [],
    });
  }
  return known;
}

function resourceClasses(namespace: string, symbols: ReadonlySet<string>): string[] {
  const types = new Set([...symbols].map((symbol) => symbol.slice(0, symbol.indexOf('/'))));
  return [`${namespace}.R`, ...[...types].map((type) => `${namespace}.R$${type}`)];
}

async function symbolsOf(
  { comparison }: Place,
  record: ResourceRecord | null,
): Promise<{ module: string; symbols: readonly string[] }[]> {
  const { files, snapshot } = comparison.look;
  const found: { module: string; symbols: readonly string[] }[] = [];
  for (const { path, kind, module } of files) {
    if (kind !== 'res') continue;
    const known = record?.files[path];
    if (known !== undefined && known.hash === snapshot.get(path)?.hash)
      found.push({ module, symbols: known.symbols });
    else {
      const text = path.endsWith('.xml') ? await readFile(path, 'utf8').catch(() => null) : null;
      found.push({ module, symbols: declaredSymbols(path, text) });
    }
  }
  return found;
}

/** Whether the R class or `BuildConfig` will be other than what javac last compiled; ids stay, so names tell. */
function generatedChanges(
  module: ModuleModel,
  dir: string,
  java: JavaRecord | null,
  owned: ReadonlySet<string>,
): boolean {
  const folder = join(dir, ...(module.namespace ?? '').split('.'));
  const config = join(folder, 'BuildConfig.java');
  const wanted = module.buildConfig ? digest(buildConfigSource(module, VARIANT)) : undefined;
  if (java?.inputs[config] !== wanted) return true;
  return java?.resourceNames !== digestOfNames(owned);
}
