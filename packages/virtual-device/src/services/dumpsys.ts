import type { Command } from '../shell/command.ts';
import { dumpActivity, focusText } from './dump-activity.ts';
import { DISPLAY_ID, dumpCpu, dumpMemory, dumpSurfaceFlinger } from './dump-system.ts';
import { dumpPackage } from './dump-package.ts';
import { activityTasks, recordText, topResumed } from './dump-tasks.ts';
import type { Services } from './services.ts';
import { dumpInputMethod, systemWindowLines } from './system-windows.ts';

type Dump = (args: readonly string[], services: Services) => string | Promise<string>;

const DUMPS: ReadonlyMap<string, Dump> = new Map(
  Object.entries<Dump>({
    activity: dumpActivity,
    package: ([name], services) => dumpPackage(name, services),
    window: dumpWindow,
    power: dumpPower,
    input_method: dumpInputMethod,
    display: (_args, services) => dumpDisplay(services),
    input: (_args, services) => dumpInput(services),
    gfxinfo: dumpGraphics,
    SurfaceFlinger: dumpSurfaceFlinger,
    meminfo: dumpMemory,
    cpuinfo: dumpCpu,
    uimode: (_args, { display }) =>
      `Current UI Mode Service state:\n  mNightMode=${display.night ? 2 : 1} (${display.night ? 'yes' : 'no'})\n`,
    settings: () => 'GLOBAL SETTINGS (user 0)\n',
    notification: () => 'Current Notification Manager state:\n  Notification List:\n',
  }),
);

/** `dumpsys [-l] [service [args…]]` */
export function dumpsysCommand(services: Services, handlers: ReadonlyMap<string, Command>): Command {
  return async (context) => {
    const args = [...context.args];
    while (args[0] === '-t' || args[0] === '-T' || args[0] === '--timeout') args.splice(0, 2);
    const [name, ...rest] = args;
    if (name === undefined || name === '-l') {
      const list = [...DUMPS.keys(), 'battery', 'deviceidle'].sort().map((each) => `  ${each}\n`);
      await context.stdout.write(`Currently running services:\n${list.join('')}`);
      return 0;
    }
    // Their commands are the same here and in `cmd`.
    const handler = name === 'battery' || name === 'deviceidle' ? handlers.get(name) : undefined;
    if (handler) {
      await handler({ ...context, name, args: rest });
      return 0;
    }
    const dump = DUMPS.get(name);
    if (!dump) {
      await context.stderr.write(`Can't find service: ${name}\n`);
      return 0;
    }
    await context.stdout.write(await dump(rest, services));
    return 0;
  };
}

async function dumpWindow(args: readonly string[], services: Services): Promise<string> {
  const what = args.find((arg) => !arg.startsWith('-')) ?? 'all';
  if (what === 'policy' || what === 'p') return dumpPolicy(services);
  if (what === 'size') return '';
  const displays = await dumpDisplays(services);
  if (what === 'displays' || what === 'd') return displays;
  const windows = await dumpWindows(services);
  return what === 'windows' || what === 'w' ? windows : dumpPolicy(services) + displays + windows;
}

function dumpPolicy({ power, display }: Services): string {
  const screen = power.awake ? 'SCREEN_STATE_ON' : 'SCREEN_STATE_OFF';
  return [
    'WINDOW MANAGER POLICY STATE (dumpsys window policy)',
    '    mSafeMode=false mSystemReady=true mSystemBooted=true',
    `    screenState=${screen}`,
    `    mAwake=${String(power.awake)}`,
    `    mScreenOnEarly=${String(power.awake)} mScreenOnFully=${String(power.awake)}`,
    `    mCurrentRotation=ROTATION_${display.rotation * 90}`,
    '    KeyguardServiceDelegate',
    `      showing=${power.locked}`,
    `      showingAndNotOccluded=${power.locked && !power.occluded}`,
    `      inputRestricted=${power.locked}`,
    `      occluded=${power.occluded}`,
    `      secure=${power.secure}`,
    '      dreaming=false',
    '      systemIsReady=true',
    '',
  ].join('\n');
}

async function dumpDisplays(services: Services): Promise<string> {
  const { display, profile } = services;
  const [width, height] = display.size;
  const [now, high] = display.current;
  const tasks = await activityTasks(services);
  const top = topResumed(tasks);
  const resumed = top ? recordText(top.activity, top.task.id, profile.api) : 'null';
  const overridden = display.overrideSize || display.overrideDensity;
  const [physicalWidth, physicalHeight] = display.physicalSize;
  const base = overridden ? ` base=${width}x${height} ${display.density}dpi` : '';
  return [
    'WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)',
    profile.api >= 31 ? '  Display: mDisplayId=0 (organized)' : '  Display: mDisplayId=0',
    `    init=${physicalWidth}x${physicalHeight} ${display.physicalDensity}dpi${profile.api >= 31 ? ' mMinSizeOfResizeableTaskDp=220' : ''}${base} cur=${now}x${high} app=${now}x${high} rng=${Math.min(now, high)}x${Math.min(now, high)}-${Math.max(now, high)}x${Math.max(now, high)}`,
    `    deferred=false mLayoutNeeded=false mTouchExcludeRegion=SkRegion((0,0,${now},${high}))`,
    '',
    '  mLayoutSeq=108',
    // Until Android 9 the focus is told with the windows.
    ...(profile.api >= 29
      ? [`  mCurrentFocus=${await focusText(services)}`, `  mFocusedApp=${focusedApp(resumed, profile.api)}`]
      : []),
    '',
    '  mHoldScreenWindow=null',
    '  mObscuringWindow=null',
    '',
    '  displayId=0',
    '  DisplayRotation',
    `    mCurrentAppOrientation=SCREEN_ORIENTATION_UNSPECIFIED`,
    `    mLandscapeRotation=ROTATION_90 mSeascapeRotation=ROTATION_270`,
    `    mRotation=${display.rotation} mDeferredRotationPauseCount=0`,
    `    mUserRotationMode=USER_ROTATION_LOCKED mUserRotation=ROTATION_${display.userRotation * 90}`,
    '',
  ].join('\n');
}

/** Until Android 10 the window manager has tokens of its own for activities. */
function focusedApp(record: string, api: number): string {
  if (api >= 30 || record === 'null') return record;
  return `AppWindowToken{5be4e3a token=Token{2c8cf65 ${record}}}`;
}

async function dumpWindows(services: Services): Promise<string> {
  const front = services.apps.front;
  const asked = front ? await front.port.request('activities', {}) : null;
  const windows = asked?.ok ? asked.value.windows.toReversed() : [];
  const lines = ['WINDOW MANAGER WINDOWS (dumpsys window windows)'];
  const ofSystem = systemWindowLines(services, asked?.ok ? asked.value.systemWindows : undefined);
  for (const [index, own] of ofSystem.entries()) lines.push(...own(index));
  for (const [at, window] of windows.entries()) {
    const index = at + ofSystem.length;
    const hash = (((front?.pid ?? 0) * 2_246_822_519 + index * 977) >>> 4).toString(16);
    const [left, top, right, bottom] = window.boundsPx;
    lines.push(`  Window #${index} Window{${hash} u0 ${window.component ?? window.title}}:`);
    lines.push(
      `    mDisplayId=0 rootTaskId=2 mSession=Session{${hash} ${front?.pid ?? 0}:u0a${(front?.uid ?? 10_000) - 10_000}}`,
    );
    lines.push(
      `    mOwnerUid=${front?.uid ?? 0} showForAllUsers=false package=${front?.packageName ?? ''} appop=NONE`,
    );
    lines.push(
      `    mAttrs={(0,0)(fillxfill) ty=${window.type === 'activity' ? 'BASE_APPLICATION' : 'APPLICATION'}${window.secure ? ' fl=SECURE' : ''}}`,
    );
    lines.push(
      `    Frames: parent=[0,0][${right},${bottom}] display=[0,0][${right},${bottom}] frame=[${left},${top}][${right},${bottom}]`,
    );
    lines.push('    isOnScreen=true', '    isVisible=true', '');
  }
  if (services.profile.api <= 28) {
    const top = topResumed(await activityTasks(services));
    const resumed = top ? recordText(top.activity, top.task.id, services.profile.api) : 'null';
    lines.push(
      `  mCurrentFocus=${await focusText(services)}`,
      `  mFocusedApp=${focusedApp(resumed, services.profile.api)}`,
      '',
    );
  } else lines.push('  mHasPermanentDpad=false', `  mTopFocusedDisplayId=0`, '');
  return lines.join('\n');
}

function dumpPower(_args: readonly string[], { power }: Services): string {
  const state = power.awake ? 'Awake' : 'Asleep';
  return [
    'POWER MANAGER (dumpsys power)',
    '',
    'Power Manager State:',
    `  mWakefulness=${state}`,
    '  mWakefulnessChanging=false',
    '  mIsPowered=true',
    '  mPlugType=2',
    '  mBatteryLevel=100',
    '  mStayOn=true',
    '  mBootCompleted=true',
    `  mHalInteractiveModeEnabled=${String(power.awake)}`,
    `Display Power: state=${power.awake ? 'ON' : 'OFF'}`,
    '',
  ].join('\n');
}

/** With the rotation in both of the words that tools look for. */
function dumpInput({ display }: Services): string {
  const [width, height] = display.current;
  return `INPUT MANAGER (dumpsys input)

Event Hub State:
  Devices:
    -1: Virtual

Input Reader State:
  Device -1: Virtual
    Generation: 2
    Viewport INTERNAL: displayId=0, uniqueId=local:${DISPLAY_ID}, port=0, orientation=${display.rotation}, logicalFrame=[0, 0, ${width}, ${height}], physicalFrame=[0, 0, ${width}, ${height}], deviceSize=[${width}, ${height}]
      SurfaceOrientation: ${display.rotation}
`;
}

/** `dumpsys gfxinfo <process> [framestats|reset]`: no frame is timed here, so none is counted. */
function dumpGraphics([name]: readonly string[], services: Services): string {
  const uptime = services.now() - services.bootMs;
  const head = `Applications Graphics Acceleration Info:\nUptime: ${uptime} Realtime: ${uptime}\n`;
  const apps = services.apps.all().filter(({ processName, pid }) => {
    return name === undefined || name === processName || name === String(pid);
  });
  if (name !== undefined && apps.length === 0) return `No process found for: ${name}\n`;
  return (
    head +
    apps.map(({ pid, processName }) => `\n** Graphics info for pid ${pid} [${processName}] **\n`).join('')
  );
}

function dumpDisplay({ display }: Services): string {
  const [width, height] = display.current;
  return `DISPLAY MANAGER (dumpsys display)\n  mGlobalDisplayState=ON\n  Display Devices: size=1\n    DisplayDeviceInfo{"Built-in Screen": ${width} x ${height}, density ${display.density}}\n    mCurrentOrientation=${display.rotation}\n`;
}
