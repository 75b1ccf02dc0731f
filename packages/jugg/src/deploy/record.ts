import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { readJson, writeFileAtomic } from '../shared/files.ts';
import { stateDigestSchema } from './digest.ts';

/** The device's own evidence that the APK there is the one that was put there. */
const evidenceSchema = z.object({
  apkPath: z.string(),
  lastUpdateTime: z.string().nullable(),
  versionCode: z.number(),
});

/** What one device has of one app, as this machine remembers it; written last, after all that it says was seen. */
const recordSchema = z.object({
  version: z.literal(1),
  serial: z.string(),
  user: z.number(),
  packageName: z.string(),
  projectDir: z.string(),
  /** What is in the installed APK. */
  installed: stateDigestSchema,
  evidence: evidenceSchema,
  /** Digests of its dex files for which the device got the project's class files: that is what its process runs. */
  classFiles: z.array(z.string()).default([]),
  /** Newer code in a process that was running then. */
  overlay: z.object({ pid: z.number(), state: stateDigestSchema }).nullable(),
  /** Set while something is being done to the device: what it has is not known until that ended. */
  unfinished: z.object({ deployType: z.string(), stateId: z.string() }).nullable(),
  deployType: z.enum(['NONE', 'HOT_RELOAD', 'HOT_FIX', 'EMBEDDED', 'INSTALL']),
  deployedAt: z.string(),
  /** The device's clock when the last deploy or restart began. */
  deviceTimeMs: z.number(),
});

export type DeployRecord = z.infer<typeof recordSchema>;
export type Evidence = z.infer<typeof evidenceSchema>;

export interface RecordKey {
  readonly serial: string;
  readonly user: number;
  readonly packageName: string;
}

/** One file for each device, user and app. A file that cannot be read counts as none: the next deploy installs anew. */
export class RecordStore {
  readonly #dir: string;

  constructor(stateDir: string) {
    this.#dir = join(stateDir, 'deployed');
  }

  async read(key: RecordKey): Promise<DeployRecord | null> {
    return recordSchema.safeParse(await readJson(this.#file(key))).data ?? null;
  }

  async write(record: DeployRecord): Promise<void> {
    await writeFileAtomic(this.#file(record), JSON.stringify(record));
  }

  /** The newest record of a project on a device. */
  async latest(projectDir: string, serial: string): Promise<DeployRecord | null> {
    const names = await readdir(this.#dir).catch((): string[] => []);
    const files = names.filter((name) => name.startsWith(`${hash(serial)}-`) && name.endsWith('.json'));
    const records = await Promise.all(files.map((name) => readJson(join(this.#dir, name))));
    return (
      records
        .map((record) => recordSchema.safeParse(record).data)
        .filter((record) => record?.projectDir === projectDir && record.serial === serial)
        .toSorted((a, b) => (a?.deployedAt ?? '').localeCompare(b?.deployedAt ?? ''))
        .at(-1) ?? null
    );
  }

  /** Serials hold characters that file names cannot. */
  #file({ serial, user, packageName }: RecordKey): string {
    return join(this.#dir, `${hash(serial)}-${user}-${packageName}.json`);
  }
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
