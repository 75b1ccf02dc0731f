import type { ActivityEntry } from './activities.ts';
import { parseComponent } from './component.ts';

export interface TopActivity extends ActivityEntry {
  readonly taskId: number;
}

/**
 * The resumed activity in `dumpsys activity top`. Its tasks stand from bottom to top, and stopped ones are listed
 * too: the last one that says `mResumed=true` is in front.
 */
export function parseActivityTop(output: string): TopActivity | null {
  let task = { id: -1, user: 0 };
  let entry: TopActivity | null = null;
  let top: TopActivity | null = null;
  for (const line of output.split(/\r?\n/)) {
    const taskLine = /^\s*TASK .*?\bid=(\d+)(?: userId=(\d+))?/.exec(line);
    if (taskLine) {
      task = { id: Number(taskLine[1]), user: Number(taskLine[2] ?? 0) };
      continue;
    }
    const activity = /^\s*ACTIVITY (\S+) \S+ pid=(\d+|\(not running\))/.exec(line);
    if (activity) {
      const parsed = parseComponent(activity[1] ?? '');
      const pid = Number(activity[2]);
      entry = parsed && {
        ...parsed,
        state: null,
        user: task.user,
        pid: Number.isNaN(pid) ? null : pid,
        isRoot: false,
        finishing: false,
        taskId: task.id,
      };
    } else if (entry && /^\s*mResumed=true\b/.test(line)) top = { ...entry, state: 'RESUMED' };
  }
  return top;
}
