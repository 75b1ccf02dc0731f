import { randomUUID } from 'node:crypto';
import { link, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { readJson, systemErrorCode, writeFileAtomic } from '../shared/files.ts';

/** How a lock stands now; generation 0 is one that nobody ever took. */
export interface Standing {
  readonly generation: number;
  /** What its taker, or whoever gave it back, wrote; `undefined` when that cannot be read. */
  readonly content: unknown;
}

/**
 * A lock among processes, without one that guards it: each taking makes the file of the next generation, which only one
 * process can make, and the highest generation counts. It is never removed, so who looked long ago can only make a
 * generation that is there already. Whether the holder of a generation still lives is for the caller to find out.
 */
export class LockFile {
  readonly #path: string;

  /** @param path of all generations, which add their number */
  constructor(path: string) {
    this.#path = path;
  }

  async standing(): Promise<Standing> {
    for (;;) {
      const generation = Math.max(0, ...(await this.#generations()));
      const content = generation === 0 ? undefined : await readJson(this.#file(generation));
      // Unreadable: it may be gone because the next one was made since the look.
      if (content !== undefined || generation === Math.max(0, ...(await this.#generations())))
        return { generation, content };
    }
  }

  /** Takes the lock that the caller saw free; its new generation, or `undefined` when another was faster. */
  async takeAfter(seen: Standing, content: object): Promise<number | undefined> {
    await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
    const generation = seen.generation + 1;
    // Made whole under another name, then linked: nobody ever reads half of it.
    const candidate = `${this.#path}.new-${randomUUID()}`;
    await writeFile(candidate, JSON.stringify(content), { mode: 0o600 });
    try {
      await link(candidate, this.#file(generation));
    } catch (error) {
      if (systemErrorCode(error) !== 'EEXIST') throw error;
      return undefined;
    } finally {
      await rm(candidate, { force: true });
    }
    // One who looked before an older generation was removed may have made it again.
    if (!(await this.isLast(generation))) {
      await rm(this.#file(generation), { force: true });
      return undefined;
    }
    const older = (await this.#generations()).filter((other) => other < generation);
    await Promise.all(older.map((other) => rm(this.#file(other), { force: true })));
    return generation;
  }

  /** Whether nobody took the lock after that generation. */
  async isLast(generation: number): Promise<boolean> {
    return generation === Math.max(0, ...(await this.#generations()));
  }

  /** For the holder of that generation: renews what stands in it. */
  async rewrite(generation: number, content: object): Promise<void> {
    await writeFileAtomic(this.#file(generation), JSON.stringify(content));
  }

  /** For the holder of that generation: says that nobody holds the lock. */
  async giveBack(generation: number): Promise<void> {
    if (await this.isLast(generation)) await this.rewrite(generation, {});
  }

  #file(generation: number): string {
    return `${this.#path}.${generation}`;
  }

  async #generations(): Promise<readonly number[]> {
    const name = `${basename(this.#path)}.`;
    const files = await readdir(dirname(this.#path)).catch((): string[] => []);
    return files
      .filter((file) => file.startsWith(name) && /^\d+$/.test(file.slice(name.length)))
      .map((file) => Number(file.slice(name.length)));
  }
}
