import type { RunningApp } from '../apps/app-process-record.ts';
import type { ResultOf } from '../app-process/types.ts';
import { intentText } from '../packages/intents.ts';
import { baseApk } from '../packages/record.ts';
import { LAUNCHER } from '../packages/system-packages.ts';
import type { Services } from './services.ts';

type Task = ResultOf<'activities'>['tasks'][number];
export type DumpActivity = Task['activities'][number] & { readonly app: RunningApp | null };

/** A task of the device, as the dumps show it. */
export interface DumpTask {
  readonly id: number;
  readonly type: 'standard' | 'home';
  readonly affinity: string;
  readonly visible: boolean;
  readonly app: RunningApp | null;
  /** Top first. */
  readonly activities: readonly DumpActivity[];
}

/** Each process counts its tasks from 1: on the device they get ids of their own, by process and order. */
const TASK_IDS_FOR_A_PROCESS = 100;
const HOME_TASK = 2;

/** All tasks, the one in front first; the launcher's is always there. */
export async function activityTasks(services: Services): Promise<readonly DumpTask[]> {
  const front = services.apps.front;
  const tasks: DumpTask[] = [];
  for (const { app, activities } of await services.apps.stacks()) {
    for (const task of activities.tasks) {
      if (task.activities.length === 0) continue;
      tasks.push({
        id: app.pid * TASK_IDS_FOR_A_PROCESS + task.id,
        type: 'standard',
        affinity: `${app.uid}:${task.affinity}`,
        visible:
          app === front && task.activities.some(({ state }) => state === 'RESUMED' || state === 'PAUSED'),
        app,
        activities: task.activities.map((activity) => ({ ...activity, app })),
      });
    }
  }
  const home: DumpTask = {
    id: HOME_TASK,
    type: 'home',
    affinity: LAUNCHER.packageName,
    visible: front === null,
    app: null,
    activities: [
      {
        hash: 0x6fa5a4f,
        component: LAUNCHER.component,
        state: front === null ? 'RESUMED' : 'STOPPED',
        finishing: false,
        title: 'Home',
        app: null,
      },
    ],
  };
  return front === null ? [home, ...tasks] : [...tasks, home];
}

export function topResumed(tasks: readonly DumpTask[]): { task: DumpTask; activity: DumpActivity } | null {
  for (const task of tasks) {
    const activity = task.visible ? task.activities.find(({ state }) => state === 'RESUMED') : undefined;
    if (activity) return { task, activity };
  }
  return null;
}

/** `ActivityRecord{<hash> u0 <component> t<task>[ f]}`; Android 14 and 15 close the bracket before the task. */
export function recordText(activity: DumpActivity, taskId: number, api: number): string {
  const hash = api >= 36 ? String(activity.hash >>> 0) : (activity.hash >>> 0).toString(16);
  const finishing = activity.finishing ? ' f}' : '';
  const bracket = api === 34 || api === 35 ? '}' : '';
  return `ActivityRecord{${hash} u0 ${activity.component}${bracket} t${taskId}${finishing}}`;
}

export function taskText(task: DumpTask): string {
  const hash = ((task.id * 2_654_435_761) >>> 4).toString(16);
  const affinity = task.type === 'home' ? `I=${LAUNCHER.component}` : `A=${task.affinity}`;
  return `Task{${hash} #${task.id} type=${task.type} ${affinity}}`;
}

export function processText(app: RunningApp): string {
  const user = `u0a${app.uid - 10_000}`;
  return `ProcessRecord{${(app.pid * 40_503).toString(16)} ${app.pid}:${app.processName}/${user}}`;
}

/** The block of one activity in `dumpsys activity activities`; the names of its fields changed with releases. */
export function histLines(
  activity: DumpActivity,
  index: number,
  task: DumpTask,
  services: Services,
): string[] {
  const { app } = activity;
  const packageName = app?.packageName ?? LAUNCHER.packageName;
  const intent = app?.rootIntents.get(activity.component);
  const shown = intent ? intentText(intent) : `Intent { cmp=${activity.component} }`;
  const visible = task.visible && (activity.state === 'RESUMED' || activity.state === 'PAUSED');
  const uid = app?.uid ?? LAUNCHER.uid;
  const { api } = services.profile;
  const head = [
    `* Hist ${api >= 30 ? ' ' : ''}#${index}: ${recordText(activity, task.id, api)}`,
    `  packageName=${packageName} processName=${app?.processName ?? packageName}`,
    `  launchedFromUid=2000 launchedFromPackage=com.android.shell ${api >= 30 ? 'launchedFromFeature=null ' : ''}userId=0`,
    ...(app ? [`  app=${processText(app)}`] : []),
    `  ${shown}`,
  ];
  if (api <= 29) return [...head, ...oldDetails(activity, index, task, services)];
  return [
    ...head,
    `  rootOfTask=${String(index === 0)} task=${taskText(task)}`,
    `  taskAffinity=${uid}:${packageName}`,
    `  mActivityComponent=${activity.component}`,
    `  baseDir=${app ? baseApk(app.record) : '/system/priv-app/JuggLauncher/JuggLauncher.apk'}`,
    `  dataDir=/data/user/0/${packageName}`,
    `  stateNotNeeded=false componentSpecified=true mActivityType=${task.type}`,
    `  state=${activity.state} delayedResume=false finishing=${String(activity.finishing)}`,
    '  keysPaused=false inHistory=true idle=true',
    '  occludesParent=true noDisplay=false immersive=false launchMode=0',
    `  mVisibleRequested=${String(visible)} mVisible=${String(visible)} mClientVisible=${String(visible)} reportedDrawn=true reportedVisible=${String(visible)}`,
    '  resizeMode=RESIZE_MODE_RESIZEABLE_VIA_SDK_VERSION',
  ];
}

function oldDetails(activity: DumpActivity, index: number, task: DumpTask, services: Services): string[] {
  const { api } = services.profile;
  const { app, state } = activity;
  const visible = task.visible && (state === 'RESUMED' || state === 'PAUSED');
  const packageName = app?.packageName ?? LAUNCHER.packageName;
  return [
    `  frontOfTask=${String(index === 0)} task=TaskRecord{${((task.id * 2_654_435_761) >>> 4).toString(16)} #${task.id} A=${packageName} U=0 StackId=${task.type === 'home' ? 0 : task.id} sz=${task.activities.length}}`,
    `  taskAffinity=${packageName}`,
    `  ${api === 29 ? 'mActivityComponent' : 'realActivity'}=${activity.component}`,
    `  baseDir=${app ? baseApk(app.record) : '/system/priv-app/JuggLauncher/JuggLauncher.apk'}`,
    `  dataDir=/data/user/0/${packageName}`,
    `  stateNotNeeded=false componentSpecified=true mActivityType=${api >= 28 ? task.type : task.type === 'home' ? 1 : 0}`,
    `  state=${state} stopped=${String(state === 'STOPPED')} delayedResume=false finishing=${String(activity.finishing)}`,
    `  keysPaused=false inHistory=true visible=${String(visible)} sleeping=false idle=true mStartingWindowState=STARTING_WINDOW_REMOVED`,
    '  fullscreen=true noDisplay=false immersive=false launchMode=0',
  ];
}
