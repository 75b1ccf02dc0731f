import type { ResultOf } from '../app-process/types.ts';
import type { Services } from './services.ts';

const IME_PACKAGE = 'dev.jugg.ime';
/** Height of the status bar and of the bar for gestures, as app processes lay them out (`SystemBars.java`). */
const SYSTEM_BAR_DP = 24;

/** Above all apps, topmost first. The bars are there also while an app hides them, and with the launcher. */
export function systemWindowLines(
  { display }: Services,
  shown: ResultOf<'activities'>['systemWindows'] | undefined,
): ((index: number) => string[])[] {
  const [width, height] = display.current;
  const bar = Math.round((SYSTEM_BAR_DP * display.density) / 160);
  const windows = [
    {
      title: 'NavigationBar0',
      type: 'NAVIGATION_BAR',
      hidden: shown && !shown.navigationBar,
      bounds: [0, height - bar, width, height],
    },
    { title: 'StatusBar', type: 'STATUS_BAR', hidden: shown && !shown.statusBar, bounds: [0, 0, width, bar] },
    ...(shown?.keyboard
      ? [{ title: 'InputMethod', type: 'INPUT_METHOD', hidden: false, bounds: shown.keyboard }]
      : []),
  ];
  return windows.map(({ title, type, hidden, bounds }) => (index) => {
    const visible = String(hidden !== true);
    const [left, top, right, bottom] = bounds;
    return [
      `  Window #${index} Window{${(0x5_00_00 + index).toString(16)} u0 ${title}}:`,
      `    mDisplayId=0 mSession=Session{${(0x4_00_00 + index).toString(16)} 1000:1000}`,
      `    mOwnerUid=1000 showForAllUsers=true package=${type === 'INPUT_METHOD' ? IME_PACKAGE : 'com.android.systemui'} appop=NONE`,
      `    mAttrs={(0,0)(fillxfill) ty=${type}}`,
      `    Frames: parent=[0,0][${width},${height}] display=[0,0][${width},${height}] frame=[${left},${top}][${right},${bottom}]`,
      `    isOnScreen=${visible}`,
      `    isVisible=${visible}`,
      '',
    ];
  });
}

/** `dumpsys input_method` */
export async function dumpInputMethod(_args: readonly string[], { apps }: Services): Promise<string> {
  const asked = await apps.front?.port.request('activities', {});
  const shown = String(asked?.ok === true && asked.value.systemWindows.keyboard !== undefined);
  return [
    'Current Input Method Manager state:',
    `  mCurMethodId=${IME_PACKAGE}/.InputMethod`,
    `  mCurFocusedWindowClient=${apps.front ? `ClientState{uid=${apps.front.uid} pid=${apps.front.pid} displayId=0}` : 'null'}`,
    '  mSystemReady=true mInteractive=true',
    `  mInputShown=${shown}`,
    `  mShowRequested=${shown}`,
    '',
  ].join('\n');
}
