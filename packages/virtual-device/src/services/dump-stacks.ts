import { LAUNCHER } from '../packages/system-packages.ts';
import { histLines, recordText } from './dump-tasks.ts';
import type { DumpTask } from './dump-tasks.ts';
import type { Services } from './services.ts';

/** `dumpsys activity activities` counted in stacks until Android 11; a task is alone in its stack here. */
export const LAST_API_WITH_STACKS = 30;

const HOME_STACK = 0;

function stackId(task: DumpTask): number {
  return task.type === 'home' ? HOME_STACK : task.id;
}

function hash(task: DumpTask): string {
  return ((task.id * 2_654_435_761) >>> 4).toString(16);
}

/** `TaskRecord{… #52 A=pkg U=0 StackId=1 sz=1}` until Android 10, then `Task{… #52 visible=true type=… }`. */
export function stackTaskText(task: DumpTask, api: number): string {
  const size = task.activities.length;
  const named = (affinity: string): string =>
    task.type === 'home' ? `I=${LAUNCHER.component}` : `A=${affinity}`;
  const tail = `U=0 StackId=${stackId(task)} sz=${size}}`;
  if (api <= 29)
    return `TaskRecord{${hash(task)} #${task.id} ${named(task.affinity.replace(/^\d+:/, ''))} ${tail}`;
  const visible = `visible=${String(task.visible)} type=${task.type} mode=fullscreen translucent=false`;
  return `Task{${hash(task)} #${task.id} ${visible} ${named(task.affinity)} ${tail}`;
}

function stackText(task: DumpTask, api: number): string {
  const kind =
    api >= 28 ? ` type=${task.type} mode=fullscreen visible=${String(task.visible)} translucent=false` : '';
  return `ActivityStack{${hash(task)} stackId=${stackId(task)}${kind}, 1 tasks}`;
}

/** The tasks of a display, each with what its stack says. */
export function stackLines(task: DumpTask, services: Services): string[] {
  const { api } = services.profile;
  const id = stackId(task);
  const top = task.activities[0];
  const resumed = task.visible ? task.activities.find(({ state }) => state === 'RESUMED') : undefined;
  const lines = [
    api >= 28 ? `  Stack #${id}: type=${task.type} mode=fullscreen` : `  Stack #${id}:`,
    ...(api < 28 ? ['  mFullscreen=true'] : []),
    '  isSleeping=false',
    api < 28 ? '  mBounds=null' : '  mBounds=Rect(0, 0 - 0, 0)',
  ];
  if (api <= 29) lines.push(`    Task id #${task.id}`);
  lines.push(`    * ${stackTaskText(task, api)}`);
  if (api <= 29 && top) {
    lines.push(
      `      userId=0 effectiveUid=u0a${(top.app?.uid ?? LAUNCHER.uid) - 10_000}`,
      `      affinity=${task.affinity.replace(/^\d+:/, '')}`,
      `      ${api === 29 ? 'mActivityComponent' : 'realActivity'}=${task.activities.at(-1)?.component ?? ''}`,
      `      Activities=[${task.activities
        .toReversed()
        .map((activity) => recordText(activity, task.id, api))
        .join(', ')}]`,
      `      stackId=${id}`,
    );
  }
  for (const [at, activity] of task.activities.entries()) {
    const index = task.activities.length - 1 - at;
    lines.push(...histLines(activity, index, task, services).map((line) => `      ${line}`));
  }
  lines.push('');
  if (api <= 29) {
    lines.push('    Running activities (most recent first):', `      ${stackTaskText(task, api)}`);
    for (const [at, activity] of task.activities.entries())
      lines.push(`        Run #${task.activities.length - 1 - at}: ${recordText(activity, task.id, api)}`);
    lines.push('');
  }
  if (resumed) lines.push(`    mResumedActivity: ${recordText(resumed, task.id, api)}`, '');
  else if (top) lines.push(`    mLastPausedActivity: ${recordText(top, task.id, api)}`, '');
  return lines;
}

/** What follows the displays. */
export function supervisorLines(
  tasks: readonly DumpTask[],
  resumed: string,
  { profile: { api }, power }: Services,
): string[] {
  const top = tasks.find(({ visible }) => visible);
  const focused = top ? stackText(top, api) : 'null';
  const lines = [...(api >= 29 ? [` ResumedActivity:${resumed}`, ''] : []), `  ResumedActivity: ${resumed}`];
  if (api < 29) lines.push(`  mFocusedStack=${focused} mLastFocusedStack=${focused}`);
  else {
    lines.push(
      '',
      `Activity${api === 29 ? 'Stack' : 'Task'}Supervisor state:`,
      `  topDisplayFocusedStack=${focused}`,
      `  displayId=0 stacks=${tasks.length}`,
    );
  }
  lines.push(`  mCurTaskIdForUser={0=${top?.id ?? 0}}`, '  mUserStackInFront={}');
  lines.push(
    '  KeyguardController:',
    `    mKeyguardShowing=${power.locked}`,
    '    mKeyguardGoingAway=false',
    '',
  );
  return lines;
}
