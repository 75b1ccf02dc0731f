import type { RunningApp } from '../apps/app-process-record.ts';
import type { CommandContext } from '../shell/command.ts';
import type { Power } from '../system/power.ts';
import { KEY_BACK, KEY_ENTER, KEY_HOME, KEY_MENU, KEY_POWER, KEY_SLEEP, KEY_WAKEUP } from './keys.ts';
import { throws } from './services.ts';
import type { Services } from './services.ts';

/** What takes touches and keys: nothing while the screen is off or locked, or the launcher is in front. */
export function inputTarget(services: Services): RunningApp | null {
  return services.power.interactive ? services.apps.front : null;
}

export function numbers(args: readonly string[], count: number): number[] | null {
  const values = args.slice(0, count).map(Number);
  return args.length < count || values.some((value) => Number.isNaN(value)) ? null : values;
}

export function badNumber(
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

/** A key as a person presses it: those of the system do what they do on a phone, others go to the app. */
export async function pressKey(code: number, longPress: boolean, services: Services): Promise<void> {
  const { power } = services;
  if (code === KEY_POWER) await (power.awake ? power.sleep() : power.wake());
  else if (code === KEY_SLEEP) await power.sleep();
  else if (code === KEY_WAKEUP) await power.wake();
  else if (power.lockShown) await keyAtLockScreen(code, power);
  else if (code === KEY_HOME) await services.apps.goHome();
  else await inputTarget(services)?.port.request('key', { keyCode: code, longPress });
}

const KEY_0 = 7;

async function keyAtLockScreen(code: number, power: Power): Promise<void> {
  if (code === KEY_MENU) await power.dismiss();
  else if (code === KEY_ENTER) await power.enter();
  else if (code === KEY_BACK) power.back();
  else if (code >= KEY_0 && code <= KEY_0 + 9) power.type(String(code - KEY_0));
}
