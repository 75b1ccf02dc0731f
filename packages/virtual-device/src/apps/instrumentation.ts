import type { InstrumentationReport } from '../app-process/types.ts';
import type { PackageRecord } from '../packages/record.ts';
import type { AppManager } from './app-manager.ts';
import type { TestRun } from './bind-params.ts';

/** How a test run ended: the runner said so, or its process is gone. */
export type TestRunEnd =
  | { readonly kind: 'finished'; readonly report: InstrumentationReport }
  | { readonly kind: 'processGone' }
  | { readonly kind: 'notStarted'; readonly message: string };

/** Of AOSP's `finishInstrumentationLocked` when the process has died. */
export const PROCESS_CRASHED: InstrumentationReport = {
  code: 0,
  results: { shortMsg: { type: 'string', value: 'Process crashed.' } },
};

/**
 * Starts the target anew with the test package in it and waits for the end (AOSP
 * `ActivityManagerService.startInstrumentation`): what runs of the target is stopped before, and the process after it.
 *
 * @param onStatus hears each report on the way
 * @param signal ends the process and the wait
 */
export async function runTests(
  apps: AppManager,
  target: PackageRecord,
  run: Omit<TestRun, 'heard'>,
  onStatus: (report: InstrumentationReport) => void,
  signal: AbortSignal,
): Promise<TestRunEnd> {
  const { packageName, process } = target.manifest;
  await apps.stopPackage(packageName, 'start instr');
  let finish = (_report: InstrumentationReport): void => {};
  const finished = new Promise<TestRunEnd>((resolve) => {
    finish = (report) => resolve({ kind: 'finished', report });
  });
  const cause = { kind: 'added application', className: null } as const;
  const started = await apps.process(target, process, cause, {
    ...run,
    heard: (event) => {
      if (event.event === 'instrumentationStatus') onStatus(event.params);
      if (event.event === 'instrumentationFinished') finish(event.params);
    },
  });
  if ('message' in started) {
    return started.crashed ? { kind: 'processGone' } : { kind: 'notStarted', message: started.message };
  }
  const stop = (): void => void apps.stopPackage(packageName, 'finished inst');
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const gone = started.port.exited.then((): TestRunEnd => ({ kind: 'processGone' }));
  const end = await Promise.race([finished, gone]);
  signal.removeEventListener('abort', stop);
  await apps.stopPackage(packageName, 'finished inst');
  return end;
}
