import type { AdbConnection } from '../adb/types.ts';
import { inputResult } from '../formats/text-input.ts';
import { fail, ok, type Result } from '../shared/outcome.ts';
import { run } from './shell.ts';

/** Key codes end far below this (AOSP `KeyEvent`); a number above is a mistake. */
const MAX_CODE = 1023;

/** What `input keyevent` is given for `BACK`, `KEYCODE_BACK`, `back`, `4` or 4. */
export function keyArgument(key: string | number): Result<string> {
  const text = String(key).trim().toUpperCase();
  if (/^\d{1,4}$/.test(text) && Number(text) <= MAX_CODE) return ok(String(Number(text)));
  if (/^(?:KEYCODE_)?[A-Z][A-Z0-9_]*$/.test(text)) return ok(`KEYCODE_${text.replace(/^KEYCODE_/, '')}`);
  return unknownKey(key);
}

/** Presses keys one after the other; `INVALID_PARAMS` for a key that the device does not know. */
export async function pressKeys(
  connection: AdbConnection,
  keys: readonly string[],
  signal: AbortSignal,
): Promise<Result<void>> {
  const output = await run(connection, ['input', 'keyevent', ...keys], signal);
  if (!output.ok) return output;
  const { all, exitCode } = output.value;
  if (/Unknown keycode/i.test(all)) return unknownKey(keys.join(' '));
  return inputResult(all, exitCode);
}

function unknownKey(key: string | number): Result<never> {
  return fail(
    'INVALID_PARAMS',
    `key: got ${JSON.stringify(key)}, expected BACK, HOME, ENTER, TAB, DEL, another KEYCODE_ name or its number`,
  );
}
