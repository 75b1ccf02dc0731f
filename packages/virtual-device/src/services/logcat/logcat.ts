import type { Command, CommandContext } from '../../shell/command.ts';
import { UID_SHELL } from '../../fs/layout.ts';
import type { LogBuffer, Logd, LogEntry, LogPriority } from '../../system/logd.ts';
import { binaryEntry } from './binary.ts';
import { formatEntry } from './format.ts';
import { isShown, parseLogcatOptions } from './options.ts';
import type { LogcatOptions } from './options.ts';

/** `logcat` (AOSP system/logging/logcat). */
export function logcatCommand(logd: Logd, now: () => number): Command {
  return async (context) => {
    const parsed = parseLogcatOptions(context.args, now());
    if (!parsed.ok) {
      await context.stderr.write(`logcat: ${parsed.message}\n`);
      return 1;
    }
    const { options } = parsed;
    if (context.args.includes('--help')) {
      await context.stderr.write(USAGE);
      return 0;
    }
    if (options.clear) {
      logd.clear(options.buffers);
      return 0;
    }
    if (options.resize !== null) {
      for (const buffer of options.buffers) logd.resize(buffer, options.resize);
      return 0;
    }
    if (options.sizes) {
      for (const buffer of options.buffers) {
        const used = Math.ceil(logd.sizeOf(buffer) / 1024);
        await context.stdout.write(
          `${buffer}: ring buffer is ${sizeText(logd.capacityOf(buffer))} (${used} KiB consumed, 0 B readable), max entry is 5120 B, max payload is 4068 B\n`,
        );
      }
      return 0;
    }
    return options.dump ? dump(context, logd, options) : follow(context, logd, options);
  };
}

const USAGE = `Usage: logcat [options] [filterspecs]

Options: -b, -B, -c, -d, -D, -e, -g, -G, -m, -s, -t, -T, -v, --pid, --uid, --print
Filterspecs are a series of <tag>[:priority]; with priority V, D, I, W, E, F or S (silent).
`;

function sizeText(bytes: number): string {
  return bytes % 1024 ** 2 === 0 ? `${bytes / 1024 ** 2} MiB` : `${Math.floor(bytes / 1024)} KiB`;
}

/** Apps see only their own lines. */
function visible(entry: LogEntry, options: LogcatOptions, uid: number): boolean {
  if (!options.buffers.has(entry.buffer)) return false;
  if (uid > UID_SHELL && entry.uid !== uid) return false;
  if (options.sinceMs !== null && entry.timeMs < options.sinceMs) return false;
  if (options.pid !== null && entry.pid !== options.pid) return false;
  if (options.uids !== null && !options.uids.includes(entry.uid)) return false;
  if (options.regex && !options.regex.test(entry.message)) return false;
  return isShown(entry.priority, entry.tag, options.levels);
}

function stored(context: CommandContext, logd: Logd, options: LogcatOptions): LogEntry[] {
  const entries = logd.read(options.buffers).filter((entry) => visible(entry, options, context.uid));
  return options.tail === null ? entries : entries.slice(-options.tail);
}

/** Writes entries, with a line where a buffer begins. */
class Printer {
  readonly #options: LogcatOptions;
  readonly #seen = new Set<LogBuffer>();
  #last: LogBuffer | null = null;
  #printed = 0;

  constructor(options: LogcatOptions) {
    this.#options = options;
  }

  get full(): boolean {
    return this.#options.maxCount !== null && this.#printed >= this.#options.maxCount;
  }

  text(entry: LogEntry): Buffer {
    this.#printed++;
    if (this.#options.binary) return binaryEntry(entry);
    let divider = '';
    if (entry.buffer !== this.#last) {
      const known = this.#seen.has(entry.buffer);
      if (!known || this.#options.dividers) {
        divider = `--------- ${known ? 'switch to' : 'beginning of'} ${entry.buffer}\n`;
      }
      this.#seen.add(entry.buffer);
      this.#last = entry.buffer;
    }
    return Buffer.from(divider + formatEntry(entry, this.#options.format, this.#options.modifiers));
  }
}

async function dump(context: CommandContext, logd: Logd, options: LogcatOptions): Promise<number> {
  const printer = new Printer(options);
  let parts: Buffer[] = [];
  let size = 0;
  for (const entry of stored(context, logd, options)) {
    if (printer.full) break;
    const part = printer.text(entry);
    parts.push(part);
    size += part.length;
    if (size < 64 * 1024) continue;
    if (!(await context.stdout.write(Buffer.concat(parts)))) return 141;
    parts = [];
    size = 0;
  }
  await context.stdout.write(Buffer.concat(parts));
  return 0;
}

/** A reader that lets more than this wait for it is cut off, as logd does. */
const MAX_WAITING = 20_000;

async function follow(context: CommandContext, logd: Logd, options: LogcatOptions): Promise<number> {
  const printer = new Printer(options);
  const waiting = stored(context, logd, options);
  const state = { lost: false, wake: (): void => {} };
  const stop = logd.follow((entry) => {
    if (!visible(entry, options, context.uid)) return;
    if (waiting.length >= MAX_WAITING) state.lost = true;
    else waiting.push(entry);
    state.wake();
  });
  const hungUp = (): void => state.wake();
  context.signal.addEventListener('abort', hungUp);
  let status = 0;
  while (!context.signal.aborted && !state.lost && !printer.full) {
    const parts: Buffer[] = [];
    for (const entry of waiting.splice(0)) if (!printer.full) parts.push(printer.text(entry));
    if (parts.length > 0 && !(await context.stdout.write(Buffer.concat(parts)))) {
      status = 141;
      break;
    }
    if (waiting.length > 0 || state.lost || printer.full || context.signal.aborted) continue;
    await new Promise<void>((resolve) => {
      state.wake = resolve;
    });
  }
  stop();
  context.signal.removeEventListener('abort', hungUp);
  if (state.lost) {
    await context.stderr.write('logcat: Unexpected EOF!\n');
    return 1;
  }
  return status;
}

/** `log [-p PRIORITY] [-t TAG] MESSAGE` */
export function logCommand(logd: Logd, now: () => number): Command {
  return async ({ args, uid }) => {
    let priority: LogPriority = 'I';
    let tag = 'log';
    let at = 0;
    for (; at < args.length - 1 && (args[at] ?? '').startsWith('-'); at += 2) {
      const value = args[at + 1] ?? '';
      if (args[at] === '-t') tag = value;
      if (args[at] === '-p') {
        priority =
          (['V', 'D', 'I', 'W', 'E', 'F'] as const).find((each) => each === value.toUpperCase()) ?? 'I';
      }
    }
    const pid = 4_199_999;
    logd.write({
      timeMs: now(),
      uid,
      pid,
      tid: pid,
      priority,
      tag,
      message: args.slice(at).join(' '),
      buffer: 'main',
    });
    return 0;
  };
}
