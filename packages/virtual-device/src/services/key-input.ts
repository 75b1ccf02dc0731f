import type { CommandContext } from '../shell/command.ts';
import { badNumber, inputTarget, numbers, pressKey } from './touch.ts';
import { keyCode, META_BITS } from './keys.ts';
import type { Services } from './services.ts';

/** `input keycombination <key> <key> …`: all are held together; those that are no modifiers are pressed with them. */
export async function keyCombination(
  context: CommandContext,
  args: readonly string[],
  services: Services,
): Promise<number> {
  const names = args.filter((arg, at) => !arg.startsWith('-') && args[at - 1] !== '-t');
  if (services.profile.api < 31 || names.length < 2) {
    const old = services.profile.api < 31;
    await context.stderr.write(
      old
        ? 'Error: Unknown command: keycombination\n'
        : 'Error: keycombination requires at least 2 keycodes\n',
    );
    return 255;
  }
  let metaState = 0;
  const keys: number[] = [];
  for (const name of names) {
    const code = keyCode(name);
    if (code === null) {
      await context.stderr.write(`Error: Unknown keycode: ${name}\n`);
      return 255;
    }
    const bits = META_BITS.get(code);
    if (bits === undefined) keys.push(code);
    else metaState |= bits;
  }
  for (const code of keys) {
    if (metaState === 0) await pressKey(code, false, services);
    else await inputTarget(services)?.port.request('key', { keyCode: code, metaState });
  }
  return 0;
}

const DPAD = { up: 19, down: 20, left: 21, right: 22 } as const;

/** `input roll <dx> <dy>`: a trackball; what no view takes becomes arrow keys (AOSP `SyntheticTrackballHandler`). */
export async function roll(
  context: CommandContext,
  args: readonly string[],
  services: Services,
): Promise<number> {
  const [dx, dy] = numbers(args, 2) ?? [];
  if (dx === undefined || dy === undefined) return badNumber(context, 'roll', args, 2);
  const sideways = Math.abs(dx) > Math.abs(dy);
  const amount = sideways ? dx : dy;
  const code = sideways ? (dx < 0 ? DPAD.left : DPAD.right) : dy < 0 ? DPAD.up : DPAD.down;
  for (let step = 0; step < Math.min(Math.abs(Math.round(amount)), 20); step++)
    await pressKey(code, false, services);
  return 0;
}
