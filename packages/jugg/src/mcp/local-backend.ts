import { callTool } from '../actions/call.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { toToolResult } from './reply.ts';
import type { ToolBackend } from './server.ts';
import { toolList } from './tools.ts';

/** The tools of this process, for one client [this process itself]. */
export function localBackend(runtime: Runtime, trusted: boolean, client?: string): ToolBackend {
  const who = client === undefined ? { trusted } : { trusted, client };
  return {
    list: async () => toolList(),
    call: async (name, args, caller) => {
      const reply = await callTool(runtime, name, args, { ...who, ...caller });
      return reply && toToolResult(reply);
    },
  };
}
