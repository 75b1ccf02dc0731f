import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { WorkContext } from '../../src/shared/progress.ts';
import type { Result } from '../../src/shared/outcome.ts';
import type { CompileHost, CompileReply, KotlinRequest, SourceChanges } from '../../src/toolchain/types.ts';
import { quietWork } from './support.ts';

/** A Kotlin module in a folder: sources by name, compiled again and again. */
export class TestModule {
  readonly #host: CompileHost;
  readonly #folder: string;
  readonly #classPath: readonly string[];
  readonly #sources = new Set<string>();

  constructor(host: CompileHost, folder: string, classPath: readonly string[]) {
    this.#host = host;
    this.#folder = folder;
    this.#classPath = classPath;
  }

  get outputDir(): string {
    return join(this.#folder, 'classes');
  }

  get cacheDir(): string {
    return join(this.#folder, 'cache');
  }

  source(name: string): string {
    return join(this.#folder, 'src', name);
  }

  async write(name: string, text: string): Promise<string> {
    const path = this.source(name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    this.#sources.add(path);
    return path;
  }

  async edit(name: string, from: string, to: string): Promise<string> {
    const text = await readFile(this.source(name), 'utf8');
    if (!text.includes(from)) throw new Error(`${name} does not contain ${from}`);
    return this.write(name, text.replace(from, to));
  }

  async remove(name: string): Promise<string> {
    const path = this.source(name);
    await rm(path);
    this.#sources.delete(path);
    return path;
  }

  compile(
    changes: SourceChanges,
    more: Partial<KotlinRequest> = {},
    work: WorkContext = quietWork(),
  ): Promise<Result<CompileReply>> {
    return this.#host.compileKotlin(
      {
        moduleName: 'module',
        sources: [...this.#sources],
        classPath: this.#classPath,
        friendPaths: [],
        jvmTarget: '11',
        freeArguments: [],
        outputDir: this.outputDir,
        cacheDir: this.cacheDir,
        changes,
        compareClassPath: true,
        compiler: [],
        ...more,
      },
      work,
    );
  }

  modified(...files: readonly string[]): Promise<Result<CompileReply>> {
    return this.compile({ kind: 'known', modified: files, removed: [] });
  }

  /** Digests of all outputs. */
  outputs(): Promise<Record<string, string>> {
    return digests(this.outputDir);
  }

  /** Digests of what a full build of the same sources gives, without any caches. */
  async fullBuild(): Promise<Record<string, string>> {
    const fresh = join(this.#folder, 'fresh');
    await rm(fresh, { recursive: true, force: true });
    const outputDir = join(fresh, 'classes');
    await this.compile({ kind: 'unknown' }, { outputDir, cacheDir: join(fresh, 'cache') });
    return digests(outputDir);
  }
}

/** SHA-256 of every file below a folder, by relative name. */
export async function digests(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const pairs = await Promise.all(
    files.map(async (file) => {
      const digest = createHash('sha256')
        .update(await readFile(file))
        .digest('hex');
      return [relative(folder, file), digest] as const;
    }),
  );
  return Object.fromEntries(pairs.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
