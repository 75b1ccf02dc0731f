// A server's jobs in a process of its own, for lease.test.ts: argv[2] is the state folder, argv[3] the project,
// argv[4] how many ms its clock is ahead. Each line of standard input is a command: `submit` (a job that never ends by
// itself), `close`, or the id of a job; each answer is a line of JSON.
import { createInterface } from 'node:readline';
import { Jobs } from '../../src/runtime/jobs.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { silentLog } from '../../src/shared/log.ts';
import { fail } from '../../src/shared/outcome.ts';

const [, , stateDir = '', projectDir = '', aheadMs = '0'] = process.argv;
const jobs = new Jobs(stateDir, silentLog, {
  ...systemClock,
  now: () => systemClock.now() + Number(aheadMs),
});

async function submit(): Promise<unknown> {
  return jobs.submit({
    kind: 'compile',
    projectDir,
    key: String(Math.random()),
    run: async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return fail('CANCELED', 'Canceled.');
    },
  });
}

async function obey(line: string): Promise<unknown> {
  if (line === 'submit') return submit();
  if (line === 'close') return jobs.close().then(() => 'closed');
  return jobs.get(line);
}

createInterface({ input: process.stdin }).on('line', (line) => {
  void obey(line).then((answer) => process.stdout.write(`${JSON.stringify(answer ?? null)}\n`));
});
