import { shippedFile, type JuggDirs } from '../shared/paths.ts';
import { fail, ok, type Result } from '../shared/outcome.ts';
import { rpc, type OnProgress } from '../runtime/rpc.ts';
import type { ServerLink } from '../runtime/server-client.ts';
import { findOrStartServer } from '../runtime/start-server.ts';
import { userToken } from '../runtime/token.ts';
import { faultEnvelope, isEnvelope, type CliEnvelope } from './envelope.ts';

export async function connect(dirs: JuggDirs): Promise<Result<ServerLink>> {
  return findOrStartServer(dirs, await userToken(dirs.state), shippedFile('jugg.mjs'));
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: OnProgress;
}

/** One call of a tool on the server; what goes wrong on the way is an envelope too. */
export async function callTool(
  link: ServerLink,
  name: string,
  args: Readonly<Record<string, unknown>>,
  options: CallOptions = {},
): Promise<CliEnvelope> {
  const reply = await send(link, name, args, options);
  if (!reply.ok) return faultEnvelope(reply.fault);
  const envelope = reply.value['structuredContent'];
  if (isEnvelope(envelope)) return envelope;
  return faultEnvelope({
    code: 'ENVIRONMENT_ERROR',
    message: `Port ${link.record.port} answers, but not as Jugg does.`,
  });
}

async function send(
  link: ServerLink,
  name: string,
  args: Readonly<Record<string, unknown>>,
  options: CallOptions,
): Promise<Result<Readonly<Record<string, unknown>>>> {
  try {
    const target = { port: link.record.port, token: link.token };
    const reply = await rpc(target, 'tools/call', { name, arguments: args }, options);
    if (reply.result) return ok(reply.result);
    return fail(
      'INVALID_PARAMS',
      reply.error?.message ?? 'The server answered with neither a result nor an error.',
    );
  } catch (error) {
    if (options.signal?.aborted) return fail('CANCELED', 'Interrupted.');
    const said = error instanceof Error ? error.message : String(error);
    return fail(
      'SERVER_STOPPED',
      `The server on port ${link.record.port} went away during the call (${said}); call again.`,
    );
  }
}

const POLL_WAIT_MS = 20_000;

/** Calls a tool that is a job and polls until the job has ended. */
export async function callJob(
  link: ServerLink,
  name: string,
  args: Readonly<Record<string, unknown>>,
  options: CallOptions,
): Promise<CliEnvelope> {
  let envelope = await callTool(link, name, args, options);
  while (envelope.status === 'OK' && envelope.data['isFinal'] === false && !options.signal?.aborted) {
    const { jobId } = envelope.data;
    const poll = { projectDir: args['projectDir'], jobId, waitTimeoutMs: POLL_WAIT_MS };
    envelope = await callTool(link, 'get-compile-status', poll, options);
  }
  return envelope;
}
