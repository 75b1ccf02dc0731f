import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ok, type Result } from '../shared/outcome.ts';
import type { JuggDirs } from '../shared/paths.ts';
import type { WorkContext } from '../shared/progress.ts';
import { digest } from '../project/changes.ts';
import { STORE_FORMAT } from '../project/baseline.ts';
import { findAapt2, type Aapt2 } from '../toolchain/aapt2.ts';
import { resolveArtifacts } from '../toolchain/artifacts.ts';
import { bootClassPath } from '../toolchain/boot-class-path.ts';
import { createCompileHost, type JuggCompileHost } from '../toolchain/compile-host.ts';
import { findJdk } from '../toolchain/jdk.ts';
import { compileHostFiles, D8, type RuntimeFiles } from '../toolchain/runtime.ts';
import { findSdk } from '../toolchain/sdk.ts';
import { storedCopy } from '../toolchain/stored-copy.ts';

/** What a build needs of this machine; all paths are absolute. */
export interface EngineTools {
  readonly host: JuggCompileHost;
  readonly aapt2: Aapt2;
  /** Framework stubs, for javac and kotlinc. */
  readonly compileClassPath: readonly string[];
  readonly dexBootClassPath: readonly string[];
  /** The framework's resources, for aapt2. */
  readonly frameworkResources: string;
  /** Changes whenever one of the tools does: what other tools made is not built upon. */
  readonly id: string;
  /** The same for D8 alone: what it made of a class or a library is good for all projects. */
  readonly dexId: string;
}

export interface ToolOptions {
  readonly dirs: JuggDirs;
  readonly env: NodeJS.ProcessEnv;
  /** Our own jar of the compile host; the shipped one unless a test says otherwise. */
  readonly files?: RuntimeFiles;
}

/** Finds the tools at the first use; one compile host serves all projects. */
export class ToolBox {
  readonly #options: ToolOptions;
  readonly #byProject = new Map<string, EngineTools>();
  #host: JuggCompileHost | null = null;

  constructor(options: ToolOptions) {
    this.#options = options;
  }

  get host(): JuggCompileHost {
    this.#host ??= createCompileHost(this.#options);
    return this.#host;
  }

  /** Those that were looked up before; `null` when nobody has needed them yet. */
  known(projectDir: string): EngineTools | null {
    return this.#byProject.get(projectDir) ?? null;
  }

  async forProject(projectDir: string, work: WorkContext): Promise<Result<EngineTools>> {
    const known = this.#byProject.get(projectDir);
    // A cache may be cleared at any time: what was in it is made anew.
    if (known && (await areThere(known))) return ok(known);
    work.phase('Tools');
    const options = { ...this.#options, projectDir };
    const aapt2 = await findAapt2(work, options);
    if (!aapt2.ok) return aapt2;
    const boot = await bootClassPath(this.host, work, options);
    if (!boot.ok) return boot;
    const sdk = await findSdk({ env: this.#options.env });
    const dexMarks = [sdk?.d8Jar ? await markOf(sdk.d8Jar) : D8.gav];
    for (const path of boot.value.dex) dexMarks.push(await markOf(path));
    const tools: EngineTools = {
      host: this.host,
      aapt2: aapt2.value,
      compileClassPath: boot.value.compile,
      dexBootClassPath: boot.value.dex,
      frameworkResources: boot.value.resources,
      id: await this.#identity([aapt2.value.binary.path, boot.value.framework, ...boot.value.compile]),
      dexId: digest(dexMarks.join('\n')),
    };
    this.#byProject.set(projectDir, tools);
    return ok(tools);
  }

  /** Paths of artifacts by their coordinates. */
  artifacts(gavs: readonly string[], work: WorkContext): Promise<Result<ReadonlyMap<string, string>>> {
    return resolveArtifacts(
      gavs.map((gav) => ({ gav })),
      { signal: work.signal, onProgress: (line) => work.log(line), env: this.#options.env },
    );
  }

  /** Copies of jars for those who read them in every run. */
  quickToRead(jars: readonly string[]): Promise<string[]> {
    const dir = join(this.#options.dirs.cache, 'stored-jars');
    return Promise.all(jars.map((jar) => storedCopy(jar, dir)));
  }

  async close(): Promise<void> {
    await this.#host?.close();
    this.#host = null;
  }

  async #identity(files: readonly string[]): Promise<string> {
    const { env } = this.#options;
    const host = this.#options.files ?? compileHostFiles();
    const jdk = await findJdk({ env });
    const marks = [`format ${STORE_FORMAT}`, await textOf(host.list)];
    if (jdk.ok) marks.push(`jdk ${jdk.value.home} ${jdk.value.version}`);
    // Ours by content: a build that makes the same jar again changes only its time.
    marks.push(digest(await readFile(host.jar).catch(() => '')));
    for (const file of files) marks.push(await markOf(file));
    return digest(marks.join('\n'));
  }
}

async function areThere(tools: EngineTools): Promise<boolean> {
  const { aapt2, compileClassPath, dexBootClassPath, frameworkResources } = tools;
  const paths = [aapt2.binary.path, ...compileClassPath, ...dexBootClassPath, frameworkResources];
  const found = await Promise.all(paths.map((path) => stat(path).catch(() => null)));
  return !found.includes(null);
}

async function markOf(file: string): Promise<string> {
  const found = await stat(file).catch(() => null);
  return `${file} ${found?.size ?? 0} ${found?.mtimeMs ?? 0}`;
}

async function textOf(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '');
}
