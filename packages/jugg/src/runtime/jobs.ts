import { randomBytes } from 'node:crypto';
import { systemClock, type Clock } from '../shared/clock.ts';
import { openLog, type Log } from '../shared/log.ts';
import { fail, ok, type Result } from '../shared/outcome.ts';
import type { WorkContext } from '../shared/progress.ts';
import { Detail } from './detail.ts';
import { canceledBeforeStart, endOf, failedInside, stoppedWithServer } from './job-endings.ts';
import { isFinal, JobStore, type JobKind, type JobRecord } from './job-store.ts';
import { Leases, type LeaseHolder } from './lease.ts';

/** How long a stopping server waits for its jobs to end what they had started. */
const CLOSE_PATIENCE_MS = 10_000;

export interface JobAnswer {
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface JobRequest {
  readonly kind: JobKind;
  readonly projectDir: string;
  /** Requests with equal keys are alike: one that is still queued is joined instead of queued twice. */
  readonly key: string;
  /**
   * Whether one like this that runs already is joined as well: asked with when that one began. Without it a running one is
   * never joined, as it may have missed the last edit.
   */
  readonly joinsRunning?: (startedAt: string) => Promise<boolean>;
  /** Limit of the work itself in ms, counted from its start; none when absent. */
  readonly timeoutMs?: number | undefined;
  readonly run: (work: WorkContext) => Promise<Result<JobAnswer>>;
}

/** What is known of a job that this server runs or has queued. */
export interface LiveJob {
  readonly record: JobRecord;
  readonly phase: string | null;
  readonly percent: number | null;
  /** 0 while it runs, else its place in the queue of its project, from 1. */
  readonly queuePosition: number;
}

interface Job {
  record: JobRecord;
  readonly request: JobRequest;
  readonly stop: AbortController;
  phase: string | null;
  percent: number | null;
  readonly done: Promise<void>;
  readonly finish: () => void;
  readonly watchers: Set<(job: LiveJob) => void>;
}

/**
 * The jobs of this server: one at a time for each project, in order; jobs of different projects side by side. A job goes
 * on whatever becomes of the call that asked for it, and its answer is kept on disk.
 */
export class Jobs {
  readonly #store: JobStore;
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #now: () => Date;
  readonly #leases: Leases;
  readonly #jobs = new Map<string, Job>();
  readonly #queues = new Map<string, Job[]>();
  #closing = false;

  constructor(stateDir: string, log: Log, clock: Clock = systemClock) {
    this.#store = new JobStore(stateDir);
    this.#log = log;
    this.#clock = clock;
    this.#now = () => new Date(clock.now());
    this.#leases = new Leases(stateDir, this.#now);
  }

  /** How many jobs run or wait now, of any project. */
  get active(): number {
    return this.#jobs.size;
  }

  /** `PROJECT_BUSY` when another server runs jobs of the project; `SERVER_STOPPED` when this one is about to end. */
  async submit(request: JobRequest): Promise<Result<JobRecord>> {
    const running = this.#queues.get(request.projectDir)?.[0];
    const joinsRunning =
      running?.request.key === request.key &&
      running.record.startedAt !== null &&
      (await request.joinsRunning?.(running.record.startedAt)) === true;
    if (joinsRunning && !isFinal(running.record.status)) return ok(running.record);
    const { projectDir } = request;
    const holder = await this.#leases.take(projectDir, () => this.#onLeaseLost(projectDir));
    if (holder) return busy(projectDir, holder);
    if (this.#closing) {
      await this.#leaseEnds(projectDir);
      return fail('SERVER_STOPPED', 'The server is stopping; call again.');
    }
    // From here to the queue nothing is waited for: two alike that come at once must meet there.
    const queue = this.#queues.get(projectDir) ?? [];
    const alike = queue.find((job) => job.request.key === request.key && job.record.status === 'queued');
    if (alike) {
      await this.#leaseEnds(projectDir);
      return ok(alike.record);
    }
    const job = this.#create(request);
    queue.push(job);
    this.#queues.set(projectDir, queue);
    this.#jobs.set(job.record.jobId, job);
    await this.#store.save(job.record);
    if (queue[0] === job) void this.#run(job);
    return ok(job.record);
  }

  /** The job's record once it is final, or as it stands after `waitMs`, or when the signal fires; never rejects. */
  async wait(jobId: string, waitMs: number, signal: AbortSignal): Promise<JobRecord | undefined> {
    const job = this.#jobs.get(jobId);
    if (job && waitMs > 0 && !signal.aborted) {
      const stop = new AbortController();
      const either = AbortSignal.any([signal, stop.signal]);
      await Promise.race([job.done, this.#clock.sleep(waitMs, either)]);
      stop.abort();
    }
    return this.get(jobId);
  }

  async get(jobId: string): Promise<JobRecord | undefined> {
    const live = this.#jobs.get(jobId);
    if (live) return live.record;
    const kept = await this.#store.get(jobId);
    return kept && this.#settle(kept);
  }

  live(jobId: string): LiveJob | undefined {
    const job = this.#jobs.get(jobId);
    return job && this.#view(job);
  }

  running(projectDir: string): LiveJob | undefined {
    const first = this.#queues.get(projectDir)?.[0];
    return first && this.#view(first);
  }

  async list(projectDir: string, limit: number): Promise<readonly JobRecord[]> {
    const kept = await this.#store.list(projectDir, limit);
    return Promise.all(kept.map((record) => this.#current(record)));
  }

  /** Calls back at every change of phase until the job ends; returns how to stop. */
  watch(jobId: string, onChange: (job: LiveJob) => void): () => void {
    const job = this.#jobs.get(jobId);
    if (!job) return () => {};
    job.watchers.add(onChange);
    return () => job.watchers.delete(onChange);
  }

  /** Asks a job to end and waits until what it had started has ended (or for `waitMs`). */
  async cancel(jobId: string, waitMs: number, signal: AbortSignal): Promise<JobRecord | undefined> {
    const job = this.#jobs.get(jobId);
    if (job?.record.status === 'queued') await this.#finish(job, canceledBeforeStart(job.record));
    else job?.stop.abort('canceled');
    return this.wait(jobId, waitMs, signal);
  }

  async prune(keep: number, keepDays: number): Promise<void> {
    await this.#store.prune(keep, new Date(this.#now().getTime() - keepDays * 24 * 3600_000));
  }

  /** Ends all jobs; each is kept as lost to the server's stop. */
  async close(): Promise<void> {
    this.#closing = true;
    const all = [...this.#jobs.values()];
    for (const job of all) {
      if (job.record.status === 'queued') await this.#finish(job, stoppedWithServer(job.record));
      else job.stop.abort('server stopped');
    }
    // Work that does not hear its signal must not keep the server: it is recorded as lost at the next start.
    const patience = new AbortController();
    await Promise.race([
      Promise.all(all.map((job) => job.done)),
      this.#clock.sleep(CLOSE_PATIENCE_MS, patience.signal),
    ]);
    patience.abort();
    await this.#leases.close();
  }

  #create(request: JobRequest): Job {
    const now = this.#now();
    const jobId = `${now.getTime().toString(36).padStart(9, '0')}-${randomBytes(3).toString('hex')}`;
    let finish = (): void => {};
    const done = new Promise<void>((resolve) => {
      finish = resolve;
    });
    return {
      record: {
        jobId,
        kind: request.kind,
        projectDir: request.projectDir,
        status: 'queued',
        createdAt: now.toISOString(),
        startedAt: null,
        finishedAt: null,
        logPath: this.#store.logPath(jobId),
        server: process.pid,
        message: 'Waiting for its turn.',
        errorCode: null,
        data: {},
      },
      request,
      stop: new AbortController(),
      phase: null,
      percent: null,
      done,
      finish,
      watchers: new Set(),
    };
  }

  async #run(job: Job): Promise<void> {
    job.record = {
      ...job.record,
      status: 'running',
      startedAt: this.#now().toISOString(),
      message: 'Running.',
    };
    const log = openLog(job.record.logPath, this.#now);
    const detail = new Detail();
    const work: WorkContext = {
      signal: job.stop.signal,
      phase: (name, percent) => {
        job.phase = name;
        job.percent = percent ?? null;
        log.info(`phase ${name}`);
        for (const notify of job.watchers) notify(this.#view(job));
      },
      log: (line) => {
        detail.add(`${line}\n`);
        log.info(line);
      },
    };
    const limit = job.request.timeoutMs;
    const ended = new AbortController();
    if (limit) void this.#abortAfter(job, limit, ended.signal);
    let end: Partial<JobRecord>;
    try {
      await this.#store.save(job.record);
      const result = job.stop.signal.aborted
        ? fail('CANCELED', `The ${job.record.kind} was canceled before it began.`)
        : await job.request.run(work);
      end = result.ok
        ? {
            status: 'success',
            message: result.value.message,
            errorCode: null,
            data: { ...result.value.data },
          }
        : endOf(result.fault, { ...job, timeoutMs: job.request.timeoutMs });
    } catch (error) {
      this.#log.error(`job ${job.record.jobId}`, error);
      log.error('unexpected', error);
      end = failedInside();
    }
    ended.abort();
    await log.close();
    await this.#finish(job, { ...end, data: { ...end.data, ...detail.fields() } });
  }

  async #abortAfter(job: Job, limitMs: number, ended: AbortSignal): Promise<void> {
    await this.#clock.sleep(limitMs, ended);
    if (!ended.aborted) job.stop.abort('timeout');
  }

  /** This server was suspended so long that another one took over: two writers would spoil the project. */
  #onLeaseLost(projectDir: string): void {
    this.#log.warn(`the lease of ${projectDir} was taken by another server`);
    for (const job of this.#queues.get(projectDir) ?? []) job.stop.abort('lease lost');
  }

  async #finish(job: Job, end: Partial<JobRecord>): Promise<void> {
    job.record = { ...job.record, ...end, finishedAt: this.#now().toISOString() };
    await this.#store.save(job.record).catch((error: unknown) => this.#log.error('saving a job', error));
    const queue = this.#queues.get(job.request.projectDir) ?? [];
    const next = queue.filter((other) => other !== job);
    if (next.length > 0) this.#queues.set(job.request.projectDir, next);
    else this.#queues.delete(job.request.projectDir);
    this.#jobs.delete(job.record.jobId);
    await this.#leaseEnds(job.request.projectDir);
    job.finish();
    const first = next[0];
    if (first && queue[0] === job && !this.#closing) void this.#run(first);
  }

  async #leaseEnds(projectDir: string): Promise<void> {
    await this.#leases
      .release(projectDir)
      .catch((error: unknown) => this.#log.error('releasing a lease', error));
  }

  #view(job: Job): LiveJob {
    const queue = this.#queues.get(job.request.projectDir) ?? [];
    return {
      record: job.record,
      phase: job.phase,
      percent: job.percent,
      queuePosition: Math.max(0, queue.indexOf(job)),
    };
  }

  async #current(record: JobRecord): Promise<JobRecord> {
    return this.#jobs.get(record.jobId)?.record ?? this.#settle(record);
  }

  /** A job that is not final, yet runs in no living server, was lost with its server. */
  async #settle(record: JobRecord): Promise<JobRecord> {
    if (isFinal(record.status)) return record;
    const elsewhere =
      record.server !== process.pid && (await this.#leases.isHeldBy(record.projectDir, record.server));
    if (elsewhere) return record;
    const finishedAt = record.finishedAt ?? (await this.#store.lastSign(record.jobId)) ?? record.startedAt;
    return { ...record, ...stoppedWithServer(record), finishedAt };
  }
}

function busy(projectDir: string, { pid, since, until }: LeaseHolder): Result<never> {
  return fail(
    'PROJECT_BUSY',
    `Another Jugg server (pid ${pid}) works on ${projectDir} since ${since}; its lease lasts until ${until} and is renewed while it works. Wait for it, or use that server.`,
    { data: { holder: { pid, since }, until } },
  );
}
