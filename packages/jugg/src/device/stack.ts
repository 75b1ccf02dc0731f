import type { AdbConnection } from '../adb/types.ts';
import { parseActivities } from '../formats/activities.ts';
import { parseWindowFocus } from '../formats/window-focus.ts';
import { fail, ok, type Result } from '../shared/outcome.ts';
import { run } from './shell.ts';
import type { ActivityStack } from './types.ts';

const STACK_COMMAND = 'dumpsys activity activities';
/** Since Android 10 the focus is printed with the displays, before with the windows. */
const DISPLAYS_API = 29;

export async function readStack(
  connection: AdbConnection,
  { api, user }: { readonly api: number; readonly user: number },
  signal: AbortSignal,
): Promise<Result<ActivityStack>> {
  const [activities, windows] = await Promise.all([
    run(connection, STACK_COMMAND, signal),
    run(connection, `dumpsys window ${api >= DISPLAYS_API ? 'displays' : 'windows'}`, signal),
  ]);
  if (!activities.ok) return activities;
  const raw = activities.value.all;
  if (!raw.includes('ACTIVITY MANAGER') && !raw.includes('Display #'))
    return fail('FEATURE_NOT_SUPPORTED', `The activity dump is of no known form: ${raw.slice(0, 200)}`);
  const { top, topTaskId, tasks } = parseActivities(raw);
  return ok({
    top,
    topTaskId,
    tasks,
    user,
    focusedWindow: parseWindowFocus(windows.ok ? windows.value.all : ''),
    sourceCommand: STACK_COMMAND,
    raw,
  });
}
