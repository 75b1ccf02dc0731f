import type { AskedByApp } from '../../apps/app-manager-host.ts';
import { toRequest } from '../../apps/intent-request.ts';
import type { RunningApp } from '../../apps/app-process-record.ts';
import { matchingComponents } from '../../packages/components.ts';
import { intentText } from '../../packages/intents.ts';
import type { Resolved, ShellIntent } from '../../packages/intents.ts';
import { shortComponent } from '../../packages/record.ts';
import type { ScreenBroadcast } from '../../system/power.ts';
import { parseIntentArgs } from '../intent-args.ts';
import { illegalArgument } from '../services.ts';
import type { Services, SubCommand } from '../services.ts';
import { grant, startActivity } from '../start-activity.ts';

/** `Intent.FLAG_RECEIVER_FROM_SHELL`, `FLAG_INCLUDE_STOPPED_PACKAGES`, `FLAG_RECEIVER_REGISTERED_ONLY` */
const FROM_SHELL = 0x40_0000;
const INCLUDE_STOPPED = 0x20;
const REGISTERED_ONLY = 0x4000_0000;

/** From this target on, a broadcast that names no app does not start receivers of manifests (Android 8). */
const BACKGROUND_LIMITS = 26;

const USER_OPTIONS = { '--user': true, '--receiver-permission': true, '--async': false } as const;

/** Android's own uids: of the system, of adb's shell. */
const SYSTEM_UID = 1000;
const SHELL_UID = 2000;

/** Who sends a broadcast; of one that is ordered the result is waited for. */
interface Sender {
  readonly app: RunningApp | null;
  readonly uid: number;
  readonly ordered: boolean;
}

/** What the receivers of an ordered broadcast made of its result. */
interface BroadcastResult {
  readonly code: number;
  readonly data: string | undefined;
}

/** `am broadcast`: ordered, as AOSP's `runSendBroadcast` sends it. */
export const broadcast: SubCommand = async (context, args, services) => {
  const parsed = parseIntentArgs(args, USER_OPTIONS);
  if (!parsed.ok) return illegalArgument(context, 'broadcast', parsed.message);
  const intent = { ...parsed.intent, flags: parsed.intent.flags | FROM_SHELL };
  await context.stdout.write(`Broadcasting: ${intentText(intent)}\n`);
  const sender = { app: null, uid: SHELL_UID, ordered: true };
  const { code, data } = await deliver(services, intent, sender);
  const text = data === undefined ? '' : `, data="${data}"`;
  await context.stdout.write(`Broadcast completed: result=${code}${text}\n`);
  return 0;
};

/** What the system says of the screen; of its going on and off only those hear who have registered. */
export async function broadcastFromSystem(services: Services, action: ScreenBroadcast): Promise<void> {
  const intent = {
    action: `android.intent.action.${action}`,
    categories: [],
    flags: action === 'USER_PRESENT' ? 0 : REGISTERED_ONLY,
    extras: {},
  };
  await deliver(services, intent, { app: null, uid: SYSTEM_UID, ordered: false });
}

/** To all that run, and to receivers of manifests whose processes are started for it. Who sends it has had it. */
async function deliver(services: Services, intent: ShellIntent, from: Sender): Promise<BroadcastResult> {
  const named = intent.component?.split('/')[0] ?? intent.packageName;
  const running = services.apps
    .all()
    .filter((app) => app !== from.app && (named === undefined || app.packageName === named));
  const idle =
    (intent.flags & REGISTERED_ONLY) === 0
      ? receivers(services, intent, named !== undefined).filter(
          ({ component }) =>
            component.process !== from.app?.processName && !services.apps.byProcessName(component.process),
        )
      : [];
  for (const { record } of [...running, ...idle]) grant(services, intent, record);
  const params = { fromUid: from.uid, ordered: from.ordered };
  const answers = await Promise.all([
    ...running.map((app) => app.port.request('broadcast', { ...request(intent), ...params })),
    ...idle.map(async (target) => {
      const app = await started(services, 'broadcast', target);
      return app?.port.request('broadcast', { ...request(naming(intent, target)), ...params });
    }),
  ]);
  const results = answers.flatMap((answer) => (answer?.ok ? [answer.value] : []));
  const told = results.findLast(({ code, data }) => (code ?? 0) !== 0 || data !== undefined);
  return { code: told?.code ?? 0, data: told?.data };
}

function receivers(services: Services, intent: ShellIntent, explicit: boolean): Resolved[] {
  return matchingComponents('receiver', intent, services.database.all()).filter(
    ({ record }) =>
      (explicit || record.manifest.targetSdk < BACKGROUND_LIMITS) &&
      (!record.stopped || (intent.flags & INCLUDE_STOPPED) !== 0),
  );
}

function naming(intent: ShellIntent, { record, component }: Resolved): ShellIntent {
  return { ...intent, component: shortComponent(record.manifest.packageName, component.name) };
}

/** The process of a component, started where it does not run. */
async function started(
  services: Services,
  kind: 'broadcast' | 'service',
  { record, component }: Resolved,
): Promise<RunningApp | null> {
  const app = await services.apps.process(record, component.process, { kind, className: component.name });
  if (!('message' in app)) return app;
  services.log.system('ActivityManager', `Unable to start ${component.name}: ${app.message}`, 'W');
  return null;
}

/** Starts a service, in its process. */
async function toService(services: Services, target: Resolved, intent: ShellIntent): Promise<boolean> {
  const app = await started(services, 'service', target);
  const answer = await app?.port.request('startService', request(naming(intent, target)));
  return answer?.ok === true && answer.value.found;
}

function startServiceCommand(foreground: boolean): SubCommand {
  return async (context, args, services) => {
    const name = foreground ? 'start-foreground-service' : 'startservice';
    const parsed = parseIntentArgs(args, { '--user': true });
    if (!parsed.ok) return illegalArgument(context, name, parsed.message);
    const { intent } = parsed;
    await context.stdout.write(`Starting service: ${intentText(intent)}\n`);
    const fail = async (why: string): Promise<number> => {
      await context.stderr.write(`Error: ${why}\n`);
      return 255;
    };
    const [target] = matchingComponents('service', intent, services.database.all());
    if (!target) return fail('Not found; no service started.');
    const { record, component } = target;
    if (!component.exported && context.uid !== record.uid)
      return fail(`Requires permission not exported from uid ${record.uid}`);
    // Since Android 8 only a foreground service may be started for an app that does not run.
    const runs = services.apps.all().some(({ packageName }) => packageName === record.manifest.packageName);
    if (!foreground && !runs && record.manifest.targetSdk >= BACKGROUND_LIMITS)
      return fail('app is in background uid null');
    return (await toService(services, target, intent)) ? 0 : fail('Not found; no service started.');
  };
}

/** `am startservice` */
export const startService = startServiceCommand(false);
/** `am start-foreground-service` */
export const startForegroundService = startServiceCommand(true);

/** `am stopservice` (AOSP `runStopService`: each of its outcomes but a crash exits with 255). */
export const stopService: SubCommand = async (context, args, services) => {
  const parsed = parseIntentArgs(args, { '--user': true });
  if (!parsed.ok) return illegalArgument(context, 'stopservice', parsed.message);
  await context.stdout.write(`Stopping service: ${intentText(parsed.intent)}\n`);
  const stopped = await stop(services, parsed.intent);
  await context.stderr.write(stopped ? 'Service stopped\n' : 'Service not stopped: was not running.\n');
  return 255;
};

async function stop(services: Services, intent: ShellIntent): Promise<boolean> {
  const [target] = matchingComponents('service', intent, services.database.all());
  const app = target && services.apps.byProcessName(target.component.process);
  const answer = await app?.port.request('stopService', request(intent));
  return answer?.ok === true && answer.value.found;
}

/** Does what an app asks of other processes. */
export async function answerApp(
  services: Services,
  app: RunningApp,
  event: AskedByApp['event'],
  asked: ShellIntent,
): Promise<void> {
  // The app was told before if it may not; who asks all the same gives nothing.
  const mayGrant = services.grants.trouble(app.record, null, asked.grantedUris ?? [], asked.flags) === null;
  const intent = mayGrant ? asked : { ...asked, grantedUris: [] };
  switch (event) {
    case 'started':
      await startActivity(services, intent, app.uid);
      break;
    case 'startService': {
      const [target] = matchingComponents('service', intent, services.database.all());
      const allowed = target && (target.component.exported || target.record.uid === app.uid);
      if (allowed) grant(services, intent, target.record);
      if (allowed) await toService(services, target, intent);
      break;
    }
    case 'stopService':
      await stop(services, intent);
      break;
    case 'broadcast':
      await deliver(services, intent, { app, uid: app.uid, ordered: false });
      break;
  }
}

function request(intent: ShellIntent): ReturnType<typeof toRequest> & { component?: string } {
  const { component } = intent;
  return { ...toRequest(intent), ...(component === undefined ? {} : { component }) };
}
