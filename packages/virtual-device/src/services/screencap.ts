import { strerror } from '../fs/errno.ts';
import { complain, parseOptions, pathOf } from '../shell/command.ts';
import type { Command } from '../shell/command.ts';
import { plainPng } from '../system/png.ts';
import type { Services } from './services.ts';

/** Dark grey, so that a launcher is told from a black (protected or switched off) screen. */
const LAUNCHER_COLOR = 0x303840;

/** The screen as a PNG. */
export async function screenshot({ apps, display, power }: Services): Promise<Buffer> {
  const [width, height] = display.current;
  if (!power.awake) return plainPng(width, height, 0);
  const shot = await apps.front?.port.request('screenshot', {});
  if (!shot?.ok) return plainPng(width, height, LAUNCHER_COLOR);
  // A window with FLAG_SECURE is black for everybody but the user.
  return shot.value.secure ? plainPng(width, height, 0) : Buffer.from(shot.value.png, 'base64');
}

/** `screencap [-p] [-d <display>] [FILE]`; only PNG, which a file name that ends so asks for, too. */
export function screencapCommand(services: Services): Command {
  return async (context) => {
    const { flags, rest } = parseOptions(context.args, 'phja', 'd');
    const [file] = rest;
    if (!flags.has('p') && !file?.endsWith('.png')) {
      return complain(context, 'raw pixels are not supported by the Jugg virtual device, use -p');
    }
    const png = await screenshot(services);
    if (file === undefined) {
      await context.stdout.write(png);
      return 0;
    }
    const written = await context.fs.writeFile(pathOf(context, file), png);
    if (written.ok) return 0;
    await context.stderr.write(`Error opening file: ${file} (${strerror(written.errno)})\n`);
    return 1;
  };
}
