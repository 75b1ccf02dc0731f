import type { AdbConnection } from '../adb/types.ts';
import { parseActivities } from '../formats/activities.ts';
import { parseActivityTop } from '../formats/activity-top.ts';
import { parseWindowFocus } from '../formats/window-focus.ts';
import { ok, type Result } from '../shared/outcome.ts';
import { run } from './shell.ts';
import type { ActivityStack } from './types.ts';

const STACK_COMMAND = 'dumpsys activity activities';
const TOP_COMMAND = 'dumpsys activity top';
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
  const focusedWindow = parseWindowFocus(windows.ok ? windows.value.all : '');
  const raw = activities.value.all;
  const { top, topTaskId, tasks } = parseActivities(raw);
  if (!top && tasks.length === 0) return readTop(connection, { user, focusedWindow }, signal);
  return ok({ top, topTaskId, tasks, user, focusedWindow, sourceCommand: STACK_COMMAND, raw });
}

/** Makers changed the long dump now and then, the short one hardly: it tells the activity in front, but no tasks. */
async function readTop(
  connection: AdbConnection,
  known: Pick<ActivityStack, 'user' | 'focusedWindow'>,
  signal: AbortSignal,
): Promise<Result<ActivityStack>> {
  const output = await run(connection, TOP_COMMAND, signal);
  if (!output.ok) return output;
  const raw = output.value.all;
  const found = parseActivityTop(raw);
  return ok({
    ...known,
    top: found,
    topTaskId: found?.taskId ?? null,
    tasks: [],
    sourceCommand: TOP_COMMAND,
    raw,
  });
}
