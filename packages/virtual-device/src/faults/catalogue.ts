import { z } from 'zod';

/**
 * What can go wrong on command. Values may come as text (from a command line): numbers are coerced. Each entry says in
 * one line what it does; that line, the options and their limits are what `jugg vd fault list` prints.
 */

const count = (max: number) => z.coerce.number<number | string>().int().min(0).max(max);
const DAY_MS = 86_400_000;
/** Every fault can end by itself. */
const forMs = count(DAY_MS).optional().describe('ends by itself after so many ms');
/** Faults that strike: how often, until cleared when it is not given. */
const times = count(1_000_000).min(1).optional().describe('how many times; without it until cleared');

function entry<S extends z.ZodRawShape>(summary: string, shape: S) {
  return { summary, options: z.strictObject({ ...shape, forMs }) };
}

/** Each known way in which `uiautomator dump` fails. */
export const UIAUTOMATOR_FAILURES = [
  'not-idle',
  'never-idle',
  'killed',
  'null-root',
  'busy',
  'dead-object',
  'no-file',
  'other-path',
  'hang',
] as const;

/** When an app process can be made to die. */
export const KILL_PHASES = ['bind', 'start', 'resumed', 'input', 'agent', 'background'] as const;

export const CATALOGUE = {
  offline: entry('adb sees the device as offline: connections end, new ones get no answer', {}),
  unauthorized: entry('adb sees the device as unauthorized: it asks for a key and nobody says yes', {}),
  vanish: {
    summary: 'the device goes away and comes back with the same serial; its apps run on',
    options: z.strictObject({ forMs: count(DAY_MS).default(2000).describe('how long it is away, in ms') }),
  },
  'slow-link': entry('the connection is slow', {
    bytesPerSecond: count(1_000_000_000).min(1).optional().describe('each way'),
    latencyMs: count(60_000).optional().describe('each way'),
  }),
  stall: entry(
    'a service or command takes requests and never answers; what waits goes on when it is cleared',
    {
      service: z
        .string()
        .min(1)
        .describe(
          'an adb service (sync, shell, localabstract:name) or a command (pm, am, cmd, dumpsys, logcat)',
        ),
    },
  ),
  cut: entry('the connection breaks once, after so many more bytes in either direction', {
    afterBytes: count(1_000_000_000).describe('bytes from now on'),
  }),
  'disk-full': entry('writes fail with "No space left on device", installs for want of storage', {
    freeBytes: count(1_000_000_000_000).default(0).describe('what can still be written'),
  }),
  'install-refused': entry('the package manager refuses every install', {
    reason: z
      .string()
      .regex(
        /^INSTALL_(FAILED|PARSE_FAILED)_[A-Z0-9_]+$/,
        'expected INSTALL_FAILED_… or INSTALL_PARSE_FAILED_…',
      )
      .default('INSTALL_FAILED_INTERNAL_ERROR')
      .describe('as pm prints it'),
    text: z.string().default('').describe('what follows the reason'),
    times,
  }),
  uiautomator: entry('uiautomator dump fails', {
    how: z.enum(UIAUTOMATOR_FAILURES).default('null-root').describe('in which way'),
    times,
  }),
  'kill-app': entry('an app process is killed at a moment of its life', {
    phase: z.enum(KILL_PHASES).default('start').describe('the moment'),
    package: z.string().optional().describe('only of this package'),
    times: count(1_000_000).min(1).default(1).describe('how many times'),
  }),
  'clock-jump': entry("the device's clock is off; apps keep the host's clock", {
    ms: z.coerce
      .number<number | string>()
      .int()
      .min(-1e12)
      .max(1e12)
      .describe('how far, in ms; negative is back'),
  }),
  'boot-loop': entry('the device boots again and again and never gets through', {
    upMs: count(DAY_MS).min(10).default(3000).describe('how long adb sees it each time'),
    downMs: count(DAY_MS).min(10).default(3000).describe('how long it is away in between'),
  }),
  'agent-refused': entry('am attach-agent does not load the agent', {
    message: z
      .string()
      .default('dlopen failed: library "agent" not found')
      .describe('the reason, in the log'),
    times,
  }),
  'resources-loader-missing': entry(
    'app processes that start from now on have no android.content.res.loader, as before Android 11',
    {},
  ),
  'log-flood': entry('lines pour into the log', {
    linesPerSecond: count(1_000_000).min(1).default(5000).describe('how many'),
    tag: z.string().min(1).max(80).default('Flood').describe('their tag'),
  }),
} as const;

export type FaultName = keyof typeof CATALOGUE;
export type FaultOptions<N extends FaultName> = z.output<(typeof CATALOGUE)[N]['options']>;
export type FaultInput<N extends FaultName> = z.input<(typeof CATALOGUE)[N]['options']>;

export const FAULT_NAMES: readonly FaultName[] = Object.freeze(
  // `Object.keys` is typed as string[]; the table is closed, so its keys are exactly the names.
  Object.keys(CATALOGUE) as FaultName[],
);

export function isFaultName(text: string): text is FaultName {
  return Object.hasOwn(CATALOGUE, text);
}

/** A fault as it is listed for people. */
export interface FaultHelp {
  readonly name: FaultName;
  readonly summary: string;
  readonly options: readonly { readonly name: string; readonly about: string }[];
}

export function faultHelp(name: FaultName): FaultHelp {
  const { summary, options } = CATALOGUE[name];
  return {
    name,
    summary,
    options: Object.entries<z.ZodType>(options.shape).map(([key, type]) => ({
      name: key,
      about: [type.description ?? '', valuesOf(type)].filter((part) => part !== '').join(' '),
    })),
  };
}

/** What a choice offers and what an option is without being given. */
function valuesOf(type: z.ZodType): string {
  if (type instanceof z.ZodDefault) {
    const inner = type.unwrap();
    const value = JSON.stringify(type.def.defaultValue);
    return `${inner instanceof z.ZodType ? valuesOf(inner) : ''} [${value}]`.trim();
  }
  return type instanceof z.ZodEnum ? `(${type.options.join(', ')})` : '';
}
