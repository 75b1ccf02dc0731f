import type { ViewNode } from '../app-process/view-node.ts';
import { shortUid } from '../apps/system-log.ts';
import { LAST_API_WITH_STACKS, stackLines, supervisorLines } from './dump-stacks.ts';
import { activityTasks, histLines, processText, recordText, taskText, topResumed } from './dump-tasks.ts';
import type { DumpTask } from './dump-tasks.ts';
import type { Services } from './services.ts';

/** `dumpsys activity [activities|top|processes|recents|package …]` (AOSP `ActivityTaskManagerService.dump`). */
export async function dumpActivity(args: readonly string[], services: Services): Promise<string> {
  const [what = 'activities', ...rest] = args.filter((arg) => !arg.startsWith('-'));
  switch (what) {
    case 'a':
    case 'activities':
      return dumpActivities(services);
    case 'top':
      return dumpTop(services);
    case 'p':
    case 'processes':
      return dumpProcesses(rest[0], services);
    case 'r':
    case 'recents':
      return dumpRecents(services);
    case 's':
    case 'services':
      return 'ACTIVITY MANAGER SERVICES (dumpsys activity services)\n  (nothing)\n';
    default:
      return `Bad activity command, or no activities match: ${what}\nUse -h for help.\n`;
  }
}

async function dumpActivities(services: Services): Promise<string> {
  const { profile, display } = services;
  const tasks = await activityTasks(services);
  const top = topResumed(tasks);
  const resumed = top ? recordText(top.activity, top.task.id, profile.api) : 'null';
  const lines = ['ACTIVITY MANAGER ACTIVITIES (dumpsys activity activities)'];
  lines.push('Display #0 (activities from top to bottom):');
  if (profile.api <= LAST_API_WITH_STACKS) {
    lines.push('');
    for (const task of tasks) lines.push(...stackLines(task, services));
    lines.push(...supervisorLines(tasks, resumed, services));
    return lines.map((line) => `${line}\n`).join('');
  }
  for (const task of tasks) lines.push(...taskLines(task, services), '');
  lines.push('  Resumed activities in task display areas (from top to bottom):');
  lines.push(`    Resumed: ${resumed}`, '', `  ResumedActivity: ${resumed}`, '');
  lines.push('ActivityTaskSupervisor state:');
  if (top) lines.push(`  topDisplayFocusedRootTask=${taskText(top.task)}`);
  const [width, height] = display.size;
  const [now, high] = display.current;
  lines.push('  Display: mDisplayId=0 (organized)');
  lines.push(`    init=${width}x${height} ${display.density}dpi cur=${now}x${high} app=${now}x${high}`);
  lines.push('    deferred=false mLayoutNeeded=false', '');
  lines.push(`  mCurrentFocus=${await focusText(services)}`, `  mFocusedApp=${resumed}`, '');
  return lines.map((line) => `${line}\n`).join('');
}

function taskLines(task: DumpTask, services: Services): string[] {
  const head = taskText(task).replace(/\}$/, '');
  const last = task.activities[0];
  const lines = [
    `  * ${head} U=0 visible=${String(task.visible)}${services.profile.api >= 33 ? ` visibleRequested=${String(task.visible)}` : ''} mode=fullscreen translucent=false sz=${task.activities.length}}`,
    '    isSleeping=false',
  ];
  const resumed = task.activities.find(({ state }) => task.visible && state === 'RESUMED');
  if (resumed) lines.push(`    topResumedActivity=${recordText(resumed, task.id, services.profile.api)}`);
  else if (last) lines.push(`    mLastPausedActivity: ${recordText(last, task.id, services.profile.api)}`);
  for (const [at, activity] of task.activities.entries()) {
    const index = task.activities.length - 1 - at;
    lines.push(...histLines(activity, index, task, services).map((line) => `    ${line}`));
  }
  return lines;
}

/** The focused window, as `mCurrentFocus` names it. */
export async function focusText(services: Services): Promise<string> {
  if (!services.power.awake) return 'null';
  if (services.power.lockShown) return 'Window{3d2e1f0 u0 NotificationShade}';
  const front = services.apps.front;
  if (!front) return 'Window{1a2b3c4 u0 dev.jugg.launcher/dev.jugg.launcher.HomeActivity}';
  const asked = await front.port.request('activities', {});
  const focused = asked.ok ? asked.value.windows.findLast((window) => window.focused) : undefined;
  if (!focused) return 'null';
  const hash = ((front.pid * 2_246_822_519) >>> 4).toString(16);
  const component = focused.component ?? '';
  const [packageName = front.packageName, name = ''] = component.split('/');
  const full =
    component === '' ? focused.title : `${packageName}/${name.startsWith('.') ? packageName + name : name}`;
  return `Window{${hash} u0 ${focused.type === 'popup' ? `PopupWindow:${hash}` : full}}`;
}

async function dumpTop(services: Services): Promise<string> {
  const tasks = await activityTasks(services);
  let text = '';
  // From the bottom to the top: what is in front is printed last.
  for (const task of tasks.toReversed()) {
    const activity = task.activities[0];
    if (!activity || !task.app) continue;
    const { api } = services.profile;
    // What is behind the task and the pid came with several displays (Android 12) and users (13).
    const display = api >= 31 ? ' displayId=0(type=INTERNAL)' : '';
    const user = api >= 33 ? ` userId=0 uid=${task.app.uid}` : '';
    text += `TASK ${api >= 30 ? task.affinity : task.affinity.replace(/^\d+:/, '')} id=${task.id} userId=0${display}\n`;
    text += `  ACTIVITY ${activity.component} ${(activity.hash >>> 0).toString(16)} pid=${task.app.pid}${user}${display}\n`;
    const resumed = task.visible && activity.state === 'RESUMED';
    text += `    Local Activity ${(activity.hash >>> 0).toString(16)} State:\n`;
    text += `      mResumed=${String(resumed)} mStopped=${String(!resumed)} mFinished=${String(activity.finishing)}\n`;
    text += '      mChangingConfigurations=false\n';
    const dumped = await task.app.port.request('viewDump', {});
    const window = dumped.ok ? dumped.value.windows.find(({ type }) => type === 'activity') : undefined;
    if (window) text += `    View Hierarchy:\n${hierarchy(window.root, 6, [0, 0])}`;
    text += '\n';
  }
  return text === '' ? 'TASK null id=2 userId=0\n' : text;
}

/** One line a view, as `View.toString` writes it: class, hash, flags, bounds relative to the parent, id. */
function hierarchy(node: ViewNode, indent: number, origin: readonly [number, number]): string {
  const [left, top, right, bottom] = node.boundsPx;
  const [x, y] = origin;
  const flag = (set: boolean, letter: string): string => (set ? letter : '.');
  const flags = [
    node.visible ? 'V' : 'I',
    flag(node.focusable, 'F'),
    flag(node.enabled, 'E'),
    'D',
    flag(node.scrollable, 'H'),
    flag(node.scrollable, 'V'),
    flag(node.clickable, 'C'),
    flag(node.longClickable, 'L'),
    '.',
  ].join('');
  const states = `${flag(node.focused, 'F')}${flag(node.selected, 'S')}......`.padEnd(8, '.').slice(0, 8);
  const hash = ((left * 31 + top) * 31 + right * 7 + bottom + indent * 977).toString(16);
  const id =
    node.resourceId === undefined ? '' : ` #7f000000 ${node.resourceId.replace(`${node.package}:`, 'app:')}`;
  const line = `${' '.repeat(indent)}${node.className}{${hash} ${flags} ${states} ${left - x},${top - y}-${right - x},${bottom - y}${id}}\n`;
  return line + node.children.map((child) => hierarchy(child, indent + 2, [left, top])).join('');
}

async function dumpProcesses(filter: string | undefined, services: Services): Promise<string> {
  const apps = services.apps.all().filter((app) => filter === undefined || app.packageName === filter);
  let text = 'ACTIVITY MANAGER RUNNING PROCESSES (dumpsys activity processes)\n  All known processes:\n';
  for (const app of apps) {
    text += `  *APP* UID ${app.uid} ${processText(app)}\n    user #0 uid=${app.uid} gids={${app.uid}, 3003, 9997}\n`;
    text += `    dir=${app.record.codePath}/base.apk publicDir=${app.record.codePath}/base.apk data=/data/user/0/${app.packageName}\n`;
    text += `    packageList={${app.packageName}}\n    pid=${app.pid}\n\n`;
  }
  text += `  Process LRU list (sorted by oom_adj, ${apps.length} total, non-act at 0, non-svc at 0):\n`;
  for (const [index, app] of apps.entries()) {
    const adj = app === services.apps.front ? 'fg     0 T/A/TOP  LCMNFUA' : 'cch+5  905 B/ /CAC  ---N---';
    text += `    Proc #${index}: ${adj} t: 0 ${app.pid}:${app.processName}/${shortUid(app.uid)}\n`;
  }
  return text;
}

async function dumpRecents(services: Services): Promise<string> {
  const tasks = (await activityTasks(services)).filter(({ type }) => type === 'standard');
  const rows = tasks.map((task, index) => `  * Recent #${index}: ${taskText(task)}\n`);
  return `ACTIVITY MANAGER RECENT TASKS (dumpsys activity recents)\n  Recent tasks:\n${rows.join('')}`;
}
