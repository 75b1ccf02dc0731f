import type { Command } from '../shell/command.ts';
import { takeUser } from './services.ts';
import type { Services } from './services.ts';

/** AOSP's `JobSchedulerShellCommand`: what a process cannot tell apart, exit codes are the low bytes of −1000 and −1001. */
const NO_PACKAGE = 24;
const NO_JOB = 23;

/** `cmd jobscheduler run [-f | -s] <package> <job>`: jobs are there as long as the process of their app. */
export function jobSchedulerCommand(services: Services): Command {
  return async (context) => {
    const { rest } = takeUser(context.args);
    const forced = rest.includes('-f') || rest.includes('--force');
    const [verb = '', packageName = '', id = ''] = rest.filter((arg) => !arg.startsWith('-'));
    if (verb !== 'run') {
      await context.stderr.write(`Unknown command: ${verb}\n`);
      return 255;
    }
    if (!services.database.get(packageName)) {
      await context.stdout.write(`Package not found: ${packageName} / user 0\n`);
      return NO_PACKAGE;
    }
    const processes = services.apps.all().filter((app) => app.packageName === packageName);
    for (const app of processes) {
      const answer = await app.port.request('runJob', { id: Number(id) });
      if (!answer.ok || !answer.value.found) continue;
      await context.stdout.write(`Running job${forced ? ' [FORCED]' : ''}\n`);
      return 0;
    }
    await context.stdout.write(`Could not find job ${id} in package ${packageName} / user 0\n`);
    return NO_JOB;
  };
}
