import { strerror } from '../fs/errno.ts';
import { complain, parseOptions, pathOf } from '../shell/command.ts';
import type { Command } from '../shell/command.ts';
import { plainPng, readPng } from '../system/png.ts';
import type { Services } from './services.ts';

/** Dark grey, so that a launcher is told from a black (protected or switched off) screen. */
const LAUNCHER_COLOR = 0x303840;

const LOCK_SCREEN_COLOR = 0x182028;

/** The screen as a PNG. */
export async function screenshot({ apps, display, power }: Services): Promise<Buffer> {
  const [width, height] = display.current;
  if (!power.awake) return plainPng(width, height, 0);
  if (power.lockShown) return plainPng(width, height, LOCK_SCREEN_COLOR);
  const shot = await apps.front?.port.request('screenshot', {});
  if (!shot?.ok) return plainPng(width, height, LAUNCHER_COLOR);
  // A window with FLAG_SECURE is black for everybody but the user.
  return shot.value.secure ? plainPng(width, height, 0) : Buffer.from(shot.value.png, 'base64');
}

/** Pixel format and colour space of the raw picture (AOSP `PIXEL_FORMAT_RGBA_8888`, `COLORSPACE_UNKNOWN`). */
const RGBA_8888 = 1;
const COLORSPACE_UNKNOWN = 0;

const USAGE =
  'usage: screencap [-hp] [-d display-id] [FILENAME]\n   -h: this message\n   -p: save the file as a png.\n';

/** `screencap [-p] [-d <display>] [FILE]`: a PNG, which a file name that ends so asks for too, or raw pixels. */
export function screencapCommand(services: Services): Command {
  return async (context) => {
    const { flags, rest } = parseOptions(context.args, 'phja', 'd');
    const [file] = rest;
    if (flags.has('h')) {
      await context.stderr.write(USAGE);
      return 1;
    }
    const png = await screenshot(services);
    const picture = flags.has('p') || file?.endsWith('.png') ? png : await rawPixels(png);
    if (!picture) return complain(context, 'the picture cannot be turned into raw pixels');
    if (file === undefined) {
      await context.stdout.write(picture);
      return 0;
    }
    const written = await context.fs.writeFile(pathOf(context, file), picture);
    if (written.ok) return 0;
    await context.stderr.write(`Error opening file: ${file} (${strerror(written.errno)})\n`);
    return 1;
  };
}

async function rawPixels(png: Buffer): Promise<Buffer | null> {
  const pixels = await readPng(png);
  if (!pixels) return null;
  const header = Buffer.alloc(16);
  for (const [index, word] of [pixels.width, pixels.height, RGBA_8888, COLORSPACE_UNKNOWN].entries()) {
    header.writeUInt32LE(word, index * 4);
  }
  return Buffer.concat([header, pixels.rgba]);
}
