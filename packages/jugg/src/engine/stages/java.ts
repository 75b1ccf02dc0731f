import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { ok, type Result } from '../../shared/outcome.ts';
import type { ClassInfo } from '../../toolchain/types.ts';
import type { BuildContext, BuildUnit } from '../build-unit.ts';
import { classSourceKey, sourceKey } from '../java-source.ts';
import type { Inputs } from '../module-record.ts';
import { compileError } from './compile-failure.ts';
import { basename } from 'node:path';

/** One module's Java classes while they are being compiled, in one or more rounds. */
export class JavaStage {
  readonly #unit: BuildUnit;
  readonly #context: BuildContext;
  #classes: Map<string, ClassInfo>;
  /** Class files as they were before the first round that touched them. */
  readonly #saved = new Map<string, string>();
  readonly #written = new Set<string>();
  #intact = true;
  /** Source paths by package and file name; two source sets may hold the same one. */
  readonly #sourcesByKey = new Map<string, string[]>();

  private constructor(unit: BuildUnit, context: BuildContext, classes: readonly ClassInfo[]) {
    this.#unit = unit;
    this.#context = context;
    this.#classes = new Map(classes.map((info) => [info.name, info]));
  }

  /** `before` are the sources of the last compile: classes of those that are gone are still in the output folder. */
  static async open(
    unit: BuildUnit,
    context: BuildContext,
    before: { readonly inputs: Inputs; readonly classes: readonly ClassInfo[] } | null,
  ): Promise<JavaStage> {
    const stage = new JavaStage(unit, context, before?.classes ?? []);
    for (const [file, hash] of Object.entries({ ...before?.inputs, ...unit.javaSources })) {
      const { packageName } = await context.javaSources.read(file, hash);
      const key = sourceKey(packageName, basename(file));
      const known = stage.#sourcesByKey.get(key);
      if (known) known.push(file);
      else stage.#sourcesByKey.set(key, [file]);
    }
    return stage;
  }

  get classes(): ReadonlyMap<string, ClassInfo> {
    return this.#classes;
  }

  /** After a fault: whether the folder could be made what it was before. */
  get intact(): boolean {
    return this.#intact;
  }

  /** The sources a class may come from. */
  sourcesOf(info: ClassInfo): readonly string[] {
    return this.#sourcesByKey.get(classSourceKey(info)) ?? [];
  }

  /** The classes of the given sources. */
  classesOf(sources: ReadonlySet<string>): ClassInfo[] {
    return [...this.#classes.values()].filter((info) =>
      this.sourcesOf(info).some((source) => sources.has(source)),
    );
  }

  /**
   * Compiles `files` after taking away the classes of these and of the `removed` sources. After a fault the folder is as
   * it was when the stage was opened.
   */
  async compile(files: readonly string[], removed: readonly string[]): Promise<Result<void>> {
    const { dirs, module, classPath } = this.#unit;
    const stale = this.classesOf(new Set([...files, ...removed]));
    for (const info of stale) await this.#moveAside(info.file);
    const reply = await this.#context.host.compileJava(
      {
        sources: files,
        classPath: [dirs.javaClasses, dirs.kotlinClasses, ...classPath],
        outputDir: dirs.javaClasses,
        release: module.javaRelease,
        freeArguments: [],
      },
      this.#context.work,
    );
    if (!reply.ok || !reply.value.success) {
      await this.#restore();
      return reply.ok ? compileError(reply.value.diagnostics) : reply;
    }
    const others = new Set([...this.#classes.values()].map((info) => info.file));
    for (const info of stale) others.delete(info.file);
    for (const file of reply.value.written) {
      // The class of another source, overwritten: two sources declare it, and the old one cannot be put back.
      if (others.has(file) && !this.#written.has(file)) this.#intact = false;
      this.#written.add(file);
    }
    const infos = await this.#context.host.classInfo(reply.value.written, this.#context.work);
    if (!infos.ok) {
      await this.#restore();
      return infos;
    }
    this.#context.report(reply.value.diagnostics);
    for (const file of files) this.#context.compiled(file);
    for (const info of stale) this.#classes.delete(info.name);
    for (const info of infos.value) this.#classes.set(info.name, info);
    return ok(undefined);
  }

  /** The rounds are over, and the old class files are not needed any more. */
  async finish(): Promise<void> {
    await rm(this.#unit.dirs.aside, { recursive: true, force: true });
  }

  /** Sources that make one class with one of `files`: only javac, given all of them, can say what is wrong. */
  collisions(files: readonly string[], before: ReadonlyMap<string, ClassInfo>): string[] {
    const compiled = new Set(files);
    const others = new Set<string>();
    for (const [name, info] of this.#classes) {
      const old = before.get(name);
      if (old === undefined || old === info) continue;
      const oldSources = this.sourcesOf(old).filter((source) => source in this.#unit.javaSources);
      if (oldSources.length > 0 && !oldSources.some((source) => compiled.has(source))) {
        for (const source of [...oldSources, ...this.sourcesOf(info)]) others.add(source);
      }
    }
    return [...others];
  }

  async #moveAside(file: string): Promise<void> {
    if (this.#written.has(file) || this.#saved.has(file)) {
      // Made in this compile: nothing to go back to.
      await rm(file, { force: true });
      return;
    }
    const aside = join(this.#unit.dirs.aside, relative(this.#unit.dirs.javaClasses, file));
    await move(file, aside);
    this.#saved.set(file, aside);
  }

  async #restore(): Promise<void> {
    for (const file of this.#written) await rm(file, { force: true });
    for (const [file, aside] of this.#saved) await move(aside, file);
    await this.finish();
  }
}

async function move(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await rename(from, to);
}
