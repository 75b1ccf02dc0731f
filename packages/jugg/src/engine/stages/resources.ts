import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ok, type Fault, type Result } from '../../shared/outcome.ts';
import type { WorkContext } from '../../shared/progress.ts';
import { digest, type Snapshot } from '../../project/changes.ts';
import type { ScannedFile } from '../../project/scan.ts';
import type { ModuleModel } from '../../project/model.ts';
import type { Aapt2 } from '../../toolchain/aapt2.ts';
import { readZip } from '../../toolchain/zip-reader.ts';
import { parseXml } from '../manifest/xml-tree.ts';
import type { Diagnostic } from '../types.ts';
import { diagnosticsOf, resourceError } from './compile-failure.ts';
import { mergeModuleManifests, toSourceManifest } from './manifest.ts';
import { compileResourceFiles, type ResourceFile } from './resource-files.ts';
import { declarationProblems, namingProblems } from './resource-problems.ts';

const linkedSchema = z.object({
  /** Digest of everything that went into the link. */
  key: z.string(),
  /** Absolute path of the APK without code. */
  apk: z.string(),
  rText: z.string(),
  /** Digests of its content. */
  resources: z.string(),
  manifest: z.string(),
  launcherActivity: z.string().nullable(),
});

export const resourceRecordSchema = z.object({
  toolsId: z.string(),
  files: z.record(z.string(), z.object({ hash: z.string(), flat: z.string(), symbols: z.array(z.string()) })),
  linked: linkedSchema.nullable(),
});

/** What aapt2 has made so far. */
export type ResourceRecord = z.output<typeof resourceRecordSchema>;
export type Linked = z.output<typeof linkedSchema>;

export interface ResourceInputs {
  /** Dependencies first; the app is the last one. */
  readonly modules: readonly ModuleModel[];
  readonly app: ModuleModel;
  /** From the weakest to the strongest. */
  readonly files: readonly ResourceFile[];
  /** Manifests by path, with their content digests. */
  readonly manifests: Readonly<Record<string, string>>;
  readonly toolsId: string;
}

export interface ResourceBuild extends ResourceInputs {
  /** Folder of this stage. */
  readonly dir: string;
  readonly aapt2: Aapt2;
  readonly frameworkResources: string;
}

/** Picks from all the inputs of a build those of its resources. */
export function resourceInputs(from: {
  readonly modules: readonly ModuleModel[];
  readonly app: ModuleModel;
  readonly files: readonly ScannedFile[];
  readonly snapshot: Snapshot;
  readonly toolsId: string;
}): ResourceInputs {
  const { modules, app, files, snapshot, toolsId } = from;
  const hashOf = ({ path }: ScannedFile): string => snapshot.get(path)?.hash ?? '';
  const resources = files.filter(({ kind }) => kind === 'res');
  const manifests = files.filter(({ kind }) => kind === 'manifest');
  return {
    modules,
    app,
    toolsId,
    files: resources.map((file) => ({ ...file, hash: hashOf(file) })),
    manifests: Object.fromEntries(manifests.map((file) => [file.path, hashOf(file)])),
  };
}

export interface ResourceOutcome {
  /** To be kept also after a failure. */
  readonly record: ResourceRecord;
  readonly compiled: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  readonly result: Result<Linked>;
}

/** Digest of all that goes into the linked resources; the same key means the same result. */
export function resourceKey(build: ResourceInputs): string {
  const { app } = build;
  return digest(
    JSON.stringify([
      build.toolsId,
      build.files.map((file) => [file.path, file.hash]),
      Object.entries(build.manifests),
      build.modules.map((module) => [module.name, module.namespace]),
      [app.applicationId, app.minSdk, app.targetSdk, app.versionCode, app.versionName, app.debuggable],
    ]),
  );
}

/** Compiles changed resource files, merges the manifests and links, each only when it has to be. */
export async function buildResources(
  build: ResourceBuild,
  before: ResourceRecord | null,
  work: WorkContext,
): Promise<ResourceOutcome> {
  const usable = before?.toolsId === build.toolsId ? before : null;
  work.phase('Resources');
  const misnamed = namingProblems(build.files);
  if (misnamed.length > 0) return refused(build, usable, resourceError(misnamed));
  const { flats, compiled, result } = await compileResourceFiles(
    build.files,
    usable?.files ?? {},
    join(build.dir, 'flat'),
    build.aapt2,
    work,
  );
  const record: ResourceRecord = {
    toolsId: build.toolsId,
    files: Object.fromEntries(
      Object.entries(flats).map(([path, flat]) => [path, { ...flat, symbols: [...flat.symbols] }]),
    ),
    linked: usable?.linked ?? null,
  };
  const failed = (fault: Fault): ResourceOutcome => ({
    record,
    compiled,
    diagnostics: [],
    result: { ok: false, fault },
  });
  if (!result.ok) {
    const located = await locateXmlErrors(diagnosticsOf(result.fault));
    return { ...failed(result.fault), result: located.length > 0 ? resourceError(located) : result };
  }
  const twice = await declarationProblems(build.files, flats);
  if (twice.length > 0) return { ...refused(build, usable, resourceError(twice)), record, compiled };
  const manifest = await mergeModuleManifests(build.modules, build.app);
  if (!manifest.ok) return failed(manifest.fault);

  const compiledFiles = build.files.flatMap((file) => flats[file.path]?.flat ?? []);
  const { app } = build;
  const key = resourceKey(build);
  // A folder of its own, also for what was linked before: the last good build may be that, and this one may fail.
  const linkDir = join(build.dir, 'links', `${key.slice(0, 16)}-${randomUUID().slice(0, 8)}`);
  const ids = join(build.dir, 'ids.txt');
  await mkdir(linkDir, { recursive: true });
  const mergedFile = join(linkDir, 'AndroidManifest.xml');
  await writeFile(mergedFile, manifest.value.printed.text);
  // A failed link must not touch the ids of the good ones.
  const newIds = join(linkDir, 'ids.txt');
  await copyFile(ids, newIds).catch(() => {});
  const output = join(linkDir, 'resources.apk');
  const link = await build.aapt2.link(
    {
      output,
      manifest: mergedFile,
      frameworks: [build.frameworkResources],
      compiled: compiledFiles,
      textSymbols: join(linkDir, 'R.txt'),
      stableIds: newIds,
      minSdk: app.minSdk,
      targetSdk: app.targetSdk ?? app.minSdk,
      versionCode: app.versionCode,
      ...(app.versionName === null ? {} : { versionName: app.versionName }),
      debug: app.debuggable,
    },
    work,
  );
  if (!link.ok) {
    await rm(linkDir, { recursive: true, force: true });
    const mapped = toSourceManifest(diagnosticsOf(link.fault), mergedFile, manifest.value.printed);
    return { ...failed(link.fault), result: mapped.length > 0 ? resourceError(mapped) : link };
  }
  await rename(newIds, ids);
  const linked: Linked = {
    key,
    apk: output,
    rText: join(linkDir, 'R.txt'),
    ...(await contentDigests(output)),
    launcherActivity: manifest.value.launcherActivity,
  };
  return {
    record: { ...record, linked },
    compiled,
    diagnostics: [...result.value, ...link.value.diagnostics],
    result: ok(linked),
  };
}

/** Nothing was compiled, and what was known still holds. */
function refused(
  build: ResourceBuild,
  before: ResourceRecord | null,
  result: Result<never>,
): ResourceOutcome {
  const record = before ?? { toolsId: build.toolsId, files: {}, linked: null };
  return { record, compiled: [], diagnostics: [], result };
}

/** aapt2 names no line for a file that is no XML; another reader does. */
async function locateXmlErrors(diagnostics: readonly Diagnostic[]): Promise<Diagnostic[]> {
  return Promise.all(
    diagnostics.map(async (one) => {
      const text = one.line || !one.file ? null : await readFile(one.file, 'utf8').catch(() => null);
      const parsed = text === null || one.file === null ? null : parseXml(text, one.file);
      return parsed !== null && 'problem' in parsed
        ? { ...one, ...parsed.problem, message: `${one.message} ${parsed.problem.message}` }
        : { ...one, line: one.line || null };
    }),
  );
}

/** Digests over names and checksums of the entries: the manifest, and all the rest. */
async function contentDigests(apk: string): Promise<{ resources: string; manifest: string }> {
  const lines: string[] = [];
  let manifest = '';
  for await (const entry of readZip(apk)) {
    const hash = digest(await entry.content());
    if (entry.name === 'AndroidManifest.xml') manifest = hash;
    else lines.push(`${entry.name} ${hash}`);
  }
  return { resources: digest(lines.sort().join('\n')), manifest };
}

export async function readRText(linked: Linked): Promise<string> {
  return readFile(linked.rText, 'utf8');
}
