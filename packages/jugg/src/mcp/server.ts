import {
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type CallToolRequest,
  type CallToolResult,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server';
import { PROTOCOL_VERSIONS } from '../shared/protocol-versions.ts';
import { getPrompt, promptList } from './prompts.ts';
import { readResource, resourceList, TEMPLATES } from './resources.ts';

/** Where the tools of a connection live: in this process, or behind a running server (stdio). */
export interface ToolBackend {
  readonly list: () => Promise<readonly Tool[]>;
  /** `undefined` when there is no tool of that name. */
  readonly call: (name: string, args: unknown, caller: BackendCaller) => Promise<CallToolResult | undefined>;
}

export interface BackendCaller {
  readonly signal: AbortSignal;
  readonly progress?: (message: string, percent: number | null) => void;
}

const LIST_TTL_MS = 3600_000;

const INSTRUCTIONS =
  'Jugg compiles changed files of an Android app and puts them into the running app. After an edit call deploy; look with layout-dump or screenshot; act with tap; read with wait-logs. Always pass projectDir.';

/** One MCP server instance; cheap, as HTTP makes one for each request. */
export function buildServer(backend: ToolBackend, version: string): Server {
  const server = new Server(
    { name: 'jugg', title: 'Jugg', version },
    {
      capabilities: { tools: {}, resources: {}, prompts: {} },
      instructions: INSTRUCTIONS,
      supportedProtocolVersions: [...PROTOCOL_VERSIONS],
      cacheHints: { 'tools/list': { ttlMs: LIST_TTL_MS, cacheScope: 'public' } },
    },
  );
  server.setRequestHandler('tools/list', async () => ({ tools: [...(await backend.list())] }));
  server.setRequestHandler('tools/call', callThrough(backend));
  server.setRequestHandler('resources/list', async () => ({ resources: resourceList() }));
  server.setRequestHandler('resources/templates/list', async () => ({ resourceTemplates: TEMPLATES }));
  server.setRequestHandler('resources/read', async (request) => readResource(request.params.uri));
  server.setRequestHandler('prompts/list', async () => ({ prompts: promptList() }));
  server.setRequestHandler('prompts/get', async ({ params }) =>
    getPrompt(params.name, params.arguments ?? {}),
  );
  return server;
}

/** Answers `tools/call` from the backend; an unknown tool is a protocol error. */
export function callThrough(backend: ToolBackend) {
  return async (request: CallToolRequest, context: ServerContext): Promise<CallToolResult> => {
    const { name, arguments: args, _meta } = request.params;
    const token = _meta?.progressToken;
    let steps = 0;
    const progress = (message: string, percent: number | null): void => {
      if (token === undefined) return;
      steps += 1;
      const amount = percent === null ? { progress: steps } : { progress: percent, total: 100 };
      // A client that is gone hears nothing; that must not end the work.
      context.mcpReq
        .notify({ method: 'notifications/progress', params: { progressToken: token, message, ...amount } })
        .catch(() => {});
    };
    const result = await backend.call(name, args, {
      signal: context.mcpReq.signal,
      ...(token === undefined ? {} : { progress }),
    });
    if (!result)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name.slice(0, 100)}`);
    return result;
  };
}
