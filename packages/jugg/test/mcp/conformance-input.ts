import {
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  type CallToolRequest,
  type CallToolResult,
  type InputRequests,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

/** What the suite of 2026-07-28 demands: tools that ask the client before they answer, without any session. */

const codec = createRequestStateCodec<{ readonly round: number }>({ key: Buffer.alloc(32, 7) });

/** How many rounds went before; a state that was tampered with is refused. */
async function roundOf(context: ServerContext): Promise<number> {
  const state = context.mcpReq.requestState<string>();
  if (state === undefined) return 0;
  try {
    return (await codec.verify(state, context)).round;
  } catch {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The request state is not what was given out');
  }
}

const said = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });

const ask = (message: string, field: string) =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [field]: { type: 'string' } }, required: [field] },
  });
const confirm = inputRequired.elicit({
  message: 'Please confirm',
  requestedSchema: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] },
});
const sample = (text: string) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text } }],
    maxTokens: 100,
  });

const ALL: InputRequests = {
  user_name: ask('What is your name?', 'name'),
  greeting: sample('Generate a greeting'),
  client_roots: inputRequired.listRoots(),
};

type Answer = CallToolResult | InputRequiredResult;
type Handler = (context: ServerContext) => Promise<Answer> | Answer;

/** Asks until all of it is answered. */
function until(inputRequests: InputRequests, answer: string, withState = false): Handler {
  return async (context) => {
    await roundOf(context);
    const given = context.mcpReq.inputResponses ?? {};
    if (Object.keys(inputRequests).every((key) => key in given)) return said(answer);
    const state = withState ? { requestState: await codec.mint({ round: 1 }) } : {};
    return inputRequired({ inputRequests, ...state });
  };
}

const twoRounds: Handler = async (context) => {
  const round = await roundOf(context);
  if (round >= 2) return said('done');
  const inputRequests =
    round === 0 ? { step1: ask('What is your name?', 'name') } : { step2: ask('Which color?', 'color') };
  return inputRequired({ inputRequests, requestState: await codec.mint({ round: round + 1 }) });
};

/** The SDK types the envelope as an empty object. */
const envelope = z.looseObject({ [CLIENT_CAPABILITIES_META_KEY]: z.looseObject({}).optional() });

/** Asks only in ways that the client said it knows. */
const byCapability: Handler = ({ mcpReq }) => {
  const known = envelope.parse(mcpReq.envelope ?? {})[CLIENT_CAPABILITIES_META_KEY] ?? {};
  const inputRequests: InputRequests = {
    ...('elicitation' in known ? { confirm } : {}),
    ...('sampling' in known ? { greeting: sample('Generate a greeting') } : {}),
  };
  return Object.keys(inputRequests).length > 0 ? inputRequired({ inputRequests }) : said('nothing to ask');
};

const logging: Handler = async ({ mcpReq }) => {
  for (const step of ['started', 'processing', 'finished']) await mcpReq.log('info', step);
  return said('done');
};

export const CONTEXT_TOOLS: Readonly<Record<string, Handler>> = {
  test_tool_with_logging: logging,
  test_logging_tool: logging,
  test_missing_capability: () =>
    inputRequired({ inputRequests: { greeting: sample('Generate a greeting') } }),
  test_streaming_elicitation: until({ confirm }, 'confirmed'),
  test_input_required_result_elicitation: until(
    { user_name: ask('What is your name?', 'name') },
    'Hello, Alice!',
  ),
  test_input_required_result_sampling: until(
    { capital_question: sample('What is the capital of France?') },
    'Paris',
  ),
  test_input_required_result_list_roots: until({ client_roots: inputRequired.listRoots() }, 'roots: 1'),
  test_input_required_result_request_state: until({ confirm }, 'state-ok', true),
  test_input_required_result_multiple_inputs: until(ALL, 'all there', true),
  test_input_required_result_multi_round: twoRounds,
  test_input_required_result_tampered_state: until({ confirm }, 'state-ok', true),
  test_input_required_result_capabilities: byCapability,
};

/** Such a tool's answer, or `undefined` when there is none of that name. */
export function callContextTool(
  request: CallToolRequest,
  context: ServerContext,
): Promise<Answer> | undefined {
  const { name } = request.params;
  const handler = Object.hasOwn(CONTEXT_TOOLS, name) ? CONTEXT_TOOLS[name] : undefined;
  return handler && Promise.resolve(handler(context));
}

/** The prompt that asks first. */
export function promptThatAsks({ mcpReq }: ServerContext): InputRequiredResult | undefined {
  if (mcpReq.inputResponses && 'user_context' in mcpReq.inputResponses) return undefined;
  return inputRequired({ inputRequests: { user_context: ask('What context should it use?', 'context') } });
}
