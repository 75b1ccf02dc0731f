import type { ServerLink } from '../runtime/server-client.ts';
import { callTool } from './call.ts';

/** How long an interrupted CLI waits for its job to end before it leaves. */
const CANCEL_WAIT_MS = 5000;

/**
 * Ctrl-C in a CLI command means its job, too: the newest job of the project, if it began after the command did, is
 * cancelled. (A client that just vanishes cancels nothing.)
 */
export async function cancelOwnJob(
  link: ServerLink,
  projectDir: unknown,
  startedAtMs: number,
): Promise<void> {
  const limit = { signal: AbortSignal.timeout(CANCEL_WAIT_MS) };
  const listed = await callTool(link, 'list-jobs', { projectDir, limit: 1 }, limit);
  const jobs: unknown = listed.data['jobs'];
  const newest: unknown = Array.isArray(jobs) ? jobs[0] : undefined;
  if (typeof newest !== 'object' || newest === null || !('createdAt' in newest) || !('jobId' in newest))
    return;
  if (Date.parse(String(newest.createdAt)) < startedAtMs) return;
  await callTool(link, 'cancel-job', { projectDir, jobId: newest.jobId }, limit);
}
