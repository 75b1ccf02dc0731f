import { spawn } from 'node:child_process';
import { mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readJson, writeFileAtomic } from '../shared/files.ts';
import { fail, ok, type Result } from '../shared/outcome.ts';
import { shippedFile, type JuggDirs } from '../shared/paths.ts';
import { startOnce } from './single-start.ts';
import {
  accepts,
  listVirtualDevices,
  recordSchema,
  specFile,
  virtualDeviceDir,
  type VirtualDeviceRecord,
} from './virtual-devices.ts';

/** Who may use a device over adb: everyone, everyone with a key, who is said yes to, nobody. */
export const AUTH_MODES = ['none', 'accept', 'ask', 'refuse'] as const;

export interface VirtualDeviceWish {
  readonly name: string;
  readonly api: number;
  /** px */
  readonly size: readonly [width: number, height: number];
  /** dots per inch */
  readonly density: number;
  readonly locale: string;
  /** Start any APK without being asked: it runs as this user. */
  readonly trustAll: boolean;
  readonly auth: (typeof AUTH_MODES)[number];
}

export const DEFAULT_VIRTUAL_DEVICE: VirtualDeviceWish = {
  name: 'jugg',
  api: 35,
  size: [1080, 2400],
  density: 420,
  locale: 'en-US',
  trustAll: false,
  auth: 'none',
};

const START_TIMEOUT_MS = 15_000;

/**
 * A device's daemon works in short bursts and then waits for hours. Without these it keeps 40 MB more after large
 * transfers (67 MB resident instead of 108). The names are V8's and glibc's; elsewhere the latter mean nothing.
 */
const SMALL_HEAP = ['--max-semi-space-size=1', '--v8-pool-size=1'];
const SMALL_ARENAS = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_TRIM_THRESHOLD_: String(128 * 1024),
  MALLOC_MMAP_THRESHOLD_: String(64 * 1024),
};
const POLL_MS = 20;
const LONGEST_SIDE_PX = 8000;
const SHORTEST_SIDE_PX = 200;

/** Runtime of the app processes: resolved jars and the java binary. */
export interface AppProcessRuntime {
  readonly java: string;
  readonly classPath: readonly string[];
  readonly frameworkJar: string;
  readonly nativeJar: string;
}

/**
 * Starts the daemon of a virtual device, or finds the one of that name that already runs; `INVALID_PARAMS` when that one is
 * not as wished. What is left out is as in {@link DEFAULT_VIRTUAL_DEVICE}.
 */
export async function startVirtualDevice(
  dirs: JuggDirs,
  wish: Partial<VirtualDeviceWish>,
  runtime: AppProcessRuntime,
): Promise<Result<VirtualDeviceRecord>> {
  const whole: VirtualDeviceWish = { ...DEFAULT_VIRTUAL_DEVICE, ...wish };
  const wrong = wrongIn(whole);
  if (wrong !== undefined) return fail('INVALID_PARAMS', wrong);
  const { name } = whole;
  const find = async (): Promise<VirtualDeviceRecord | undefined> =>
    (await listVirtualDevices(dirs)).find((record) => record.name === name);
  await mkdir(dirs.logs, { recursive: true, mode: 0o700 });
  const deadlineMs = performance.now() + START_TIMEOUT_MS;
  const started = await startOnce({
    lockPath: join(virtualDeviceDir(dirs), `${name}.start`),
    find,
    start: () => start(dirs, whole, runtime, deadlineMs),
    deadlineMs,
  });
  if (!started)
    return fail(
      'ENVIRONMENT_ERROR',
      `The virtual device ${name} did not start within ${START_TIMEOUT_MS / 1000} s (log: ${logFile(dirs, name)}).`,
    );
  if (!started.ok) return started;
  const other = await differences(dirs, name, wish);
  if (other.length === 0) return started;
  return fail(
    'INVALID_PARAMS',
    `The virtual device ${name} runs already, with ${other.join(', ')}. Stop it first (jugg vd stop ${name}), or give the new one another name.`,
  );
}

/** What is wrong with a wish, in the words of the command line. */
function wrongIn({ name, api, size, density, locale }: VirtualDeviceWish): string | undefined {
  if (!/^[A-Za-z0-9][A-Za-z0-9_.-]{0,39}$/.test(name))
    return `--name: got "${name}", expected letters, digits, ".", "_" and "-", at most 40`;
  if (!Number.isInteger(api) || api < 26 || api > 36)
    return `--api: got ${api}, expected a level from 26 to 36`;
  if (size.some((side) => !Number.isInteger(side) || side < SHORTEST_SIDE_PX || side > LONGEST_SIDE_PX))
    return `--size: got ${size.join('x')}, expected ${SHORTEST_SIDE_PX} to ${LONGEST_SIDE_PX} px each way`;
  if (!Number.isInteger(density) || density < 72 || density > 960)
    return `--density: got ${density}, expected 72 to 960 dots per inch`;
  if (!isLanguage(locale)) return `--locale: got "${locale}", expected a language tag such as de-DE`;
  return undefined;
}

/** A language of two or three letters, a script or none, a region or none: what Android resources know. */
function isLanguage(tag: string): boolean {
  return /^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|\d{3}))?$/.test(tag);
}

/** What the running device of that name has otherwise than wished, as `api 35 instead of 30`. */
async function differences(
  dirs: JuggDirs,
  name: string,
  wish: Partial<VirtualDeviceWish>,
): Promise<readonly string[]> {
  const spec = await readJson(specFile(dirs, name));
  if (typeof spec !== 'object' || spec === null) return [];
  const has: Readonly<Record<string, unknown>> = { ...spec };
  return Object.entries(wish)
    .filter(([key, value]) => value !== undefined && JSON.stringify(has[key]) !== JSON.stringify(value))
    .map(([key, value]) => `${key} ${shown(has[key])} instead of ${shown(value)}`);
}

function shown(value: unknown): string {
  return Array.isArray(value) ? value.join('x') : String(value);
}

function logFile(dirs: JuggDirs, name: string): string {
  return join(dirs.logs, `vd-${name}.log`);
}

async function start(
  dirs: JuggDirs,
  wish: VirtualDeviceWish,
  runtime: AppProcessRuntime,
  deadlineMs: number,
): Promise<Result<VirtualDeviceRecord>> {
  const dir = virtualDeviceDir(dirs);
  const spec = specFile(dirs, wish.name);
  await writeFileAtomic(
    spec,
    JSON.stringify({
      ...wish,
      port: 0,
      stateDir: dir,
      runtime: { ...runtime, cacheDir: join(dirs.cache, 'virtual-device') },
    }),
  );
  const logPath = logFile(dirs, wish.name);
  const log = await open(logPath, 'w', 0o600);
  const child = spawn(process.execPath, [...SMALL_HEAP, shippedFile('virtual-device.mjs'), spec], {
    detached: true,
    env: { ...process.env, ...SMALL_ARENAS },
    stdio: ['ignore', log.fd, log.fd],
    windowsHide: true,
  });
  await log.close();
  const ended = new AbortController();
  for (const event of ['exit', 'error']) child.once(event, () => ended.abort());
  child.unref();
  while (performance.now() < deadlineMs && !ended.signal.aborted) {
    const found = recordSchema.safeParse(await readJson(join(dir, `${wish.name}.json`)));
    if (found.success && found.data.pid === child.pid && (await accepts(found.data.port)))
      return ok(found.data);
    await delay(POLL_MS);
  }
  const said = (await readFile(logPath, 'utf8').catch(() => '')).trim().slice(-800);
  return fail(
    'ENVIRONMENT_ERROR',
    `The virtual device ${wish.name} did not start${said ? `: ${said}` : ''} (log: ${logPath})`,
  );
}
