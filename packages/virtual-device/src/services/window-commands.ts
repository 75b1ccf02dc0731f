import type { Command, CommandContext } from '../shell/command.ts';
import type { Services } from './services.ts';

/** `wm size|density [<value>|reset]` */
export function windowCommand(services: Services): Command {
  return async (context) => {
    const [command = '', value] = context.args.filter((arg, at, all) => arg !== '-d' && all[at - 1] !== '-d');
    if (command === 'size') return size(context, value, services);
    if (command === 'density') return density(context, value, services);
    if (command === 'dismiss-keyguard') {
      await services.power.dismiss();
      return 0;
    }
    if (command === 'user-rotation' || command === 'set-user-rotation') return rotation(context, services);
    await context.stdout.write(`Unknown command: ${command}\n`);
    return 255;
  };
}

async function size(
  context: CommandContext,
  value: string | undefined,
  { display }: Services,
): Promise<number> {
  if (value === undefined) {
    await context.stdout.write(`Physical size: ${display.physicalSize.join('x')}\n`);
    if (display.overrideSize)
      await context.stdout.write(`Override size: ${display.overrideSize.join('x')}\n`);
    return 0;
  }
  const match = sizeOf(value, display.density);
  if (value !== 'reset' && !match) {
    await context.stderr.write(`Error: bad size ${value}\n`);
    return 255;
  }
  const [width, height] = match ?? [0, 0];
  // The window manager clamps to twice the physical size and 200 px.
  const clamp = (wanted: number, physical: number): number => Math.min(Math.max(wanted, 200), physical * 2);
  display.overrideSize = match
    ? [clamp(width, display.physicalSize[0]), clamp(height, display.physicalSize[1])]
    : null;
  await display.apply();
  return 0;
}

/** `1080x2400` in px or `411dpx914dp`. */
function sizeOf(text: string, density: number): readonly [number, number] | null {
  const match = /^(\d+)(dp)?x(\d+)(dp)?$/.exec(text);
  if (!match || match[2] !== match[4]) return null;
  const px = (value: string | undefined): number =>
    Math.round(Number(value) * (match[2] === undefined ? 1 : density / 160));
  return [px(match[1]), px(match[3])];
}

async function density(
  context: CommandContext,
  value: string | undefined,
  { display }: Services,
): Promise<number> {
  if (value === undefined) {
    await context.stdout.write(`Physical density: ${display.physicalDensity}\n`);
    if (display.overrideDensity) await context.stdout.write(`Override density: ${display.overrideDensity}\n`);
    return 0;
  }
  const wanted = Number(value);
  if (value !== 'reset' && (!Number.isInteger(wanted) || wanted < 72)) {
    await context.stderr.write('Error: density must be >= 72\n');
    return 255;
  }
  display.overrideDensity = value === 'reset' ? null : wanted;
  await display.apply();
  return 0;
}

async function rotation(context: CommandContext, { display }: Services): Promise<number> {
  const value = context.args.find((arg) => /^[0-3]$/.test(arg));
  if (context.args.includes('lock') && value !== undefined) {
    display.userRotation = toRotation(value);
    await display.apply();
  } else await context.stdout.write(`lock ${display.userRotation}\n`);
  return 0;
}

export function toRotation(value: string): 0 | 1 | 2 | 3 {
  const turns = Number(value) % 4;
  return turns === 1 || turns === 2 || turns === 3 ? turns : 0;
}
