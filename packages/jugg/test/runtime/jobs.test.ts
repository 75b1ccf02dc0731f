import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { JobRecord } from '../../src/runtime/job-store.ts';
import { Jobs, type JobRequest } from '../../src/runtime/jobs.ts';
import { silentLog } from '../../src/shared/log.ts';
import { fail, ok, type Result } from '../../src/shared/outcome.ts';
import type { WorkContext } from '../../src/shared/progress.ts';

let dir: string;
let jobs: Jobs;
const never = new AbortController().signal;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'jugg-jobs-'));
  jobs = new Jobs(dir, silentLog);
});
afterEach(async () => {
  await jobs.close();
  await rm(dir, { recursive: true, force: true });
});

type Work = (work: WorkContext) => Promise<Result<{ message: string; data: Record<string, unknown> }>>;

function request(run: Work, more: Partial<JobRequest> = {}): JobRequest {
  return { kind: 'compile', projectDir: '/p', key: JSON.stringify(Math.random()), run, ...more };
}

async function submit(wanted: JobRequest): Promise<JobRecord> {
  const submitted = await jobs.submit(wanted);
  if (!submitted.ok) throw new Error(submitted.fault.message);
  return submitted.value;
}

/** Work that goes on until the test lets it end, or until it is told to stop. */
function gate(): { run: Work; open: () => void; began: Promise<void> } {
  let open = (): void => {};
  let begin = (): void => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  const began = new Promise<void>((resolve) => (begin = resolve));
  const run: Work = async (work) => {
    begin();
    const aborted = new Promise<'aborted'>((resolve) =>
      work.signal.addEventListener('abort', () => resolve('aborted')),
    );
    const how = await Promise.race([opened, aborted]);
    return how === 'aborted'
      ? fail('CANCELED', 'The work was canceled.')
      : ok({ message: 'done', data: { n: 1 } });
  };
  return { run, open, began };
}

describe('jobs', () => {
  test('answer what their work answered, with its log', async () => {
    const { jobId } = await submit(
      request(async (work) => {
        work.phase('first');
        work.log('a line');
        return ok({ message: 'fine', data: { answer: 42 } });
      }),
    );
    const record = await jobs.wait(jobId, 5000, never);
    expect(record).toMatchObject({
      status: 'success',
      message: 'fine',
      errorCode: null,
      data: { answer: 42, detail: 'a line\n' },
    });
    expect(await readFile(record?.logPath ?? '', 'utf8')).toContain('a line');
  });

  test('of one project run one after the other, of two projects side by side', async () => {
    const first = gate();
    const second = gate();
    const other = gate();
    const a = await submit(request(first.run));
    const b = await submit(request(second.run));
    const c = await submit(request(other.run, { projectDir: '/q' }));
    await Promise.all([first.began, other.began]);
    expect(jobs.live(b.jobId)).toMatchObject({ record: { status: 'queued' }, queuePosition: 1 });
    other.open();
    expect(await jobs.wait(c.jobId, 5000, never)).toMatchObject({ status: 'success' });
    first.open();
    expect(await jobs.wait(a.jobId, 5000, never)).toMatchObject({ status: 'success' });
    second.open();
    expect(await jobs.wait(b.jobId, 5000, never)).toMatchObject({ status: 'success' });
  });

  test('join one like them that is queued, never one that runs', async () => {
    const running = gate();
    const a = await submit(request(running.run, { key: 'same' }));
    await running.began;
    const queued = gate();
    const b = await submit(request(queued.run, { key: 'same' }));
    const c = await submit(request(queued.run, { key: 'same' }));
    expect(b.jobId).not.toBe(a.jobId);
    expect(c.jobId).toBe(b.jobId);
    // Unless it says itself that the running one has missed nothing.
    const d = await submit(request(queued.run, { key: 'same', joinsRunning: async () => true }));
    expect(d.jobId).toBe(a.jobId);
    const e = await submit(request(queued.run, { key: 'same', joinsRunning: async () => false }));
    expect(e.jobId).toBe(b.jobId);
    running.open();
    queued.open();
    expect(await jobs.wait(c.jobId, 5000, never)).toMatchObject({ status: 'success' });
  });

  test('go on when the one who waits goes away', async () => {
    const work = gate();
    const { jobId } = await submit(request(work.run));
    const client = new AbortController();
    const waiting = jobs.wait(jobId, 60_000, client.signal);
    client.abort();
    expect(await waiting).toMatchObject({ status: 'running' });
    work.open();
    expect(await jobs.wait(jobId, 5000, never)).toMatchObject({ status: 'success' });
  });

  test('are canceled when they run and when they wait', async () => {
    const running = gate();
    const queued = gate();
    const a = await submit(request(running.run));
    const b = await submit(request(queued.run));
    await running.began;
    expect(await jobs.cancel(b.jobId, 5000, never)).toMatchObject({
      status: 'canceled',
      errorCode: 'CANCELED',
    });
    expect(await jobs.cancel(a.jobId, 5000, never)).toMatchObject({
      status: 'canceled',
      errorCode: 'CANCELED',
    });
  });

  test('end with TIMEOUT at their own limit', async () => {
    const work = gate();
    const { jobId } = await submit(request(work.run, { timeoutMs: 20 }));
    expect(await jobs.wait(jobId, 5000, never)).toMatchObject({ status: 'failed', errorCode: 'TIMEOUT' });
  });

  test('that throw are a bug with a code, and the next one runs', async () => {
    const a = await submit(request(() => Promise.reject(new Error('oops'))));
    const b = await submit(request(async () => ok({ message: 'fine', data: {} })));
    expect(await jobs.wait(a.jobId, 5000, never)).toMatchObject({
      status: 'failed',
      errorCode: 'INTERNAL_ERROR',
    });
    expect(await jobs.wait(b.jobId, 5000, never)).toMatchObject({ status: 'success' });
  });

  test('are still answered after the server has ended, and those it lost are said to be lost', async () => {
    const done = await submit(request(async () => ok({ message: 'fine', data: { kept: true } })));
    await jobs.wait(done.jobId, 5000, never);
    const lost = await submit(request(gate().run));
    await jobs.close();
    const later = new Jobs(dir, silentLog);
    expect(await later.get(done.jobId)).toMatchObject({ status: 'success', data: { kept: true } });
    expect(await later.get(lost.jobId)).toMatchObject({ status: 'failed', errorCode: 'SERVER_STOPPED' });
    expect((await later.list('/p', 10)).map((record) => record.jobId)).toEqual([lost.jobId, done.jobId]);
  });

  test('have ids that cannot lead out of their folder', async () => {
    expect(await jobs.get('../../etc/passwd')).toBeUndefined();
    expect(await jobs.get('')).toBeUndefined();
  });

  test('are forgotten when there are too many', async () => {
    for (let n = 0; n < 3; n += 1) {
      const { jobId } = await submit(request(async () => ok({ message: String(n), data: {} })));
      await jobs.wait(jobId, 5000, never);
    }
    await jobs.prune(2, 14);
    expect(await jobs.list('/p', 10)).toHaveLength(2);
  });
});
