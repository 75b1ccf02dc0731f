import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { openLog, type Log } from '../shared/log.ts';
import { fail, type Fault, type Result } from '../shared/outcome.ts';
import type { WorkContext } from '../shared/progress.ts';
import { Detail } from './detail.ts';
import { isFinal, JobStore, type JobKind, type JobRecord } from './job-store.ts';

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
  readonly #now: () => Date;
  readonly #jobs = new Map<string, Job>();
  readonly #queues = new Map<string, Job[]>();
  #closing = false;

  constructor(stateDir: string, log: Log, now: () => Date = () => new Date()) {
    this.#store = new JobStore(stateDir);
    this.#log = log;
    this.#now = now;
  }

  /** How many jobs run or wait now, of any project. */
  get active(): number {
    return this.#jobs.size;
  }

  async submit(request: JobRequest): Promise<JobRecord> {
    const queue = this.#queues.get(request.projectDir) ?? [];
    const alike = queue.find((job) => job.request.key === request.key && job.record.status === 'queued');
    if (alike) return alike.record;
    const job = this.#create(request);
    queue.push(job);
    this.#queues.set(request.projectDir, queue);
    this.#jobs.set(job.record.jobId, job);
    await this.#store.save(job.record);
    if (queue[0] === job) void this.#run(job);
    return job.record;
  }

  /** The job's record once it is final, or as it stands after `waitMs`, or when the signal fires; never rejects. */
  async wait(jobId: string, waitMs: number, signal: AbortSignal): Promise<JobRecord | undefined> {
    const job = this.#jobs.get(jobId);
    if (job && waitMs > 0 && !signal.aborted) {
      const stop = new AbortController();
      const either = AbortSignal.any([signal, stop.signal]);
      await Promise.race([job.done, delay(waitMs, undefined, { signal: either }).catch(() => {})]);
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
    return kept.map((record) => this.#jobs.get(record.jobId)?.record ?? this.#settle(record));
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
    if (job?.record.status === 'queued') await this.#finish(job, canceledBeforeStart(job));
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
      if (job.record.status === 'queued') await this.#finish(job, stoppedWithServer(job));
      else job.stop.abort('server stopped');
    }
    // Work that does not hear its signal must not keep the server: it is recorded as lost at the next start.
    const patience = new AbortController();
    await Promise.race([
      Promise.all(all.map((job) => job.done)),
      delay(CLOSE_PATIENCE_MS, undefined, { signal: patience.signal, ref: false }).catch(() => {}),
    ]);
    patience.abort();
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
    const timer = limit ? setTimeout(() => job.stop.abort('timeout'), limit) : undefined;
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
        : this.#failed(result.fault, job);
    } catch (error) {
      this.#log.error(`job ${job.record.jobId}`, error);
      log.error('unexpected', error);
      end = {
        status: 'failed',
        message: 'Something went wrong inside Jugg; the log has the details.',
        errorCode: 'INTERNAL_ERROR',
        data: {},
      };
    }
    clearTimeout(timer);
    await log.close();
    await this.#finish(job, { ...end, data: { ...end.data, ...detail.fields() } });
  }

  #failed(fault: Fault, job: Job): Partial<JobRecord> {
    const data = { ...fault.data };
    const message = fault.message;
    if (!job.stop.signal.aborted || fault.code !== 'CANCELED') {
      return { status: 'failed', message, errorCode: fault.code, data };
    }
    switch (job.stop.signal.reason) {
      case 'server stopped':
        return { ...stoppedWithServer(job), data };
      case 'timeout':
        return {
          status: 'failed',
          message: `The job was ended after ${job.request.timeoutMs} ms, its timeoutMs.`,
          errorCode: 'TIMEOUT',
          data,
        };
      default:
        return { status: 'canceled', message, errorCode: 'CANCELED', data };
    }
  }

  async #finish(job: Job, end: Partial<JobRecord>): Promise<void> {
    job.record = { ...job.record, ...end, finishedAt: this.#now().toISOString() };
    await this.#store.save(job.record).catch((error: unknown) => this.#log.error('saving a job', error));
    const queue = this.#queues.get(job.request.projectDir) ?? [];
    const next = queue.filter((other) => other !== job);
    if (next.length > 0) this.#queues.set(job.request.projectDir, next);
    else this.#queues.delete(job.request.projectDir);
    this.#jobs.delete(job.record.jobId);
    job.finish();
    const first = next[0];
    if (first && queue[0] === job && !this.#closing) void this.#run(first);
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

  /** A job that is not final, yet runs in no living server, was lost with its server. */
  #settle(record: JobRecord): JobRecord {
    if (isFinal(record.status) || (record.server !== process.pid && isAlive(record.server))) return record;
    return { ...record, ...stoppedWithServer({ record }), finishedAt: record.finishedAt ?? record.startedAt };
  }
}

function canceledBeforeStart(job: Job): Partial<JobRecord> {
  return {
    status: 'canceled',
    errorCode: 'CANCELED',
    message: `The ${job.record.kind} was canceled before it began.`,
  };
}

function stoppedWithServer(job: Pick<Job, 'record'>): Partial<JobRecord> {
  return {
    status: 'failed',
    errorCode: 'SERVER_STOPPED',
    message: `The server stopped before this ${job.record.kind} ended; call ${job.record.kind} again.`,
  };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
