import type { AdbConnection, ShellCommand } from '../adb/types.ts';
import { bothStreams } from '../formats/terminal.ts';
import { ok, type Result } from '../shared/outcome.ts';

export interface ShellOutput {
  readonly stdout: string;
  /** Both streams: tools and releases put the same line on different ones. */
  readonly all: string;
  readonly exitCode: number;
}

/** Runs a command on the device; what it printed and its exit code are for the caller to judge. */
export async function run(
  connection: AdbConnection,
  command: ShellCommand,
  signal: AbortSignal,
  timeoutMs?: number,
): Promise<Result<ShellOutput>> {
  const options = timeoutMs === undefined ? { signal } : { signal, timeoutMs };
  const result = await connection.shell(command, options);
  if (!result.ok) return result;
  const { stdout, stderr, exitCode } = result.value;
  return ok({ stdout, all: bothStreams(stdout, stderr), exitCode });
}
