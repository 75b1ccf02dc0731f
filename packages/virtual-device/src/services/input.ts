import type { RunningApp } from '../apps/app-process-record.ts';
import type { Command, CommandContext } from '../shell/command.ts';
import { KEY_HOME, keyCode, KEY_POWER, KEY_SLEEP, KEY_WAKEUP } from './keys.ts';
import { throws } from './services.ts';
import type { Services } from './services.ts';

const SOURCES = new Set([
  'dpad',
  'gamepad',
  'joystick',
  'keyboard',
  'mouse',
  'rotaryencoder',
  'stylus',
  'touchnavigation',
  'touchpad',
  'touchscreen',
  'trackball',
]);

/** AOSP InputShellCommand: 300 ms for a swipe, and the long-press time-out for the press that begins a drag. */
const SWIPE_MS = 300;
const DRAG_PRESS_MS = 500;

/** `input [<source>] [-d <display>] <command> [<args>…]` */
export function inputCommand(services: Services): Command {
  return async (context) => {
    let args = [...context.args];
    if (SOURCES.has(args[0] ?? '')) args = args.slice(1);
    if (args[0] === '-d') args = args.slice(2);
    const [command = '', ...rest] = args;
    switch (command) {
      case 'tap':
        return tap(context, rest, services);
      case 'swipe':
      case 'draganddrop':
        return swipe(context, command, rest, services);
      case 'text':
        return text(context, rest, services);
      case 'keyevent':
        return keyEvent(context, rest, services);
      case 'press':
      case 'roll':
      case 'motionevent':
      case 'keycombination':
        await context.stderr.write(`Error: input ${command} is not supported by the Jugg virtual device\n`);
        return 1;
      default:
        await context.stderr.write(`Error: Unknown command: ${command}\n`);
        return 255;
    }
  };
}

/** What takes touches and keys: nothing while the screen is off or the launcher is in front. */
export function inputTarget(services: Services): RunningApp | null {
  return services.power.awake ? services.apps.front : null;
}

function numbers(args: readonly string[], count: number): number[] | null {
  const values = args.slice(0, count).map(Number);
  return args.length < count || values.some((value) => Number.isNaN(value)) ? null : values;
}

function badNumber(
  context: CommandContext,
  command: string,
  args: readonly string[],
  count: number,
): Promise<number> {
  if (args.length < count)
    return throws(
      context,
      command,
      'java.lang.IllegalArgumentException: Argument expected after "' + (args.at(-1) ?? command) + '"',
    );
  const bad = args.find((arg) => Number.isNaN(Number(arg))) ?? '';
  return throws(context, command, `java.lang.NumberFormatException: For input string: "${bad}"`);
}

async function tap(context: CommandContext, args: readonly string[], services: Services): Promise<number> {
  const [x, y] = numbers(args, 2) ?? [];
  if (x === undefined || y === undefined) return badNumber(context, 'tap', args, 2);
  await inputTarget(services)?.port.request('tap', { x, y });
  return 0;
}

async function swipe(
  context: CommandContext,
  command: string,
  args: readonly string[],
  services: Services,
): Promise<number> {
  const [x1, y1, x2, y2] = numbers(args, 4) ?? [];
  if (x1 === undefined || y1 === undefined || x2 === undefined || y2 === undefined) {
    return badNumber(context, command, args, 4);
  }
  const given = Number(args[4] ?? SWIPE_MS);
  if (Number.isNaN(given)) return badNumber(context, command, args, 5);
  const durationMs = given < 0 ? SWIPE_MS : given;
  const app = inputTarget(services);
  // Nothing moves: a press that is held, which is how long presses are sent.
  if (x1 === x2 && y1 === y2) await app?.port.request('tap', { x: x1, y: y1, durationMs });
  else {
    const held = command === 'draganddrop' ? DRAG_PRESS_MS : 0;
    await app?.port.request('swipe', { x1, y1, x2, y2, durationMs: durationMs + held });
  }
  return 0;
}

/** `%s` is a blank. Characters that no key of the virtual keyboard makes break the real tool in this way, too. */
async function text(context: CommandContext, args: readonly string[], services: Services): Promise<number> {
  const [given] = args;
  if (given === undefined)
    return throws(context, 'text', 'java.lang.IllegalArgumentException: Argument expected after "text"');
  const typed = given.replaceAll('%s', ' ');
  if (/[^\u0020-\u007e\t\n]/.test(typed)) {
    return throws(
      context,
      'text',
      'java.lang.NullPointerException: Attempt to get length of null array',
      'com.android.server.input.InputShellCommand.sendText(InputShellCommand.java:338)',
    );
  }
  await inputTarget(services)?.port.request('text', { text: typed });
  return 0;
}

async function keyEvent(
  context: CommandContext,
  args: readonly string[],
  services: Services,
): Promise<number> {
  const longPress = args.includes('--longpress');
  const names = args.filter((arg) => !arg.startsWith('--'));
  const times = args.includes('--doubletap') ? 2 : 1;
  if (names.length === 0)
    return throws(
      context,
      'keyevent',
      'java.lang.IllegalArgumentException: Argument expected after "keyevent"',
    );
  for (const name of names) {
    const code = keyCode(name);
    if (code === null) {
      await context.stderr.write(`Error: Unknown keycode: ${name}\n`);
      return 255;
    }
    for (let time = 0; time < times; time++) await pressKey(code, longPress, services);
  }
  return 0;
}

/** A key as a person presses it: those of the system do what they do on a phone, others go to the app. */
export async function pressKey(code: number, longPress: boolean, services: Services): Promise<void> {
  const { power } = services;
  if (code === KEY_POWER) power.awake = !power.awake;
  else if (code === KEY_SLEEP) power.awake = false;
  else if (code === KEY_WAKEUP) power.awake = true;
  else if (code === KEY_HOME) await services.apps.goHome();
  else await inputTarget(services)?.port.request('key', { keyCode: code, longPress });
}
