import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { rpc, type ServerLink } from '../runtime/server-client.ts';
import { VERSION } from '../shared/version.ts';
import { buildServer, type ToolBackend } from './server.ts';

const toolShape = z.looseObject({
  name: z.string(),
  inputSchema: z.looseObject({
    type: z.literal('object'),
    properties: z.record(z.string(), z.unknown()).optional(),
  }),
});
const listReply = z.object({ tools: z.array(toolShape) });
const resultShape = z.looseObject({ content: z.array(z.looseObject({ type: z.string() })) });

/** How long what runs may take to end once the client is gone. */
const EXIT_PATIENCE_MS = 3000;

/** JSON-RPC: the tool's name or the form of its parameters is wrong. */
const INVALID_PARAMS = -32602;

/**
 * The tools of a running server, so that several agents share one compile host and one view of the devices. `connect`
 * finds the server, or starts it again when it went away in between.
 */
export function remoteBackend(connect: () => Promise<ServerLink>, projectDir: string | null): ToolBackend {
  // Each session is a client of its own: several agents of one user share the server, and its devices.
  const client = process.env['JUGG_CLIENT'] ?? `stdio-${process.pid}`;
  let known: ServerLink | undefined;
  const ask = async (
    method: string,
    params: Record<string, unknown>,
    signal?: AbortSignal,
    trusted = true,
  ) => {
    known ??= await connect();
    const target = { port: known.record.port, token: trusted ? known.token : '' };
    try {
      return await rpc(target, method, params, { client, ...(signal ? { signal } : {}) });
    } catch (error) {
      known = undefined;
      if (signal?.aborted) throw error;
      throw new Error(
        `the Jugg server on port ${target.port} went away: ${error instanceof Error ? error.message : String(error)}`,
        { cause: error },
      );
    }
  };
  let takesProject: ReadonlySet<string> | undefined;
  const list = async (): Promise<readonly Tool[]> => {
    const { tools } = listReply.parse((await ask('tools/list', {})).result);
    takesProject = new Set(
      tools
        .filter((tool) => tool.inputSchema.properties?.['projectDir'] !== undefined)
        .map((tool) => tool.name),
    );
    // Checked as far as this process looks into them; the rest passes through as the server made it.
    return tools as unknown as readonly Tool[];
  };
  return {
    list,
    call: async (name, args, { signal }) => {
      if (!takesProject) await list();
      const given = withProject(args, takesProject?.has(name) ? projectDir : null);
      const reply = await ask(
        'tools/call',
        { name, arguments: given },
        signal,
        isOwnProject(given, projectDir),
      );
      if (reply.error?.code === INVALID_PARAMS) return undefined;
      if (reply.error) throw new Error(reply.error.message);
      return resultShape.parse(reply.result) as unknown as CallToolResult;
    },
  };
}

/** A stdio session belongs to the folder it was started in; a call need not repeat it. */
export function withProject(args: unknown, projectDir: string | null): Record<string, unknown> {
  const given = typeof args === 'object' && args !== null ? args : {};
  return projectDir === null || 'projectDir' in given ? { ...given } : { projectDir, ...given };
}

/**
 * Whether a call is about the session's own folder: that one its user trusts, by having started the session there. For
 * any other the call goes without the token, as anybody's: an agent must not say yes for its user.
 */
export function isOwnProject(args: Readonly<Record<string, unknown>>, projectDir: string | null): boolean {
  const { projectDir: asked } = args;
  return asked === undefined || asked === projectDir;
}

/** Serves MCP on standard input and output until the input ends or the parent is gone. */
export async function runStdio(backend: ToolBackend, onError: (error: unknown) => void): Promise<void> {
  const handle = serveStdio(() => buildServer(backend, VERSION), { onerror: onError });
  const parent = process.ppid;
  await new Promise<void>((resolve) => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
    // EPIPE: nobody reads the answers any more.
    process.stdout.on('error', () => resolve());
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
    // A parent that was killed while something else keeps the pipe open: this process is adopted by another.
    const watch = setInterval(() => {
      if (process.ppid !== parent) resolve();
    }, 1000);
    watch.unref();
  });
  await handle.close();
  // Whatever is still going on in this process (a timer, a job) has nobody left to answer to.
  setTimeout(() => process.exit(0), EXIT_PATIENCE_MS).unref();
}
