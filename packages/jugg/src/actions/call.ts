import { fail, type Artifact, type Result } from '../shared/outcome.ts';
import { describeError, openLog } from '../shared/log.ts';
import { join } from 'node:path';
import { writeArtifact } from '../runtime/artifacts.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Action, Answer } from './action.ts';
import { parseArguments } from './arguments.ts';
import type { CallContext } from './context.ts';
import { limitEnvelope, type Envelope } from './envelope.ts';
import { nextTool } from './next-tool.ts';
import { findAction } from './registry.ts';

/** No call is held longer (contract §2): clients give up at 60 s. */
export const CALL_DEADLINE_MS = 45_000;

export interface Caller {
  /** Has shown the user's token, or is this user's own process. */
  readonly trusted: boolean;
  /** Who calls, as far as that can be told [this process]: what one client does to a device is told to the others. */
  readonly client?: string;
  /** Ends when the client is gone or has cancelled; nothing that was started is ended by it. */
  readonly signal: AbortSignal;
  readonly progress?: (message: string, percent: number | null) => void;
}

export interface Reply {
  readonly envelope: Envelope;
  readonly imagePng?: Buffer;
}

/**
 * The one way a tool is called, whatever the door: strict arguments, the tool with its gates, the deadline, the envelope
 * within its limit. `undefined` for a name that no tool has.
 */
export async function callTool(
  runtime: Runtime,
  name: string,
  given: unknown,
  caller: Caller,
): Promise<Reply | undefined> {
  const action = findAction(name);
  return action && callAction(runtime, action, given, caller);
}

/** The same for a tool that is at hand. */
export async function callAction(
  runtime: Runtime,
  action: Action,
  given: unknown,
  caller: Caller,
): Promise<Reply> {
  const { name } = action;
  const result = await run(runtime, action, given, caller);
  const envelope = await limitEnvelope(toEnvelope(result, name, given), async (json) => ({
    type: 'json',
    path: await writeArtifact(runtime, `${name}.json`, json),
  }));
  return { envelope, ...(result.ok && result.value.imagePng ? { imagePng: result.value.imagePng } : {}) };
}

async function run(
  runtime: Runtime,
  action: Action,
  given: unknown,
  caller: Caller,
): Promise<Result<Answer>> {
  const parsed = parseArguments(action, given);
  if (!parsed.ok) return parsed;
  const { clock } = runtime;
  let late = false;
  const answered = new AbortController();
  const ended = new AbortController();
  const endWithCaller = (): void => ended.abort();
  if (caller.signal.aborted) ended.abort();
  else caller.signal.addEventListener('abort', endWithCaller, { once: true });
  void clock.sleep(CALL_DEADLINE_MS, answered.signal).then(() => {
    if (answered.signal.aborted) return;
    late = true;
    ended.abort();
  });
  const endsAt = clock.now() + CALL_DEADLINE_MS;
  const context: CallContext = {
    runtime,
    tool: action.name,
    client: caller.client ?? `process-${process.pid}`,
    trusted: caller.trusted,
    signal: ended.signal,
    remainingMs: () => Math.max(0, endsAt - clock.now()),
    ...(caller.progress ? { progress: caller.progress } : {}),
  };
  try {
    const result = await action.run(parsed.value, context);
    // The deadline reaches the layers below as a cancel; what the client sees is that time ran out.
    if (!result.ok && result.fault.code === 'CANCELED' && late) {
      return fail(
        'TIMEOUT',
        `${action.name} did not end within ${CALL_DEADLINE_MS / 1000} s. ${result.fault.message}`,
        { data: result.fault.data ?? {} },
      );
    }
    return result;
  } catch (error) {
    return bug(runtime, action.name, error);
  } finally {
    // With a reason, as making the usual exception costs more than the rest of a small call.
    answered.abort('answered');
    caller.signal.removeEventListener('abort', endWithCaller);
  }
}

function toEnvelope(result: Result<Answer>, tool: string, given: unknown): Envelope {
  if (result.ok) {
    const { message, data, artifacts = [] } = result.value;
    return { status: 'OK', message, data, artifacts, errorCode: null };
  }
  const { code, message, data = {}, artifacts = [] } = result.fault;
  const next = 'nextTool' in data ? null : nextTool(result.fault, tool, given);
  return {
    status: 'ERROR',
    message,
    data: next ? { ...data, nextTool: next } : data,
    artifacts,
    errorCode: code,
  };
}

/** Anything that was thrown is a bug of ours: the client gets a sentence, and the details stay in a file. */
async function bug(runtime: Runtime, name: string, error: unknown): Promise<Result<Answer>> {
  const path = join(runtime.dirs.logs, `bug-${name}-${runtime.now().getTime()}.log`);
  const log = openLog(path, () => runtime.now());
  log.error(`${name} threw`, describeError(error));
  await log.close();
  runtime.log.error(`${name} threw`, error);
  const artifacts: readonly Artifact[] = [{ type: 'log', path }];
  return fail('INTERNAL_ERROR', `${name} failed inside Jugg. This is a bug; the log says what happened.`, {
    artifacts,
  });
}
