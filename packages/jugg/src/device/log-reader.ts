import type { AdbConnection } from '../adb/types.ts';
import { createLogcatParser, logcatEnd, parseLogcat, type LogEntry } from '../formats/logcat.ts';
import type { Clock } from '../shared/clock.ts';
import { fail, ok, type Result } from '../shared/outcome.ts';
import { run } from './shell.ts';

/** `-v epoch` and times for `-T` in seconds since the epoch came with Android 7. */
const EPOCH_API = 24;
/** Between the end of a logcat that was too slow and the next one. */
const RESTART_MS = 100;

function command(api: number, sinceMs: number | null): string[] {
  const epoch = api >= EPOCH_API;
  const since = sinceMs !== null && epoch ? ['-T', (sinceMs / 1000).toFixed(3)] : [];
  const format = ['-v', 'threadtime', ...(epoch ? ['-v', 'epoch'] : [])];
  return ['logcat', ...format, '-b', 'main', '-b', 'system', '-b', 'crash', ...since];
}

/** The buffers are merged by time on the device; `-T` may give a line too many, which is left out. */
function since(entries: readonly LogEntry[], sinceMs: number | null): readonly LogEntry[] {
  return sinceMs === null
    ? entries
    : entries.filter((entry) => entry.timeMs === null || entry.timeMs >= sinceMs);
}

export async function readLogs(
  connection: AdbConnection,
  api: number,
  sinceMs: number | null,
  signal: AbortSignal,
): Promise<Result<readonly LogEntry[]>> {
  const output = await run(connection, [...command(api, sinceMs), '-d'], signal);
  return output.ok ? ok(since(parseLogcat(output.value.stdout).entries, sinceMs)) : output;
}

/**
 * Follows the log until the signal fires (which is its ordinary end). The log daemon cuts off readers that are too
 * slow: then it is started again from the last time seen, and the entries after that are told as a gap.
 */
export async function followLogs(
  {
    connection,
    api,
    clock,
  }: { readonly connection: AdbConnection; readonly api: number; readonly clock: Clock },
  sinceMs: number | null,
  onEntries: (entries: readonly LogEntry[], gap: boolean) => void,
  signal: AbortSignal,
): Promise<Result<void>> {
  let from = sinceMs;
  let gap = false;
  while (!signal.aborted) {
    const process = await connection.spawn(command(api, from), { signal });
    if (!process.ok) return signal.aborted ? ok(undefined) : process;
    const { stdout, stderr, exit } = process.value;
    const kill = (): void => process.value.kill();
    const parser = createLogcatParser();
    let complaints = '';
    const take = (entries: readonly LogEntry[]): void => {
      const fresh = since(entries, from);
      if (fresh.length === 0) return;
      onEntries(fresh, gap);
      gap = false;
      lastMs = fresh.at(-1)?.timeMs ?? lastMs;
    };
    let lastMs = from;
    stdout.on('data', (chunk: Buffer) => take(parser.push(chunk).entries));
    stderr.on('data', (chunk: Buffer) => {
      complaints = (complaints + chunk.toString()).slice(-2000);
    });
    signal.addEventListener('abort', kill, { once: true });
    const ended = await exit;
    signal.removeEventListener('abort', kill);
    if (signal.aborted) return ok(undefined);
    if (!ended.ok) return ended;
    take(parser.end().entries);
    if (!logcatEnd(complaints).gap)
      return fail('DEVICE_OFFLINE', `logcat ended by itself (${ended.value}): ${complaints.slice(0, 300)}`);
    gap = true;
    from = lastMs === null ? null : lastMs + 1;
    await clock.sleep(RESTART_MS, signal);
  }
  return ok(undefined);
}
