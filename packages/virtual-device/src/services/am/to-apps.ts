import { toRequest } from '../../apps/app-manager.ts';
import type { RunningApp } from '../../apps/app-process-record.ts';
import { intentText } from '../../packages/intents.ts';
import type { ShellIntent } from '../../packages/intents.ts';
import { parseIntentArgs } from '../intent-args.ts';
import { illegalArgument } from '../services.ts';
import type { Services, SubCommand } from '../services.ts';

/** `Intent.FLAG_RECEIVER_FROM_SHELL` */
const FROM_SHELL = 0x40_0000;

/** `am broadcast`: apps that run hear of it; a device would also start apps whose manifest has a receiver. */
export const broadcast: SubCommand = async (context, args, services) => {
  const parsed = parseIntentArgs(args, { '--user': true, '--receiver-permission': true, '--async': false });
  if (!parsed.ok) return illegalArgument(context, 'broadcast', parsed.message);
  const intent = { ...parsed.intent, flags: parsed.intent.flags | FROM_SHELL };
  await context.stdout.write(`Broadcasting: ${intentText(intent)}\n`);
  await Promise.all(
    receiversOf(intent, services).map((app) => app.port.request('broadcast', request(intent))),
  );
  await context.stdout.write('Broadcast completed: result=0\n');
  return 0;
};

/** `am startservice`: Android lets the shell start services of apps that run only. */
export const startService: SubCommand = async (context, args, services) => {
  const parsed = parseIntentArgs(args, { '--user': true });
  if (!parsed.ok) return illegalArgument(context, 'startservice', parsed.message);
  const { intent } = parsed;
  await context.stdout.write(`Starting service: ${intentText(intent)}\n`);
  const [app] = receiversOf(intent, services);
  const answer = await app?.port.request('startService', request(intent));
  if (answer?.ok && answer.value.found) return 0;
  const why = app ? 'Not found; no service started.' : 'app is in background uid null';
  await context.stderr.write(`Error: ${why}\n`);
  return 255;
};

function request(intent: ShellIntent): ReturnType<typeof toRequest> & { component?: string } {
  const { component } = intent;
  return { ...toRequest(intent), ...(component === undefined ? {} : { component }) };
}

/** The running apps that an intent may mean: those of the package that it names, else all. */
function receiversOf(intent: ShellIntent, services: Services): readonly RunningApp[] {
  const named = intent.component?.split('/')[0] ?? intent.packageName;
  return services.apps.all().filter(({ packageName }) => named === undefined || packageName === named);
}
