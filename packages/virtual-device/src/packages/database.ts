import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { writeFileAtomic } from '../../../jugg/src/shared/files.ts';
import { FIRST_APP_UID } from '../fs/layout.ts';
import { packageSchema } from './record.ts';
import type { PackageRecord } from './record.ts';

const fileSchema = z.object({
  nextUid: z.int(),
  /** An app that comes back with its data gets its old uid. */
  uids: z.record(z.string(), z.int()),
  packages: z.array(packageSchema),
});

/** App uids begin where a phone's third-party apps roughly do. */
const FIRST_THIRD_PARTY_UID = FIRST_APP_UID + 123;

/** The installed packages, kept over restarts of the daemon. */
export class PackageDatabase {
  readonly #file: string;
  readonly #packages = new Map<string, PackageRecord>();
  #uids = new Map<string, number>();
  #nextUid = FIRST_THIRD_PARTY_UID;

  constructor(file: string) {
    this.#file = file;
  }

  /** Reads what an earlier run left; a file that cannot be read is the same as none. */
  async load(): Promise<void> {
    try {
      const stored = fileSchema.parse(JSON.parse(await readFile(this.#file, 'utf8')));
      this.#nextUid = stored.nextUid;
      this.#uids = new Map(Object.entries(stored.uids));
      for (const record of stored.packages) this.#packages.set(record.manifest.packageName, record);
    } catch {
      this.#packages.clear();
    }
  }

  get(packageName: string): PackageRecord | undefined {
    return this.#packages.get(packageName);
  }

  all(): readonly PackageRecord[] {
    return [...this.#packages.values()];
  }

  uidFor(packageName: string): number {
    const known = this.#uids.get(packageName);
    if (known !== undefined) return known;
    const uid = this.#nextUid++;
    this.#uids.set(packageName, uid);
    return uid;
  }

  /** The uid of a package that is or was installed: its data folder belongs to it. */
  ownerOf(packageName: string): number | null {
    return this.#uids.get(packageName) ?? null;
  }

  async put(record: PackageRecord): Promise<void> {
    this.#packages.set(record.manifest.packageName, record);
    await this.#store();
  }

  async remove(packageName: string): Promise<void> {
    this.#packages.delete(packageName);
    await this.#store();
  }

  async #store(): Promise<void> {
    const content = {
      nextUid: this.#nextUid,
      uids: Object.fromEntries(this.#uids),
      packages: [...this.#packages.values()],
    };
    await writeFileAtomic(this.#file, JSON.stringify(content));
  }
}
