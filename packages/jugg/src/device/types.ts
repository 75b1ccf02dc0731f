import type { ActivityEntry, TaskEntry } from '../formats/activities.ts';
import type { StartState } from '../formats/am-start.ts';
import type { LogEntry } from '../formats/logcat.ts';
import type { FocusedWindow } from '../formats/window-focus.ts';
import type { Result } from '../shared/outcome.ts';
import type { Screen, ViewTree } from './tree.ts';

export type { ActivityEntry, FocusedWindow, LogEntry, TaskEntry };

export type DeviceKind = 'usb' | 'wifi' | 'emulator' | 'virtual';

/** What does not change while a device is connected. */
export interface DeviceFacts {
  readonly serial: string;
  /** For people: maker and model, or the name of the virtual device. */
  readonly name: string;
  readonly model: string;
  readonly api: number;
  /** `ro.build.version.release`. */
  readonly release: string;
  /** In order of preference. */
  readonly abis: readonly string[];
  readonly kind: DeviceKind;
  /** `ro.serialno`: the same for one phone over the cable and over the network; may be empty. */
  readonly hardwareSerial: string;
}

export interface Interactivity {
  /** `mWakefulness` as the power manager prints it: Awake, Asleep, Dreaming, Dozing. */
  readonly wakefulness: string;
  readonly keyguard: boolean;
  /** On, and not behind a lock that hides the app. */
  readonly interactive: boolean;
}

/** A package as the package manager lists it for the user in front. */
export interface InstalledApp {
  readonly packageName: string;
  readonly versionCode: number;
  /** Path of the base APK on the device; a new one for every install on all Android versions since 5. */
  readonly apkPath: string;
  readonly debuggable: boolean;
  /** As printed by the device; compared, never calculated with. `null` where the device does not say. */
  readonly lastUpdateTime: string | null;
  readonly installedFor: readonly number[];
}

export interface AppProcess {
  readonly pid: number;
  /** `pkg` or `pkg:name`. */
  readonly name: string;
  readonly user: string;
}

export interface InstallOptions {
  /** `-r`: keeps the data of the app that is there. */
  readonly replace: boolean;
  readonly packageName: string;
  /** Default 120 s: a phone may wait for somebody to accept. */
  readonly timeoutMs?: number;
}

export interface ActivityStack {
  /** `null` when nothing is resumed (locked, in a transition). */
  readonly top: ActivityEntry | null;
  readonly topTaskId: number | null;
  readonly focusedWindow: FocusedWindow;
  /** In the order of the dump. */
  readonly tasks: readonly TaskEntry[];
  /** The user in front. */
  readonly user: number;
  readonly sourceCommand: string;
  /** The whole output that was read. */
  readonly raw: string;
}

export interface StartRequest {
  readonly packageName: string;
  /** `pkg/.Name`, full, or a class name alone; default the launcher activity. */
  readonly activity?: string | undefined;
  /** `-S`: stops the app first. */
  readonly stopFirst?: boolean;
}

export interface Started {
  readonly component: string;
  readonly pid: number;
  readonly state: StartState;
  /** What the activity itself has put over it: a permission dialog, an activity of another app. */
  readonly coveredBy: string | null;
  /** From the command to the activity seen on top. */
  readonly tookMs: number;
}

export interface Screenshot {
  readonly png: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** Every pixel looked at has the same, black colour: a protected window, or the screen is off. */
  readonly black: boolean;
}

/** px on the screen, or a view by its ref (the inspector's trees only: others are resolved by the caller). */
export type Gesture =
  | { readonly action: 'tap'; readonly x: number; readonly y: number }
  | { readonly action: 'long-press'; readonly x: number; readonly y: number; readonly durationMs: number }
  | {
      readonly action: 'swipe' | 'drag';
      readonly x: number;
      readonly y: number;
      readonly endX: number;
      readonly endY: number;
      readonly durationMs: number;
    };

export interface GestureResult {
  readonly injected: 'inspector' | 'input';
  /** Whether a view took the touch; `null` where the device does not tell. */
  readonly handled: boolean | null;
}

export interface ClassRedefinition {
  /** Binary name: `com.example.Outer$Inner`. */
  readonly name: string;
  /** Absolute host path of a dex file that holds the class; of its class file where the process runs class files. */
  readonly code: string;
}

/** Class files of one dex file of an APK: a virtual device runs them instead of translating it. */
export interface ClassFiles {
  readonly dexSha256: string;
  /** Absolute path of a jar. */
  readonly jar: string;
}

export interface TextRequest {
  readonly text: string;
  /** The field to type into; `null` for the one that has the focus. */
  readonly field: { readonly ref: string; readonly center: readonly [x: number, y: number] } | null;
  /** What is there is deleted first; else the text goes where the cursor is. */
  readonly clear: boolean;
  /** Then does the field's own action (search, send, done), or presses ENTER. */
  readonly submit: boolean;
}

export interface TextEntry {
  readonly by: 'inspector' | 'input';
  /** What the field held after it, before it was submitted; `null` for a password. */
  readonly text: string | null;
  /** The field was seen to hold what was typed, where it was typed. */
  readonly verified: boolean;
  readonly password: boolean;
}

export interface InspectRequest {
  /** `e<n>` of the inspector's tree. */
  readonly ref: string;
  /** `null` for a standard set. */
  readonly expressions: readonly string[] | null;
  /** Getters of the app's own classes that no field stands behind, too. */
  readonly allowAppGetters: boolean;
}

export interface InspectedValue {
  readonly expression: string;
  /** As JSON. */
  readonly value: unknown;
  /** Class name; `error` where there is no value. */
  readonly type: string;
  readonly error?: string;
}

export interface PermissionChange {
  /** Full name. */
  readonly permission: string;
  readonly granted: boolean;
}

export interface OpenRequest {
  readonly packageName: string;
  readonly uri: string;
  readonly extras: Readonly<Record<string, string>>;
}

/**
 * One device as Jugg sees it. Every call hears its signal and answers with a code of the contract; a device that went
 * away is `DEVICE_GONE`. Nothing here is believed because a command said so: what was asked for is looked at after.
 */
export interface Device {
  readonly serial: string;

  facts(signal: AbortSignal): Promise<Result<DeviceFacts>>;
  screen(signal: AbortSignal): Promise<Result<Screen>>;
  interactivity(signal: AbortSignal): Promise<Result<Interactivity>>;
  /** The user in front, whose packages and apps all calls mean. */
  user(signal: AbortSignal): Promise<Result<number>>;
  /** Milliseconds since the epoch on the device's own clock. */
  now(signal: AbortSignal): Promise<Result<number>>;

  /** `null` when it is not installed for the user in front. */
  app(packageName: string, signal: AbortSignal): Promise<Result<InstalledApp | null>>;
  /** `INSTALL_FAILED` with `data.reason`; believed when the package manager lists the new APK. */
  install(apk: string, options: InstallOptions, signal: AbortSignal): Promise<Result<InstalledApp>>;
  /** Already gone is fine. */
  uninstall(packageName: string, signal: AbortSignal): Promise<Result<void>>;

  /** Puts beside an APK, before it is installed, what of its class files a virtual device lacks. */
  putClassFiles(files: readonly ClassFiles[], signal: AbortSignal): Promise<Result<void>>;
  /** Removes class files by the digests of their dex files; already gone is fine. */
  dropClassFiles(dexSha256: readonly string[], signal: AbortSignal): Promise<Result<void>>;

  /** Component of the launcher activity, or `null`. */
  launcher(packageName: string, signal: AbortSignal): Promise<Result<string | null>>;
  /** `ACTIVITY_NOT_STARTED`, `APP_CRASHED` (`data.crash`); believed when the activity is on top. */
  start(request: StartRequest, signal: AbortSignal): Promise<Result<Started>>;
  forceStop(packageName: string, signal: AbortSignal): Promise<Result<void>>;
  /** As `forceStop`, believed when no process of the app is left. */
  stop(packageName: string, signal: AbortSignal): Promise<Result<void>>;
  /** Deletes the app's data and ends it. */
  clear(packageName: string, signal: AbortSignal): Promise<Result<void>>;
  /** `INVALID_PARAMS` for a permission that the app does not ask for; believed when the package manager lists it so. */
  setPermission(packageName: string, change: PermissionChange, signal: AbortSignal): Promise<Result<void>>;
  /** `ACTIVITY_NOT_STARTED`; believed when an activity of the app came to the front for it. */
  openUri(request: OpenRequest, signal: AbortSignal): Promise<Result<{ readonly component: string }>>;
  /** The HOME key, believed when another app is in front. */
  home(signal: AbortSignal): Promise<Result<void>>;
  /** Running processes of a package, the main one first. */
  processes(packageName: string, signal: AbortSignal): Promise<Result<readonly AppProcess[]>>;
  activities(signal: AbortSignal): Promise<Result<ActivityStack>>;

  /** Inspector, else uiautomator, else dumpsys, with `fallbackReason`. */
  tree(
    packageName: string,
    options: { readonly includeGone: boolean },
    signal: AbortSignal,
  ): Promise<Result<ViewTree>>;
  gesture(packageName: string, gesture: Gesture, signal: AbortSignal): Promise<Result<GestureResult>>;
  /** Types a text; without an inspector by the `input` tool, which knows ASCII only (`TEXT_NOT_ASCII`). */
  enterText(packageName: string, request: TextRequest, signal: AbortSignal): Promise<Result<TextEntry>>;
  /** Gives a view the focus: inside the app, else by a tap. */
  focus(
    packageName: string,
    field: NonNullable<TextRequest['field']>,
    signal: AbortSignal,
  ): Promise<Result<void>>;
  /** Presses a key: `BACK`, `KEYCODE_BACK` or 4. What it did is for the caller to look at. */
  pressKey(key: string | number, signal: AbortSignal): Promise<Result<void>>;
  /** Values of one view by chains of getters (contract §6); `FEATURE_NOT_SUPPORTED` without an inspector. */
  inspect(
    packageName: string,
    request: InspectRequest,
    signal: AbortSignal,
  ): Promise<Result<readonly InspectedValue[]>>;
  /**
   * Whether the app is online now: its main process exists and, where an inspector can be had, it answers (it is
   * started if need be). `APP_NOT_RUNNING` without a process; `inspector: false` with the reason where none can be had.
   */
  ping(
    packageName: string,
    signal: AbortSignal,
  ): Promise<Result<{ readonly pid: number; readonly inspector: boolean; readonly reason: string | null }>>;
  screenshot(signal: AbortSignal): Promise<Result<Screenshot>>;

  /** Redefines all classes or none in the running main process. `pid` is the process that took them. */
  redefine(
    packageName: string,
    classes: readonly ClassRedefinition[],
    signal: AbortSignal,
  ): Promise<Result<{ readonly pid: number; readonly tookMs: number }>>;
  /** Makes all activities of the app anew, as a change of the configuration does. */
  recreateActivities(
    packageName: string,
    signal: AbortSignal,
  ): Promise<Result<{ readonly activities: number }>>;

  /** What is in the buffers now: main, system and crash, from `sinceMs` (device clock) on. */
  logs(query: { readonly sinceMs: number | null }, signal: AbortSignal): Promise<Result<readonly LogEntry[]>>;
  /** Follows the log until the signal; `onEntries` gets what is there since `sinceMs`, then what comes. */
  followLogs(
    query: { readonly sinceMs: number | null },
    onEntries: (entries: readonly LogEntry[], gap: boolean) => void,
    signal: AbortSignal,
  ): Promise<Result<void>>;

  /** Ends connections to inspectors. */
  close(): Promise<void>;
}
