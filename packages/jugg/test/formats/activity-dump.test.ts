import { expect, test } from 'vitest';
import { parseActivities, type ActivityEntry } from '../../src/formats/activities.ts';
import { parseActivityTop } from '../../src/formats/activity-top.ts';
import { parseWindowFocus } from '../../src/formats/window-focus.ts';
import { differences, fieldCases, text, type FieldCase } from './field-case.ts';

function answer(of: FieldCase): unknown {
  const output = text(of, 'stdout');
  if (text(of, 'command').startsWith('dumpsys window')) {
    const { packageName, user, ...focus } = parseWindowFocus(output);
    return { focus: { ...focus, package: packageName, userId: user } };
  }
  if (text(of, 'command').endsWith('top')) {
    const top = parseActivityTop(output);
    return { top: top && renamed(top, top.taskId), pid: top?.pid };
  }
  const { top, topTaskId, tasks, topByDisplay } = parseActivities(output);
  const own = tasks.find((task) => task.id === topTaskId);
  return {
    top: top && { ...renamed(top, topTaskId), displayId: own?.display },
    activities: own?.activities.map((activity) => renamed(activity, topTaskId)),
    tasks: tasks.map((task) => ({
      ...task,
      taskId: task.id,
      userId: task.user,
      displayId: task.display,
      mode: task.windowingMode,
    })),
    topByDisplay,
  };
}

function renamed(activity: ActivityEntry, taskId: number | null): object {
  return { ...activity, package: activity.packageName, userId: activity.user, taskId };
}

test.each(fieldCases('activity-dump'))('%s', (_, of) => {
  expect(differences(answer(of), of.expect)).toEqual([]);
});

test('process and state of each activity', () => {
  const [, of] = fieldCases('activity-dump', ['D-3'])[0] ?? [];
  const { tasks } = parseActivities(of ? text(of, 'stdout') : '');
  expect(tasks[0]?.activities.map(({ pid, state }) => [pid, state])).toEqual([
    [8627, 'RESUMED'],
    [8627, 'STOPPED'],
  ]);
  expect(tasks.map(({ type, windowingMode, visible }) => [type, windowingMode, visible])).toEqual([
    ['standard', 'fullscreen', true],
    ['home', 'fullscreen', false],
  ]);
});

test('a locked Android 7 keeps the focused activity, which is not resumed', () => {
  const [, of] = fieldCases('activity-dump', ['D-1'])[0] ?? [];
  const locked = (of ? text(of, 'stdout') : '')
    .replaceAll('state=RESUMED', 'state=STOPPED')
    .replace(/mResumedActivity: .*/, 'mResumedActivity: null');
  expect(parseActivities(locked).top).toBeNull();
});

test('an empty dump has no activities', () => {
  expect(parseActivities('')).toEqual({ top: null, topTaskId: null, tasks: [], topByDisplay: {} });
});
