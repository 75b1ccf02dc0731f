import type { RunningApp } from '../../apps/app-process-record.ts';
import type { Command } from '../../shell/command.ts';
import { activityTasks } from '../dump-tasks.ts';
import { illegalArgument, takeUser } from '../services.ts';
import type { Services, SubCommand } from '../services.ts';
import { print, serviceCommand } from '../sub-commands.ts';
import { attachAgent } from './attach-agent.ts';
import { instrument } from './instrument.ts';
import { MISC_AM } from './misc.ts';
import { start } from './start.ts';
import { broadcast, startForegroundService, startService, stopService } from './to-apps.ts';

const forceStop: SubCommand = async (context, args, services) => {
  const { rest } = takeUser(args);
  const [packageName] = rest;
  if (packageName === undefined)
    return illegalArgument(context, 'force-stop', 'Argument expected after "force-stop"');
  const record = services.database.get(packageName);
  if (record) {
    services.log.forceStopping(packageName, record.uid);
    await services.apps.stopPackage(packageName, `from pid ${services.systemPid}`);
    await services.database.put({ ...record, stopped: true });
  }
  return 0;
};

/** `am kill`: only what is in the background. */
const kill: SubCommand = async (_context, args, services) => {
  const { rest } = takeUser(args);
  const apps = services.apps
    .all()
    .filter((app) => app.packageName === rest[0] && services.apps.isBackground(app));
  await Promise.all(apps.map((app) => services.apps.kill(app, 'kill background')));
  return 0;
};

/** `am crash <PROCESS|PID>`: the process is ended; a phone throws an exception in it first. */
const crash: SubCommand = async (context, args, services) => {
  const { rest } = takeUser(args);
  const app = find(rest.filter((arg) => !arg.startsWith('-'))[0] ?? '', services);
  if (!app) return 0;
  services.log.crashed(app.pid, app.processName, 'android.app.RemoteServiceException', 'shell-induced crash');
  services.logd.write({
    timeMs: services.now(),
    uid: app.uid,
    pid: app.pid,
    tid: app.pid,
    priority: 'E',
    tag: 'AndroidRuntime',
    message: `FATAL EXCEPTION: main\nProcess: ${app.processName}, PID: ${app.pid}\nandroid.app.RemoteServiceException$CrashedByAdbException: shell-induced crash\n\tat android.app.ActivityThread.throwRemoteServiceException(ActivityThread.java:2142)`,
    buffer: 'crash',
  });
  await services.apps.kill(app, 'crash');
  return context.signal.aborted ? 1 : 0;
};

function find(name: string, services: Services): RunningApp | undefined {
  return /^\d+$/.test(name) ? services.apps.byPid(Number(name)) : services.apps.byProcessName(name);
}

const stack: SubCommand = async (context, _args, services) => {
  for (const { id, type, visible, activities } of await activityTasks(services)) {
    const [width, height] = services.display.current;
    await context.stdout.write(
      `RootTask id=${id} bounds=[0,0][${width},${height}] displayId=0 userId=0\n configuration={1.0 ?mcc0mnc [en_US] type=${type}}\n  taskId=${id}: ${activities[0]?.component ?? ''} bounds=[0,0][${width},${height}] userId=0 visible=${String(visible)} topActivity=ComponentInfo{${activities[0]?.component ?? ''}}\n\n`,
    );
  }
  return 0;
};

const SUB_COMMANDS: ReadonlyMap<string, SubCommand> = new Map<string, SubCommand>([
  ['start', start],
  ['start-activity', start],
  ['force-stop', forceStop],
  ['stop-app', forceStop],
  ['kill', kill],
  ['crash', crash],
  ['attach-agent', attachAgent],
  ['broadcast', broadcast],
  ['stack', stack],
  ['get-current-user', async (context) => print(context, '0\n')],
  ['get-started-user-state', async (context) => print(context, 'RUNNING_UNLOCKED\n')],
  ['is-user-stopped', async (context) => print(context, 'false\n')],
  ['wait-for-broadcast-idle', async (context) => print(context, 'All broadcast queues are idle!\n')],
  ['set-debug-app', async () => 0],
  ['clear-debug-app', async () => 0],
  ['startservice', startService],
  ['start-service', startService],
  ['startforegroundservice', startForegroundService],
  ['start-foreground-service', startForegroundService],
  ['stopservice', stopService],
  ['stop-service', stopService],
  ['instrument', instrument],
  ...MISC_AM,
]);

/** `am` and `cmd activity`. */
export function activityCommand(services: Services): Command {
  return serviceCommand('Activity manager (activity)', SUB_COMMANDS, services);
}
