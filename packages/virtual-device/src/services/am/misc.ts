import type { CommandContext } from '../../shell/command.ts';
import { notHere, notHereCommands } from '../not-here.ts';
import { illegalArgument, isOwner } from '../services.ts';
import type { Services, SubCommand } from '../services.ts';
import { print } from '../sub-commands.ts';

/** `am task lock stop|<id>`: an app is never locked to the screen here. */
const task: SubCommand = async (context, args) => {
  const [verb, what] = args;
  if (verb === undefined) return illegalArgument(context, 'task', 'Argument expected after "task"');
  if (verb !== 'lock') {
    await context.stderr.write(`Error: unknown command '${verb}'\n`);
    return 255;
  }
  if (what === undefined) return illegalArgument(context, 'task', 'Argument expected after "lock"');
  if (what !== 'stop') return notHere(context, 'am task lock');
  return print(context, 'Activity manager is not in lockTaskMode\n');
};

const switchUser: SubCommand = async (context, args) => {
  const user = args.find((arg) => !arg.startsWith('-')) ?? '';
  if (isOwner(user)) return 0;
  await context.stderr.write(`Error: Failed to switch to user ${user}\n`);
  return 1;
};

/** `am get-config`: the configuration as resource qualifiers, then the ABIs (AOSP `Configuration.resourceQualifierString`). */
const config: SubCommand = async (context, _args, services) => {
  await context.stdout.write(`config: ${qualifiers(services)}\nabi: ${services.profile.abi}\n`);
  return 0;
};

function qualifiers({ display, properties, profile }: Services): string {
  const [language = 'en', region] = properties.get('persist.sys.locale').split('-');
  const [width, height] = display.current;
  const dp = (px: number): number => Math.floor((px * 160) / display.density);
  const smallest = Math.min(dp(width), dp(height));
  const size = smallest >= 720 ? 'xlarge' : smallest >= 480 ? 'large' : 'normal';
  return [
    `${language}${region === undefined ? '' : `-r${region}`}`,
    'ldltr',
    `sw${smallest}dp`,
    `w${dp(width)}dp`,
    `h${dp(height)}dp`,
    size,
    Math.max(width, height) / Math.min(width, height) >= 1.75 ? 'long' : 'notlong',
    'notround',
    'nowidecg',
    'lowdr',
    width > height ? 'land' : 'port',
    display.night ? 'night' : 'notnight',
    `${display.density}dpi`,
    'finger',
    'keysexposed',
    'nokeys',
    'navhidden',
    'nonav',
    `${width}x${height}`,
    `v${profile.api}`,
  ].join('-');
}

/** `am send-trim-memory <process> <level>`: the process collects its garbage. */
const trimMemory: SubCommand = async (context, args, services) => {
  const [name = ''] = args;
  const app = services.apps
    .all()
    .find(({ processName, pid }) => processName === name || String(pid) === name);
  if (!app) return illegalArgument(context, 'send-trim-memory', `Unknown process: ${name}`);
  await app.port.request('trim', {});
  return 0;
};

const killAll: SubCommand = async (_context, _args, services) => {
  const background = services.apps.all().filter((app) => services.apps.isBackground(app));
  await Promise.all(background.map((app) => services.apps.kill(app, 'kill all background')));
  return 0;
};

const says = (text: string) => (context: CommandContext) => print(context, text);

/** What host tools ask beside starts and stops. Nothing puts apps to sleep here: they are always active. */
export const MISC_AM: readonly (readonly [string, SubCommand])[] = [
  ['task', task],
  ['switch-user', switchUser],
  ['get-config', config],
  ['send-trim-memory', trimMemory],
  ['kill-all', killAll],
  ['get-inactive', says('Idle=false\n')],
  ['set-inactive', async () => 0],
  // AppStandbyController prints its own number of ACTIVE, not that of UsageStatsManager.
  ['get-standby-bucket', says('5\n')],
  ['set-standby-bucket', async () => 0],
  ['supports-multiwindow', says('false\n')],
  ['supports-split-screen-multi-window', says('false\n')],
  ['clear-recent-apps', async () => 0],
  ...notHereCommands('am', [
    'monitor',
    'hang',
    'dumpheap',
    'profile',
    'start-user',
    'stop-user',
    'restart',
    'compat',
    'screen-compat',
    'package-importance',
    'to-uri',
    'to-intent-uri',
    'to-app-uri',
    'idle-maintenance',
    'get-uid-state',
    'watch-uids',
    'display',
    'freeze',
    'unfreeze',
  ]),
];
