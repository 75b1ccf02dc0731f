import { z } from 'zod';
import { namespaceSchema, settingSchema } from '../system/settings-store.ts';
import { orientationSchema } from '../system/orientation.ts';
import { overLockSchema } from '../apps/over-lock.ts';
import { BINDER_EVENTS, BINDER_METHODS } from './binder-types.ts';
import { deviceConfigSchema } from './config.ts';
import { intentSchema, serviceStartsSchema } from './intent-schema.ts';
import { viewNodeSchema } from './view-node.ts';

/**
 * The protocol of `docs/app-process-protocol.md` as schemas: what the daemon may ask an app process, what it gets back,
 * and what an app process says by itself. Times are ms since the epoch, lengths px, bytes base64.
 */

const boundsPx = z.tuple([z.int(), z.int(), z.int(), z.int()]);
const empty = z.object({});

const activitySchema = z.object({
  /** Identity of the record, as in `ActivityRecord{<hash in hex> ...}`. */
  hash: z.int(),
  /** `pkg/.Name` in its short form. */
  component: z.string(),
  state: z.enum(['RESUMED', 'PAUSED', 'STOPPED', 'INITIALIZING', 'DESTROYED']),
  finishing: z.boolean(),
  title: z.string(),
});

const windowSchema = z.object({
  type: z.enum(['activity', 'dialog', 'popup', 'toast']),
  title: z.string(),
  component: z.string().optional(),
  boundsPx,
  focused: z.boolean(),
  secure: z.boolean(),
});

/** A task whose process may end: its activities, bottom first, with what they saved (opaque, base64). */
const savedTaskSchema = z.object({
  activities: z.array(z.object({ component: z.string(), saved: z.string() })).min(1),
});
export type SavedTask = z.infer<typeof savedTaskSchema>;

const launched = z.object({
  component: z.string(),
  resumed: z.boolean(),
  /** Until the answer. */
  launchMs: z.number(),
  /** From the request until its window was laid out. */
  laidOutMs: z.number(),
  settled: z.boolean(),
});

const handled = z.object({
  /** Whether a window took the event. */
  handled: z.boolean(),
  /** False when the screen was still moving when the cap of the wait was reached. */
  settled: z.boolean(),
});

const px = z.number();

const screenSchema = z.object({ awake: z.boolean(), locked: z.boolean(), secure: z.boolean() });

/** Every request: what it takes and what it answers. */
export const METHODS = {
  bind: {
    params: z.object({
      packageName: z.string(),
      processName: z.string(),
      /** The process id that Android tools shall see: the real one of the JVM. */
      pid: z.int(),
      uid: z.int(),
      /** Absolute paths, base first. */
      apks: z.array(z.string()).min(1),
      dataDir: z.string(),
      externalDir: z.string(),
      codeCacheDir: z.string(),
      socketDir: z.string(),
      /** Permissions that the user (or `pm grant`) has granted; those that need no asking are granted anyway. */
      grantedPermissions: z.array(z.string()).optional(),
      /** How often the user has refused a permission. */
      refusals: z.record(z.string(), z.int()).optional(),
      config: deviceConfigSchema.partial().optional(),
      /** On unless it says otherwise. */
      screen: screenSchema.optional(),
      /** `ro.*`, as `getprop` tells them. */
      properties: z.record(z.string(), z.string()).optional(),
      settings: z.record(namespaceSchema, z.record(z.string(), z.string())).optional(),
      /** The app shall not find `android.content.res.loader`, as before Android 11. */
      withoutResourcesLoader: z.boolean().optional(),
      /** A package that tests the app: its code comes first, its runner takes the place of the instrumentation. */
      instrumentation: z
        .object({
          packageName: z.string(),
          /** Full name. */
          className: z.string(),
          apks: z.array(z.string()).min(1),
          dataDir: z.string(),
          arguments: z.record(z.string(), z.string()),
        })
        .optional(),
    }),
    result: z.object({ bindMs: z.number(), warnings: z.array(z.string()) }),
  },
  /** Starts the JVM's debugger interface if it sleeps; the port (of this machine) that it listens on for the next debugger. */
  listenForDebugger: { params: empty, result: z.object({ port: z.int() }) },
  /** Whether a debugger is at work: what the app is told, and a reason not to take it for hanging. */
  debugger: { params: z.object({ attached: z.boolean() }), result: empty },
  /** Before `ready`: somebody waits for the process, and what only makes a later start faster may be left out. */
  hurry: { params: empty, result: empty },
  /** Translates the code of an APK ahead of its first start, as a device does at installation; any process can. */
  prepare: {
    params: z.object({ apks: z.array(z.string()).min(1) }),
    result: z.object({ translateMs: z.number() }),
  },
  startActivity: {
    params: intentSchema,
    result: launched,
  },
  /** In a new process: brings the task back that a process which is gone has left. */
  restoreTask: { params: z.object({ task: savedTaskSchema }), result: launched },
  /**
   * To the app's receivers, those of its manifest and those it registered; `found` is false when the named one is not there.
   * `fromUid`: who sends it. An ordered one is answered when all have had it, with the result that they made of it.
   */
  broadcast: {
    params: intentSchema.extend({ fromUid: z.int(), ordered: z.boolean() }),
    result: z.object({ found: z.boolean(), code: z.int().optional(), data: z.string().optional() }),
  },
  startService: { params: intentSchema, result: z.object({ found: z.boolean() }) },
  /** A service that ran in a process that is gone; without starts it gets no intent. */
  restartService: {
    params: serviceStartsSchema.omit({ sticky: true }),
    result: z.object({ found: z.boolean() }),
  },
  /** `found`: it ran. */
  stopService: { params: intentSchema, result: z.object({ found: z.boolean() }) },
  activities: {
    params: empty,
    result: z.object({
      tasks: z.array(
        z.object({
          id: z.int(),
          affinity: z.string(),
          rootComponent: z.string(),
          /** Top of the task first. */
          activities: z.array(activitySchema),
        }),
      ),
      resumedComponent: z.string().optional(),
      /** Bottom window first. */
      windows: z.array(windowSchema),
      /** Of the system, as far as they are shown. */
      systemWindows: z.object({
        statusBar: boundsPx.optional(),
        navigationBar: boundsPx.optional(),
        keyboard: boundsPx.optional(),
      }),
    }),
  },
  /** Sends the app's task behind (another app comes to the front): pause and stop of what is shown. */
  background: { params: empty, result: z.object({ task: savedTaskSchema.optional() }) },
  /** Brings the app's task to the front again; `resumed` is false when it has no activity left. */
  foreground: { params: empty, result: z.object({ resumed: z.boolean() }) },
  tap: {
    params: z.object({ x: px, y: px, durationMs: z.number().min(0).optional() }),
    result: handled,
  },
  swipe: {
    params: z.object({
      x1: px,
      y1: px,
      x2: px,
      y2: px,
      /** How long the finger rests before it moves, ms. */
      holdMs: z.number().min(0).optional(),
      durationMs: z.number().min(0),
    }),
    result: handled,
  },
  /** One event of a finger that stays down between requests. */
  motion: {
    params: z.object({ action: z.enum(['down', 'move', 'up', 'cancel']), x: px, y: px }),
    result: z.object({ handled: z.boolean() }),
  },
  text: { params: z.object({ text: z.string() }), result: handled },
  key: {
    params: z.object({
      keyCode: z.int(),
      metaState: z.int().optional(),
      longPress: z.boolean().optional(),
    }),
    result: handled,
  },
  screenshot: {
    params: empty,
    result: z.object({ png: z.string(), width: z.int(), height: z.int(), secure: z.boolean() }),
  },
  viewDump: {
    params: empty,
    result: z.object({
      /** Shown windows, bottom first. */
      windows: z.array(z.object({ title: z.string(), type: windowSchema.shape.type, root: viewNodeSchema })),
    }),
  },
  /** `found`: the process has a job of that id; it runs now. */
  runJob: { params: z.object({ id: z.int() }), result: z.object({ found: z.boolean() }) },
  /** Somebody else has changed a setting; without a value it is deleted. */
  setting: { params: settingSchema, result: empty },
  configure: { params: z.object({ config: deviceConfigSchema.partial() }), result: empty },
  /** The screen went on or off, or its lock changed. */
  screen: { params: screenSchema, result: empty },
  /** To what the event `dismissKeyguard` asked. */
  keyguardDismissed: {
    params: z.object({ id: z.int(), outcome: z.enum(['succeeded', 'cancelled', 'error']) }),
    result: empty,
  },
  /** The user has granted or taken a permission elsewhere. */
  setPermission: {
    params: z.object({
      permission: z.string(),
      granted: z.boolean(),
      /** As in `bind`, when that has changed too. */
      refusals: z.int().optional(),
    }),
    result: empty,
  },
  attachAgent: { params: z.object({ path: z.string(), options: z.string() }), result: empty },
  /** To what the event `uiAutomation` asked; empty when there is no answer. */
  uiAutomationAnswer: {
    params: z.object({ id: z.int(), value: z.record(z.string(), z.unknown()) }),
    result: empty,
  },
  ...BINDER_METHODS,
  trim: { params: empty, result: empty },
  memory: { params: empty, result: z.object({ heapUsed: z.int(), heapMax: z.int() }) },
} as const;

export type Methods = typeof METHODS;
export type Method = keyof Methods;
export type ParamsOf<M extends Method> = z.input<Methods[M]['params']>;
export type ResultOf<M extends Method> = z.output<Methods[M]['result']>;

const instrumentationReport = z.object({
  code: z.int(),
  results: z.record(z.string(), z.object({ type: z.enum(['string', 'int', 'long']), value: z.string() })),
});
export type InstrumentationReport = z.infer<typeof instrumentationReport>;

/** What an app process says by itself. */
export const eventSchema = z.discriminatedUnion('event', [
  z.object({ event: z.literal('ready'), params: z.object({ bootMs: z.number() }) }),
  z.object({
    event: z.literal('log'),
    params: z.object({
      timeMs: z.number(),
      tid: z.int(),
      priority: z.enum(['V', 'D', 'I', 'W', 'E', 'F']),
      tag: z.string(),
      message: z.string(),
      buffer: z.enum(['main', 'system', 'crash', 'events']),
    }),
  }),
  z.object({
    event: z.literal('activity'),
    params: z.object({ component: z.string(), state: activitySchema.shape.state }),
  }),
  /** An activity of another app was asked for; the daemon decides what comes to the front. */
  z.object({ event: z.literal('started'), params: intentSchema }),
  /** Of another process, or of another app. */
  z.object({ event: z.literal('startService'), params: intentSchema }),
  z.object({ event: z.literal('stopService'), params: intentSchema }),
  /** What a started service wants to be when its process has ended. */
  z.object({ event: z.literal('serviceStarts'), params: serviceStartsSchema }),
  /** Delivered in the process already; others may have receivers for it. */
  z.object({ event: z.literal('broadcast'), params: intentSchema }),
  ...BINDER_EVENTS,
  /** What the top activity wants of a locked screen has changed. */
  z.object({ event: z.literal('overLock'), params: overLockSchema }),
  /** How the top activity wants the screen to be turned. */
  z.object({ event: z.literal('orientation'), params: z.object({ wanted: orientationSchema }) }),
  /** The app has changed a setting. */
  z.object({ event: z.literal('putSetting'), params: settingSchema }),
  /** `KeyguardManager.requestDismissKeyguard` */
  z.object({ event: z.literal('dismissKeyguard'), params: z.object({ id: z.int() }) }),
  /** HOME was pressed, or the last activity is gone: the launcher is in front. */
  z.object({ event: z.literal('home'), params: z.object({ task: savedTaskSchema.optional() }) }),
  z.object({
    event: z.literal('crash'),
    params: z.object({
      process: z.string(),
      exception: z.string(),
      message: z.string(),
      stack: z.string(),
    }),
  }),
  /** A test runner reports (`Instrumentation.sendStatus`), or is done. */
  z.object({ event: z.literal('instrumentationStatus'), params: instrumentationReport }),
  z.object({ event: z.literal('instrumentationFinished'), params: instrumentationReport }),
  /** A test runner looks at the screen or touches it (`android.app.UiAutomation`). */
  z.object({
    event: z.literal('uiAutomation'),
    params: z.object({
      id: z.int(),
      method: z.enum(['viewDump', 'tap', 'swipe', 'key']),
      params: z.unknown(),
    }),
  }),
  /** The user has answered in the dialog that asks for permissions. */
  z.object({
    event: z.literal('permission'),
    params: z.object({ permission: z.string(), granted: z.boolean() }),
  }),
  z.object({ event: z.literal('anr'), params: z.object({ reason: z.string() }) }),
  z.object({ event: z.literal('toast'), params: z.object({ text: z.string() }) }),
]);

export type AppEvent = z.infer<typeof eventSchema>;

/** Error codes of the app process itself. */
export const PROCESS_ERRORS = [
  'INVALID_PARAMS',
  'NOT_BOUND',
  'ALREADY_BOUND',
  'NO_DEBUGGER',
  'BIND_FAILED',
  'ACTIVITY_NOT_FOUND',
  'APP_CRASHED',
  'AGENT_REFUSED',
  'AGENT_FAILED',
  'INTERNAL',
] as const;

/** Error codes of the calling side: the process ended, did not answer in time, answered nonsense, or was not waited for. */
export const CALL_ERRORS = ['PROCESS_GONE', 'TIMEOUT', 'BAD_ANSWER', 'CANCELED'] as const;

export interface AppProcessFault {
  readonly code: (typeof PROCESS_ERRORS)[number] | (typeof CALL_ERRORS)[number];
  readonly message: string;
}

export type AppProcessResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: AppProcessFault };

export const answerSchema = z.union([
  z.object({ id: z.int(), result: z.unknown() }),
  z.object({ id: z.int(), error: z.object({ code: z.enum(PROCESS_ERRORS), message: z.string() }) }),
]);

/** How a process ended. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface RequestOptions {
  readonly signal?: AbortSignal;
  /** Default 20 s: longer than any settled answer takes, shorter than a client's patience. */
  readonly timeoutMs?: number;
}

/** One JVM that is, or will be, the process of an app. */
export interface AppProcessPort {
  /** Process id of the JVM. */
  readonly pid: number;
  /** File that keeps what the JVM itself writes to its standard error. */
  readonly stderrFile: string;
  /** Asks and waits for the answer; never throws. */
  request<M extends Method>(
    method: M,
    params: ParamsOf<M>,
    options?: RequestOptions,
  ): Promise<AppProcessResult<ResultOf<M>>>;
  /** Hears every event from now on; answers the function that ends it. */
  onEvent(listener: (event: AppEvent) => void): () => void;
  /** Resolves when the JVM is gone, whatever the cause. */
  readonly exited: Promise<ProcessExit>;
  /** Ends the JVM at once (SIGKILL); resolves when it is gone. */
  kill(): Promise<void>;
}

/** Keeps spare processes booted. */
export interface AppProcessPoolPort {
  /** A booted process; waits for one when no spare is ready. */
  take(options?: { readonly signal?: AbortSignal }): Promise<AppProcessResult<AppProcessPort>>;
  /**
   * Has a spare translate the code of an APK, so that its first start is fast; resolves when that is done or cannot be.
   * Works while other processes start or run; without a spare nothing happens.
   */
  prepare(apks: readonly string[]): Promise<void>;
  /** Screen and settings for processes started from now on (spares started with others are replaced). */
  setConfig(config: z.infer<typeof deviceConfigSchema>): void;
  /** Ends all spares and forgets them; processes that were taken belong to their taker. */
  close(): Promise<void>;
}
