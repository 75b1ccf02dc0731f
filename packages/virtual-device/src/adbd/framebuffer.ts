import type { AdbStream } from '../../../jugg/src/adb/stream.ts';
import { readPng } from '../system/png.ts';

/** DDMS_RAWIMAGE_VERSION of AOSP daemon/framebuffer_service.cpp. */
const VERSION = 2;

/** Offset and length in bits of red, blue, green, alpha in a pixel of RGBA_8888. */
const CHANNELS = [0, 8, 16, 8, 8, 8, 24, 8];

/** `framebuffer:`: a header of 32-bit words, then the pixels. */
export async function serveFramebuffer(stream: AdbStream, screenshot: () => Promise<Buffer>): Promise<void> {
  const pixels = await readPng(await screenshot());
  if (!pixels) {
    stream.destroy();
    return;
  }
  const { width, height, rgba } = pixels;
  const words = [VERSION, 32, 0, rgba.length, width, height, ...CHANNELS];
  const header = Buffer.alloc(words.length * 4);
  for (const [index, word] of words.entries()) header.writeUInt32LE(word, index * 4);
  stream.end(Buffer.concat([header, rgba]));
}
