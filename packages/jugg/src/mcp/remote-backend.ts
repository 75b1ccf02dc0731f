import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { rpc, type RpcReply } from '../runtime/rpc.ts';
import type { ServerLink } from '../runtime/server-client.ts';
import { systemErrorCode } from '../shared/files.ts';
import { fail, ok, type Fault, type Result } from '../shared/outcome.ts';
import { toToolResult } from './reply.ts';
import { argumentNames, isOwnProject, withSession, type ArgumentNames, type Session } from './session.ts';
import type { BackendCaller, ToolBackend } from './server.ts';

const toolShape = z.looseObject({
  name: z.string(),
  inputSchema: z.looseObject({
    type: z.literal('object'),
    properties: z.record(z.string(), z.unknown()).optional(),
  }),
});
const listReply = z.object({ tools: z.array(toolShape) });
const resultShape = z.looseObject({ content: z.array(z.looseObject({ type: z.string() })) });

/** JSON-RPC: the tool's name or the form of its parameters is wrong. */
const INVALID_PARAMS = -32602;

/**
 * The tools of a running server, so that several agents share one compile host and one view of the devices. `connect`
 * finds the server, or starts it again when it went away in between.
 */
export function remoteBackend(connect: () => Promise<Result<ServerLink>>, session: Session): ToolBackend {
  const server = new ServerConnection(connect);
  let known: ReadonlyMap<string, ArgumentNames> | undefined;
  const list = async (): Promise<readonly Tool[]> => {
    const asked = await server.ask('tools/list', {}, { trusted: true });
    if (!asked.ok) throw new Error(asked.fault.message);
    const { tools } = listReply.parse(asked.value.result);
    known = argumentNames(tools);
    // Checked as far as this process looks into them; the rest passes through as the server made it.
    return tools as unknown as readonly Tool[];
  };
  return {
    list,
    call: async (name, args, caller) => {
      if (!known) await list();
      const given = withSession(name, args, known?.get(name) ?? new Set(), session);
      const trusted = isOwnProject(given, session);
      const asked = await server.ask('tools/call', { name, arguments: given }, { trusted, caller });
      if (!asked.ok) return faultResult(asked.fault);
      const { result, error } = asked.value;
      if (error?.code === INVALID_PARAMS) return undefined;
      if (error) throw new Error(error.message);
      return resultShape.parse(result) as unknown as CallToolResult;
    },
  };
}

/** A fault between this process and the server, told as any other fault of a call. */
function faultResult({ code, message, data = {} }: Fault): CallToolResult {
  return toToolResult({ envelope: { status: 'ERROR', message, data, artifacts: [], errorCode: code } });
}

interface Asking {
  /** Whether the request carries the user's token. */
  readonly trusted: boolean;
  readonly caller?: BackendCaller;
}

class ServerConnection {
  // Each session is a client of its own: several agents of one user share the server, and its devices.
  readonly #client = process.env['JUGG_CLIENT'] ?? `stdio-${process.pid}`;
  readonly #connect: () => Promise<Result<ServerLink>>;
  #known: ServerLink | undefined;

  constructor(connect: () => Promise<Result<ServerLink>>) {
    this.#connect = connect;
  }

  async ask(method: string, params: Record<string, unknown>, asking: Asking): Promise<Result<RpcReply>> {
    for (let attempt = 1; ; attempt += 1) {
      const link = this.#known ? ok(this.#known) : await this.#connect();
      if (!link.ok) return link;
      this.#known = link.value;
      try {
        return ok(await this.#send(link.value, method, params, asking));
      } catch (error) {
        this.#known = undefined;
        if (asking.caller?.signal.aborted) throw error;
        // Nobody listens any more: the request was not sent, and a server that is started now may have it.
        if (systemErrorCode(error) === 'ECONNREFUSED' && attempt === 1) continue;
        const said = error instanceof Error ? error.message : String(error);
        return fail(
          'SERVER_STOPPED',
          `The server on port ${link.value.record.port} went away during the call (${said}); call again.`,
        );
      }
    }
  }

  #send(link: ServerLink, method: string, params: Record<string, unknown>, { trusted, caller }: Asking) {
    const target = { port: link.record.port, token: trusted ? link.token : '' };
    return rpc(target, method, params, {
      client: this.#client,
      ...(caller ? { signal: caller.signal } : {}),
      ...(caller?.progress ? { onProgress: caller.progress } : {}),
    });
  }
}
