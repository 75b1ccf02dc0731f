import { resolve } from 'node:path';
import { juggDirs } from '../shared/paths.ts';
import { fail } from '../shared/outcome.ts';
import { toArguments } from './arguments.ts';
import { callJob, callTool, connect } from './call.ts';
import { exitCode, faultEnvelope, type CliEnvelope } from './envelope.ts';
import { cancelOwnJob } from './interrupt.ts';
import { formatPlain } from './print.ts';
import { styleFor } from './style.ts';
import { ProgressLine } from './progress-line.ts';
import { nearestProject } from './project-dir.ts';
import type { ToolCommand } from './table-types.ts';

export interface GlobalOptions {
  readonly projectDir?: string;
  readonly serial?: string;
  readonly json?: boolean;
  readonly color?: boolean;
}

/** Tools that need no project, so that a folder without one is no error. */
const PROJECT_OPTIONAL: ReadonlySet<string> = new Set([
  'version',
  'list-projects',
  'devices',
  'doctor',
  'report',
]);
/** Tools that take one device or several: `--serial`, else the environment's. */
const WITHOUT_DEVICE: ReadonlySet<string> = new Set([
  'version',
  'list-projects',
  'devices',
  'compile',
  'status',
  'get-compile-status',
  'list-jobs',
  'cancel-job',
  'explain',
  'report',
]);

/** Runs one tool and prints its answer once; the exit code of the process. */
export async function runTool(
  command: ToolCommand,
  values: Readonly<Record<string, unknown>>,
  global: GlobalOptions,
  extra: Readonly<Record<string, unknown>> = {},
): Promise<number> {
  const envelope = await call(command, values, global, extra);
  show(envelope, global);
  return exitCode(envelope);
}

export function show(envelope: CliEnvelope, global: GlobalOptions): void {
  if (global.json) process.stdout.write(`${JSON.stringify(envelope)}\n`);
  else process.stdout.write(formatPlain(envelope, styleFor(process.stdout, global.color ?? true)));
}

async function call(
  command: ToolCommand,
  values: Readonly<Record<string, unknown>>,
  global: GlobalOptions,
  extra: Readonly<Record<string, unknown>>,
): Promise<CliEnvelope> {
  const given = await toArguments(command.options, values);
  if (!given.ok) return faultEnvelope(given.fault);
  const projectDir =
    global.projectDir === undefined ? await nearestProject(process.cwd()) : resolve(global.projectDir);
  if (projectDir === null && !PROJECT_OPTIONAL.has(command.name)) {
    return faultEnvelope(
      fail(
        'INVALID_PARAMS',
        `No Gradle project here: neither ${process.cwd()} nor a folder above it has a settings.gradle. Go to the project, or pass --project-dir.`,
      ).fault,
    );
  }
  const link = await connect(juggDirs());
  if (!link.ok) return faultEnvelope(link.fault);
  const serial = global.serial ?? process.env['ANDROID_SERIAL'];
  const named =
    serial !== undefined &&
    given.value['serials'] === undefined &&
    (global.serial !== undefined || !WITHOUT_DEVICE.has(command.name));
  const args = {
    ...(projectDir === null ? {} : { projectDir }),
    ...(named ? { serial } : {}),
    ...given.value,
    ...extra,
  };
  const stop = new AbortController();
  const startedAtMs = Date.now();
  const interrupted = (): void => {
    if (stop.signal.aborted) process.exit(130);
    stop.abort();
  };
  process.on('SIGINT', interrupted);
  const { signal } = stop;
  const progress = command.job ? ProgressLine.onTerminal() : undefined;
  try {
    if (!command.job) return await callTool(link.value, command.name, args, { signal });
    const onProgress = progress ? { onProgress: progress.update } : {};
    const envelope = await callJob(link.value, command.name, args, { signal, ...onProgress });
    if (stop.signal.aborted) await cancelOwnJob(link.value, projectDir, startedAtMs);
    return envelope;
  } finally {
    progress?.end();
    process.off('SIGINT', interrupted);
  }
}
