import type { AdbConnection } from '../adb/types.ts';
import { findPng } from '../formats/screen.ts';
import { fail, ok, type Result } from '../shared/outcome.ts';
import { isBlack } from './picture.ts';
import type { Screenshot } from './types.ts';

/** What `screencap` says in front of the picture (foldables warn about several displays) is left out. */
export async function takeScreenshot(
  connection: AdbConnection,
  signal: AbortSignal,
): Promise<Result<Screenshot>> {
  const output = await connection.exec(['screencap', '-p'], { signal });
  if (!output.ok) return output;
  const found = findPng(output.value);
  if (!found) {
    const said = output.value.toString('utf8', 0, 300).trim();
    return fail('FEATURE_NOT_SUPPORTED', `The device took no picture${said === '' ? '.' : `: ${said}`}`);
  }
  const { width, height, offset } = found;
  const png = output.value.subarray(offset);
  return ok({ png, width, height, black: isBlack(png, width * height) });
}
