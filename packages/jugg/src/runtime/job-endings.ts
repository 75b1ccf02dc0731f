import type { Fault } from '../shared/outcome.ts';
import type { JobRecord } from './job-store.ts';

/** How a job came to its end when that was no success; each says what the reader can do. */
export type Ending = Pick<JobRecord, 'status' | 'message' | 'errorCode'> & Partial<JobRecord>;

interface Ended {
  readonly record: JobRecord;
  readonly phase: string | null;
  /** Its signal's reason says who ended it. */
  readonly stop: AbortController;
  readonly timeoutMs: number | undefined;
}

/** The ending of work that answered a fault: its own, or the one of whoever ended it. */
export function endOf(fault: Fault, job: Ended): Ending {
  const data = { ...fault.data };
  if (!job.stop.signal.aborted || fault.code !== 'CANCELED')
    return { status: 'failed', message: fault.message, errorCode: fault.code, data };
  const { kind } = job.record;
  switch (job.stop.signal.reason) {
    case 'server stopped':
      return { ...stoppedWithServer(job.record), data };
    case 'lease lost':
      return {
        status: 'failed',
        message: `Another server took over the project; call ${kind} again.`,
        errorCode: 'PROJECT_BUSY',
        data,
      };
    case 'timeout':
      return {
        status: 'failed',
        message: `The job was ended after ${job.timeoutMs} ms, its timeoutMs.`,
        errorCode: 'TIMEOUT',
        data,
      };
    default:
      return {
        status: 'canceled',
        message: `The ${kind} was canceled${job.phase ? ` (${job.phase})` : ''}; what it had started has ended.`,
        errorCode: 'CANCELED',
        data,
      };
  }
}

export function canceledBeforeStart({ kind }: JobRecord): Ending {
  return {
    status: 'canceled',
    errorCode: 'CANCELED',
    message: `The ${kind} was canceled before it began.`,
  };
}

export function stoppedWithServer({ kind }: JobRecord): Ending {
  return {
    status: 'failed',
    errorCode: 'SERVER_STOPPED',
    message: `The server stopped before this ${kind} ended; call ${kind} again.`,
  };
}

/** The work threw: a bug of ours. */
export function failedInside(): Ending {
  return {
    status: 'failed',
    message: 'Something went wrong inside Jugg; the log has the details.',
    errorCode: 'INTERNAL_ERROR',
    data: {},
  };
}
