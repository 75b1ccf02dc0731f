import type { Command, CommandContext } from '../shell/command.ts';
import { KEY_DPAD_CENTER, keyCode } from './keys.ts';
import { keyCombination, roll } from './key-input.ts';
import { MotionEvents } from './motion-input.ts';
import { throws } from './services.ts';
import type { Services } from './services.ts';
import { badNumber, inputTarget, numbers, pressKey } from './touch.ts';

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
  const motion = new MotionEvents(services);
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
      case 'motionevent':
        return motion.event(context, rest);
      case 'keycombination':
        return keyCombination(context, rest, services);
      case 'press':
        await pressKey(KEY_DPAD_CENTER, false, services);
        return 0;
      case 'roll':
        return roll(context, rest, services);
      default:
        await context.stderr.write(`Error: Unknown command: ${command}\n`);
        return 255;
    }
  };
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
  if (services.power.lockShown) {
    if (y2 < y1) await services.power.dismiss();
    return 0;
  }
  const app = inputTarget(services);
  // Nothing moves: a press that is held, which is how long presses are sent.
  if (x1 === x2 && y1 === y2) await app?.port.request('tap', { x: x1, y: y1, durationMs });
  else {
    const holdMs = command === 'draganddrop' ? DRAG_PRESS_MS : 0;
    await app?.port.request('swipe', { x1, y1, x2, y2, holdMs, durationMs });
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
  services.power.type(typed);
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
