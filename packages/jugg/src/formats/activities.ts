import { parseComponent } from './component.ts';
import { unwrap } from './terminal.ts';

export interface ActivityEntry {
  /** As printed: `pkg/.Name` or `pkg/full.Name`. */
  readonly component: string;
  readonly packageName: string;
  /** Full. */
  readonly className: string;
  /** RESUMED, PAUSED, STOPPED, …; `null` where the dump does not say. */
  readonly state: string | null;
  readonly user: number;
  readonly pid: number | null;
  /** The bottom one of its task. */
  readonly isRoot: boolean;
  readonly finishing: boolean;
}

export interface TaskEntry {
  readonly id: number;
  /** standard, home, recents, …; `null` before Android 9. */
  readonly type: string | null;
  readonly user: number;
  readonly display: number;
  /** fullscreen, freeform, …; `null` before Android 9. */
  readonly windowingMode: string | null;
  readonly visible: boolean | null;
  /** Without the uid in front of it. */
  readonly affinity: string | null;
  /** Top first. */
  readonly activities: readonly ActivityEntry[];
}

export interface ActivityDump {
  /** The activity in front; `null` when none is resumed (locked, between two activities). */
  readonly top: ActivityEntry | null;
  readonly topTaskId: number | null;
  /** The tasks that hold activities, in the order of the dump. */
  readonly tasks: readonly TaskEntry[];
  /** Component of the resumed activity of each display. */
  readonly topByDisplay: Readonly<Record<number, string>>;
}

interface Draft {
  component: string;
  user: number;
  taskId: number;
  finishing: boolean;
  state: string | null;
  pid: number | null;
  visible: boolean | null;
}

interface TaskDraft {
  id: number;
  type: string | null;
  user: number;
  display: number;
  mode: string | null;
  visible: boolean | null;
  affinity: string | null;
  activities: Draft[];
}

// com.android.server.wm.ActivityRecord.toString: hex until Android 15, decimal in 16; Android 14 closes the bracket
// before the task, and a finishing one has " f}" behind it.
const RECORD =
  /ActivityRecord\{\S+ u(?<user>\d+) (?<component>[\w.]+\/[\w.$]+)\}?(?: t(?<task>-?\d+))?(?<finishing> f\b)?/;
const TASK = /\* Task(?:Record)?\{\S+ #(?<id>\d+)(?<rest>.*)$/;

/** How lines of this dump begin, for a text that a terminal wrapped. */
const START = /^(?: {2,}\S| ResumedActivity|ACTIVITY MANAGER|Display #|Activity\w+Supervisor )/;

function record(text: string): Draft | null {
  const found = RECORD.exec(text)?.groups;
  if (!found) return null;
  return {
    component: found['component'] ?? '',
    user: Number(found['user']),
    taskId: Number(found['task'] ?? -1),
    finishing: found['finishing'] !== undefined,
    state: null,
    pid: null,
    visible: null,
  };
}

function attribute(text: string, name: string): string | null {
  return new RegExp(`(?:^|[\\s{])${name}=([^\\s}]+)`).exec(text)?.[1] ?? null;
}

interface Stack {
  type: string | null;
  mode: string | null;
}

function task(found: Readonly<Record<string, string>>, display: number, stack: Stack): TaskDraft {
  const rest = found['rest'] ?? '';
  const visible = attribute(rest, 'visible');
  return {
    id: Number(found['id']),
    type: attribute(rest, 'type') ?? stack.type,
    user: Number(attribute(rest, 'U') ?? 0),
    display,
    mode: attribute(rest, 'mode') ?? stack.mode,
    visible: visible === null ? null : visible === 'true',
    affinity: attribute(rest, 'A')?.replace(/^\d+:/, '') ?? null,
    activities: [],
  };
}

/** What the lines that name a resumed activity say, the surest kind first. */
interface Resumed {
  summary: Draft | null;
  focused: Draft | null;
  first: Draft | null;
  byDisplay: Record<number, string>;
}

const RESUMED_LINE =
  /^\s*(?<key>m?ResumedActivity|topResumedActivity|Resumed|mFocusedActivity)[:=]\s*(?<rest>.*)$/;

function noteResumed(line: string, display: number, into: Resumed): boolean {
  const found = RESUMED_LINE.exec(line)?.groups;
  if (!found) return false;
  const named = record(found['rest'] ?? '');
  if (!named) return true;
  if (found['key'] === 'ResumedActivity') into.summary = named;
  else if (found['key'] === 'mFocusedActivity') into.focused = named;
  else {
    into.first ??= named;
    into.byDisplay[display] ??= named.component;
  }
  return true;
}

function finish(draft: Draft, isRoot: boolean): ActivityEntry | null {
  const parsed = parseComponent(draft.component);
  if (!parsed) return null;
  const { state, user, pid, finishing } = draft;
  return { ...parsed, state, user, pid, isRoot, finishing };
}

function finishTask(draft: TaskDraft): TaskEntry {
  const activities = draft.activities
    .map((activity, i) => finish(activity, i === draft.activities.length - 1))
    .filter((activity) => activity !== null);
  const shown = draft.activities.some((activity) => activity.visible === true);
  const told = draft.activities.some((activity) => activity.visible !== null);
  return {
    id: draft.id,
    type: draft.type,
    user: draft.user,
    display: draft.display,
    windowingMode: draft.mode,
    visible: draft.visible ?? (told ? shown : null),
    affinity: draft.affinity,
    activities,
  };
}

/** Reads `dumpsys activity activities` of Android 5 to 16, also as a terminal of 80 columns wrapped it. */
export function parseActivities(output: string): ActivityDump {
  const text = unwrap(output.replaceAll('\r\n', '\n'), (line) => START.test(line));
  const tasks = new Map<number, TaskDraft>();
  const resumed: Resumed = { summary: null, focused: null, first: null, byDisplay: {} };
  let display = 0;
  let stack: Stack = { type: null, mode: null };
  let current: TaskDraft | null = null;
  let activity: Draft | null = null;
  for (const line of text.split('\n')) {
    const displayLine = /^\s*Display #(\d+) \(/.exec(line);
    if (displayLine) {
      display = Number(displayLine[1]);
      stack = { type: null, mode: null };
      current = activity = null;
      continue;
    }
    const stackLine = /^\s*Stack #\d+:(.*)$/.exec(line);
    if (stackLine) {
      stack = { type: attribute(stackLine[1] ?? '', 'type'), mode: attribute(stackLine[1] ?? '', 'mode') };
      current = activity = null;
      continue;
    }
    const taskLine = TASK.exec(line)?.groups;
    if (taskLine) {
      current = task(taskLine, display, stack);
      activity = null;
      tasks.set(current.id, tasks.get(current.id) ?? current);
      continue;
    }
    if (noteResumed(line, display, resumed)) continue;
    if (/\* Hist\s+#\d+:/.test(line)) {
      activity = record(line);
      const owner: TaskDraft | null = activity ? (tasks.get(activity.taskId) ?? current) : null;
      if (activity) owner?.activities.push(activity);
      continue;
    }
    if (activity) detail(line, activity);
  }
  return assemble([...tasks.values()], resumed);
}

/** One of the lines below a history entry. */
function detail(line: string, activity: Draft): void {
  const process = /^\s*app=ProcessRecord\{\S+ (\d+):/.exec(line);
  if (process) activity.pid = Number(process[1]);
  if (/^\s*state=/.test(line)) {
    activity.state = attribute(line, 'state');
    if (attribute(line, 'finishing') === 'true') activity.finishing = true;
  }
  const visible = attribute(line, 'visible') ?? attribute(line, 'mVisible');
  if (visible !== null && /^\s*(?:keysPaused|mVisibleRequested|visible)=/.test(line))
    activity.visible = visible === 'true';
}

function assemble(drafts: readonly TaskDraft[], resumed: Resumed): ActivityDump {
  const tasks = drafts.filter((draft) => draft.activities.length > 0).map(finishTask);
  const find = (named: Draft): ActivityEntry | null =>
    tasks
      .find((task) => task.id === named.taskId)
      ?.activities.find((entry) => entry.component === named.component && !entry.finishing) ??
    finish(named, false);
  // Android 7 keeps mFocusedActivity while the screen is locked.
  const focused = resumed.focused && find(resumed.focused);
  const isFocused = focused && (focused.state === null || focused.state === 'RESUMED');
  const named = resumed.summary ?? (isFocused ? resumed.focused : null) ?? resumed.first;
  return {
    top: named ? find(named) : null,
    topTaskId: named ? named.taskId : null,
    tasks,
    topByDisplay: resumed.byDisplay,
  };
}
