import { isSpecType } from '@modelcontextprotocol/server';

/** The shapes of the requests whose params the SDK answers with an internal error when they are wrong. */
const SHAPES: Readonly<Record<string, (message: unknown) => boolean>> = {
  initialize: isSpecType.InitializeRequest,
  'resources/read': isSpecType.ReadResourceRequest,
  'prompts/get': isSpecType.GetPromptRequest,
};

/** Whether a message is a request of a known method, but its params are not that method's. */
export function hasMalformedParams(message: Readonly<Record<string, unknown>>): boolean {
  const { method, params } = message;
  if (typeof method !== 'string' || !Object.hasOwn(SHAPES, method)) return false;
  return SHAPES[method]?.(params === undefined ? { method } : { method, params }) === false;
}
