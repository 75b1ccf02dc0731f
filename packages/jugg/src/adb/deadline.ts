import { fail } from '../shared/outcome.ts';
import type { Result } from '../shared/outcome.ts';
import type { CallOptions } from './types.ts';

/**
 * Runs `work` with a signal that is aborted by the caller's signal or after `timeoutMs`, whichever is first, and does
 * not wait for it any longer then. `what` names the wait in the message: "shell command `ls`".
 */
export async function withDeadline<T>(
  what: string,
  options: CallOptions | undefined,
  defaultMs: number,
  work: (signal: AbortSignal) => Promise<Result<T>>,
): Promise<Result<T>> {
  const timeoutMs = options?.timeoutMs ?? defaultMs;
  const outer = options?.signal;
  if (outer?.aborted) return canceled(what);
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let onAbort: (() => void) | undefined;
  const stopped = new Promise<Result<T>>((resolve) => {
    timer = setTimeout(() => {
      resolve(fail('TIMEOUT', `${what}: no answer from the device within ${timeoutMs} ms.`));
      controller.abort();
    }, timeoutMs);
    onAbort = (): void => {
      resolve(canceled(what));
      controller.abort();
    };
    outer?.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work(controller.signal), stopped]);
  } finally {
    clearTimeout(timer);
    if (onAbort) outer?.removeEventListener('abort', onAbort);
  }
}

function canceled(what: string): ReturnType<typeof fail> {
  return fail('CANCELED', `${what}: canceled.`);
}

/** Calls `stop` when the signal is or gets aborted; returns how to stop listening. */
export function onAbort(signal: AbortSignal, stop: () => void): () => void {
  if (signal.aborted) {
    stop();
    return () => {};
  }
  signal.addEventListener('abort', stop, { once: true });
  return () => {
    signal.removeEventListener('abort', stop);
  };
}

/** Waits, but no longer than until the signal is aborted. Does not keep the process alive. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      stopListening();
      resolve();
    }, ms);
    timer.unref();
    const stopListening = onAbort(signal, () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
