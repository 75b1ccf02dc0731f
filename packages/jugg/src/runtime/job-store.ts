import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { readJson, writeFileAtomic } from '../shared/files.ts';

export const JOB_KINDS = ['compile', 'deploy', 'clean-reinstall', 'gradle-build', 'instrument'] as const;
export type JobKind = (typeof JOB_KINDS)[number];

/** A job as it is kept on disk, so that its answer outlives the server. */
export const jobRecordSchema = z.object({
  jobId: z.string(),
  kind: z.enum(JOB_KINDS),
  projectDir: z.string(),
  status: z.enum(['queued', 'running', 'success', 'failed', 'canceled']),
  createdAt: z.string(),
  startedAt: z.string().nullable(),
  finishedAt: z.string().nullable(),
  logPath: z.string(),
  /** Pid of the server that runs it. */
  server: z.number(),
  message: z.string(),
  errorCode: z.string().nullable(),
  /** The job's own fields: diagnostics, files, devices, timings … */
  data: z.record(z.string(), z.unknown()),
});
export type JobRecord = z.output<typeof jobRecordSchema>;

export function isFinal(status: JobRecord['status']): boolean {
  return status === 'success' || status === 'failed' || status === 'canceled';
}

/** One JSON file a job below the state folder; job ids sort by time. */
export class JobStore {
  readonly #dir: string;
  readonly #seen = new Map<string, JobRecord>();

  constructor(stateDir: string) {
    this.#dir = join(stateDir, 'jobs');
  }

  logPath(jobId: string): string {
    return join(this.#dir, `${jobId}.log`);
  }

  async save(record: JobRecord): Promise<void> {
    this.#seen.set(record.jobId, record);
    await writeFileAtomic(join(this.#dir, `${record.jobId}.json`), JSON.stringify(record));
  }

  /** When its log or its record was last written: the last that is known of a job whose server was killed. */
  async lastSign(jobId: string): Promise<string | null> {
    const files = [this.logPath(jobId), join(this.#dir, `${jobId}.json`)];
    const times = await Promise.all(
      files.map((file) =>
        stat(file).then(
          (found) => found.mtimeMs,
          () => 0,
        ),
      ),
    );
    const last = Math.max(...times);
    return last === 0 ? null : new Date(last).toISOString();
  }

  async get(jobId: string): Promise<JobRecord | undefined> {
    // The id becomes a file name: nothing but our own ids may get that far.
    if (!/^[a-z0-9-]{1,64}$/.test(jobId)) return undefined;
    const known = this.#seen.get(jobId);
    if (known && isFinal(known.status)) return known;
    const parsed = jobRecordSchema.safeParse(await readJson(join(this.#dir, `${jobId}.json`)));
    if (!parsed.success) return known;
    this.#seen.set(jobId, parsed.data);
    return parsed.data;
  }

  /** Newest first. */
  async list(projectDir: string, limit: number): Promise<readonly JobRecord[]> {
    const found: JobRecord[] = [];
    for (const id of await this.#ids()) {
      const record = await this.get(id);
      if (record?.projectDir === projectDir) found.push(record);
      if (found.length >= limit) break;
    }
    return found;
  }

  /** Removes the oldest finished jobs beyond `keep`, and those finished before `oldest`. */
  async prune(keep: number, oldest: Date): Promise<void> {
    const ids = await this.#ids();
    for (const [index, id] of ids.entries()) {
      const record = await this.get(id);
      if (!record || !isFinal(record.status)) continue;
      if (index < keep && new Date(record.finishedAt ?? record.createdAt) >= oldest) continue;
      this.#seen.delete(id);
      await rm(join(this.#dir, `${id}.json`), { force: true });
      await rm(record.logPath, { force: true });
    }
  }

  async #ids(): Promise<readonly string[]> {
    const names = await readdir(this.#dir).catch(() => []);
    return names
      .filter((name) => name.endsWith('.json'))
      .map((name) => name.slice(0, -'.json'.length))
      .sort()
      .reverse();
  }
}
