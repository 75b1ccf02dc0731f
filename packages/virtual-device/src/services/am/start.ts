import type { StartOutcome } from '../../apps/start-outcome.ts';
import type { CommandContext } from '../../shell/command.ts';
import { intentText } from '../../packages/intents.ts';
import { parseIntentArgs } from '../intent-args.ts';
import { illegalArgument, isOwner, throws } from '../services.ts';
import type { SubCommand } from '../services.ts';
import { denial, startActivity } from '../start-activity.ts';
import { attach } from './attach-agent.ts';

/** Options of `am start` itself (AOSP `ActivityManagerShellCommand.makeIntent`), and whether they take a value. */
const OWN: Readonly<Record<string, boolean>> = {
  '-D': false,
  '-N': false,
  '-W': false,
  '-S': false,
  '-R': true,
  '-P': true,
  '--start-profiler': true,
  '--sampling': true,
  '--streaming': false,
  '--track-allocation': false,
  '--user': true,
  '--receiver-permission': true,
  '--display': true,
  '--windowingMode': true,
  '--activityType': true,
  '--task': true,
  '--task-overlay': false,
  '--lock-task': false,
  '--allow-background-starts': false,
  '--attach-agent': true,
  '--attach-agent-bind': true,
  '--splashscreen-show-icon': false,
  '--dismiss-keyguard': false,
};

/** `am start [-W] [-S] … INTENT` */
export const start: SubCommand = async (context, args, services) => {
  const parsed = parseIntentArgs(args, OWN);
  if (!parsed.ok) return illegalArgument(context, 'start', parsed.message);
  const { intent, options } = parsed;
  const user = options.get('--user') ?? 'current';
  if (!isOwner(user)) {
    await context.stdout.write(`Error: user ${user} is not running\n`);
    return 1;
  }
  const packageName = intent.component?.split('/')[0] ?? intent.packageName;
  if (options.has('-S') && packageName !== undefined) {
    await context.stdout.write(`Stopping: ${packageName}\n`);
    const record = services.database.get(packageName);
    if (record) services.log.forceStopping(packageName, record.uid);
    await services.apps.stopPackage(packageName, `from pid ${services.systemPid}`);
  }
  await context.stdout.write(`Starting: ${intentText(intent)}\n`);
  const began = performance.now();
  const started = await startActivity(services, intent, context.uid);
  // Without -W the outcome goes to stderr (ActivityManagerShellCommand.runStartActivity).
  const out = options.has('-W') ? context.stdout : context.stderr;
  if (started.kind === 'unresolved') {
    const flagged = { ...intent, flags: intent.flags | 0x1000_0000 };
    await out.write(`Error: Activity not started, unable to resolve ${intentText(flagged)}\n`);
    return 1;
  }
  if (started.kind === 'noSuchActivity') return noSuchActivity(out, intent.component ?? '');
  if (started.kind === 'notExported') {
    const text = denial(
      intentText({ ...intent, flags: intent.flags | 0x1000_0000 }),
      context.uid,
      services.systemPid,
      started.uid,
    );
    const at =
      'com.android.server.wm.ActivityTaskSupervisor.checkStartAnyActivityPermission(ActivityTaskSupervisor.java:1176)';
    return throws(context, 'start', text, at);
  }
  const { outcome } = started;
  if (!outcome.ok) {
    if (outcome.kind === 'notFound') return noSuchActivity(out, started.intent.component ?? '');
    if (outcome.kind === 'untrusted')
      return throws(context, 'start', `java.lang.SecurityException: ${outcome.message}`);
    // A phone has handed over the start by now and says nothing of what becomes of the app; -W waits and sees.
    if (outcome.kind !== 'crashed') await out.write(`Error: Activity not started: ${outcome.message}\n`);
    if (options.has('-W')) await context.stdout.write('Status: timeout\nComplete\n');
    return outcome.kind === 'crashed' ? 0 : 1;
  }
  if (outcome.state === 'broughtToFront') {
    await out.write('Warning: Activity not started, its current task has been brought to the front\n');
  } else if (outcome.state === 'deliveredToTop') {
    await out.write(
      'Warning: Activity not started, intent has been delivered to currently running top-most instance.\n',
    );
  }
  const agent = options.get('--attach-agent') ?? options.get('--attach-agent-bind');
  if (agent !== undefined && services.apps.front) await attach(context, services.apps.front, agent, services);
  if (options.has('-W')) {
    const waitMs = Math.round(performance.now() - began);
    await context.stdout.write(
      `Status: ok\n${waited(outcome, services.profile.api)}WaitTime: ${waitMs}\nComplete\n`,
    );
  }
  return 0;
};

/**
 * What `-W` tells of a start (AOSP `ActivityManagerShellCommand.runStartActivity`): until Android 9 the time of this activity
 * beside that of all, since 10 how it was launched. What is on top already was not launched.
 */
function waited({ cold, state, component, totalMs }: StartOutcome & { ok: true }, api: number): string {
  const total = state === 'deliveredToTop' ? 0 : Math.round(totalMs);
  if (api < 29) return `Activity: ${component}\nThisTime: ${total}\nTotalTime: ${total}\n`;
  const launch =
    state === 'deliveredToTop' ? 'UNKNOWN (0)' : cold ? 'COLD' : state === 'started' ? 'WARM' : 'HOT';
  return `LaunchState: ${launch}\nActivity: ${component}\nTotalTime: ${total}\n`;
}

async function noSuchActivity(out: CommandContext['stdout'], component: string): Promise<number> {
  const [packageName = '', name = ''] = component.split('/');
  const full = name.startsWith('.') ? packageName + name : name;
  await out.write(`Error type 3\nError: Activity class {${packageName}/${full}} does not exist.\n`);
  return 1;
}
