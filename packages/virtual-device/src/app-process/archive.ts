import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppProcess } from './app-process.ts';
import type { LaunchSpec } from './launch.ts';

/**
 * The class-data archive of a class path: with it a process is ready in about half the time. The JVM drops an archive
 * silently when any jar of the class path has changed, even in its time stamp only, so the key holds all of that, and
 * every start is checked to have mapped it.
 */
export class ClassDataArchive {
  readonly #spec: LaunchSpec;
  #file: Promise<string> | undefined;
  #making: Promise<void> | undefined;
  readonly #stop = new AbortController();

  constructor(spec: LaunchSpec) {
    this.#spec = spec;
  }

  /** The archive for a start now, or undefined when there is none (yet). */
  async usable(): Promise<{ readonly mode: 'use'; readonly file: string } | undefined> {
    const file = await this.#path();
    return (await exists(file)) ? { mode: 'use', file } : undefined;
  }

  /** Looks at what the JVM said at its start; an archive that it did not map is thrown away. */
  async check(started: AppProcess): Promise<boolean> {
    const said = await readFile(started.stderrFile, 'utf8').catch(() => '');
    const mapped = /Mapped dynamic\s+region/.test(said);
    if (!mapped) await rm(await this.#path(), { force: true });
    return mapped;
  }

  /** Makes the archive if it is missing; one at a time, and resolves when there is nothing more to do. Never fails. */
  async make(): Promise<void> {
    if (await this.usable()) return;
    this.#making ??= this.#run().finally(() => {
      this.#making = undefined;
    });
    await this.#making;
  }

  /** Ends a run that is under way. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#making;
  }

  async #run(): Promise<void> {
    const file = await this.#path();
    const part = `${file}.${process.pid}.part`;
    await mkdir(dirname(file), { recursive: true });
    const started = await AppProcess.start(this.#spec, {
      archive: { mode: 'write', file: part },
      archiveRun: true,
      signal: this.#stop.signal,
    });
    if (started.ok) {
      const kill = (): void => void started.value.kill();
      this.#stop.signal.addEventListener('abort', kill, { once: true });
      const { code } = await started.value.exited;
      this.#stop.signal.removeEventListener('abort', kill);
      if (code === 0) await rename(part, file).catch(() => {});
    }
    await rm(part, { force: true });
  }

  #path(): Promise<string> {
    this.#file ??= archiveFile(this.#spec);
    return this.#file;
  }
}

async function archiveFile(spec: LaunchSpec): Promise<string> {
  const hash = createHash('sha256');
  for (const file of [spec.java, ...spec.classPath, spec.frameworkJar]) {
    const { size, mtimeMs } = await stat(file).catch(() => ({ size: 0, mtimeMs: 0 }));
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  // `bin/java` may be a link that stays the same when the JDK is updated; this file names the version.
  hash.update(await readFile(join(dirname(spec.java), '..', 'release'), 'utf8').catch(() => ''));
  return join(spec.cacheDir, 'cds', `${hash.digest('hex').slice(0, 24)}.jsa`);
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
