import { matchingActivities } from '../packages/intents.ts';
import type { Command } from '../shell/command.ts';
import { contentCommand } from './content-command.ts';
import { svcCommand } from './radios.ts';
import type { RunningTools } from './running-tools.ts';
import { screenrecordCommand } from './screenrecord.ts';
import { startActivity } from './start-activity.ts';
import type { Services } from './services.ts';

const IME = 'dev.jugg.ime/.InputMethod';

/** Small tools of the system image. */
export function miscCommands(
  services: Services,
  tools: RunningTools,
): readonly (readonly [string, Command])[] {
  return [
    ['monkey', monkey(services)],
    ['ime', ime],
    ['svc', svcCommand(services)],
    ['service', service],
    ['content', contentCommand(services)],
    ...['app_process', 'app_process64', 'app_process32', 'dalvikvm'].map((name): [string, Command] => [
      name,
      (context) => refuse(context, name),
    ]),
    ['dumpstate', async (context) => refuse(context, 'dumpstate')],
    ['bugreport', async (context) => refuse(context, 'bugreport')],
    ['bugreportz', bugreportz],
    ['reboot', reboot(services)],
    ['getevent', async (context) => refuse(context, 'getevent')],
    ['sendevent', async (context) => refuse(context, 'sendevent')],
    ['screenrecord', screenrecordCommand(services, tools)],
  ];
}

async function refuse(context: Parameters<Command>[0], name: string): Promise<number> {
  await context.stderr.write(`${name}: not supported by the Jugg virtual device\n`);
  return 1;
}

/** `monkey -p <package> -c android.intent.category.LAUNCHER 1`: starts an app; random events are not made. */
function monkey(services: Services): Command {
  return async ({ args, stdout, stderr, uid }) => {
    const value = (option: string): string | undefined => {
      const at = args.indexOf(option);
      return at < 0 ? undefined : args[at + 1];
    };
    const packageName = value('-p');
    const intent = {
      action: 'android.intent.action.MAIN',
      categories: [value('-c') ?? 'android.intent.category.LAUNCHER'],
      flags: 0x1020_0000,
      extras: {},
      ...(packageName === undefined ? {} : { packageName }),
    };
    await stderr.write(`args: [${args.join(', ')}]\n`);
    const found = matchingActivities(intent, services.database.all())[0];
    if (!found) {
      await stdout.write('** No activities found to run, monkey aborted.\n');
      return 252;
    }
    await startActivity(services, intent, uid);
    await stdout.write(
      'Events injected: 1\n## Network stats: elapsed time=20ms (0ms mobile, 0ms wifi, 20ms not connected)\n',
    );
    return 0;
  };
}

const ime: Command = async ({ args, stdout, stderr }) => {
  const [command = '', ...rest] = args;
  if (command === 'list') {
    await stdout.write(
      rest.includes('-s') ? `${IME}\n` : `${IME}:\n  mId=${IME} mSettingsActivityName=null mIsVrOnly=false\n`,
    );
    return 0;
  }
  if ((command === 'set' || command === 'enable') && rest.includes(IME)) {
    await stdout.write(
      `Input method ${IME} ${command === 'set' ? 'selected for user #0' : 'already enabled for user #0'}\n`,
    );
    return 0;
  }
  await stderr.write(`Unknown input method ${rest.at(-1) ?? ''} cannot be ${command} for user #0\n`);
  return 1;
};

/** The version, then a refusal in the words that `adb bugreport` understands (AOSP bugreportz/readme.md). */
const bugreportz: Command = async ({ args, stdout, stderr }) => {
  if (args.includes('-v')) {
    await stderr.write('1.1\n');
    return 0;
  }
  await stdout.write('FAIL:not supported by the Jugg virtual device\n');
  return 0;
};

function reboot(services: Services): Command {
  return async () => {
    services.reboot();
    return 0;
  };
}

const SERVICES = [
  'activity',
  'appops',
  'battery',
  'connectivity',
  'deviceidle',
  'display',
  'input',
  'input_method',
  'location',
  'notification',
  'package',
  'power',
  'settings',
  'statusbar',
  'uimode',
  'window',
];

const service: Command = async ({ args, stdout, stderr }) => {
  const [command, name = ''] = args;
  if (command === 'call') {
    if (!SERVICES.includes(name)) {
      await stderr.write(`service: Service ${name} does not exist\n`);
      return 10;
    }
    // What a service says to a transaction that it does not know: numbers mean another call on every release.
    await stdout.write('Result: Parcel(Error: 0xffffffffffffffb6 "Not a data message")\n');
    return 0;
  }
  if (command === 'check') {
    await stdout.write(`Service ${name}: ${SERVICES.includes(name) ? 'found' : 'not found'}\n`);
    return 0;
  }
  const lines = SERVICES.map((each, index) => `${index}\t${each}: []\n`);
  await stdout.write(`Found ${SERVICES.length} services:\n${lines.join('')}`);
  return 0;
};
