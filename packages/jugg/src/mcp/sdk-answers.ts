import { splitEvents } from '../shared/event-stream.ts';
import { PROTOCOL_VERSIONS } from '../shared/protocol-versions.ts';

/** What the SDK answers, put into the contract's form. */

/**
 * Turns an event stream whose first event is already the answer into plain JSON; any other stays as it is. So a client
 * gets a stream only when there is something to be said before the answer.
 */
export async function plainIfSingle(response: Response): Promise<Response> {
  if (!response.body || !response.headers.get('content-type')?.startsWith('text/event-stream'))
    return response;
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  const chunks: Uint8Array[] = [];
  let text = '';
  let first: string | undefined;
  while (first === undefined) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    text += decoder.decode(value, { stream: true });
    [first] = splitEvents(text).data;
  }
  const answer = first === undefined ? undefined : answerIn(first);
  if (answer === undefined) return new Response(rest(chunks, reader), response);
  await reader.cancel();
  return Response.json(answer);
}

/** The JSON-RPC response of an event; `undefined` when it is a notification. */
function answerIn(data: string): object | undefined {
  const message: unknown = JSON.parse(data);
  const isAnswer = typeof message === 'object' && message !== null && !('method' in message);
  return isAnswer ? message : undefined;
}

function rest(
  chunks: readonly Uint8Array[],
  reader: ReadableStreamDefaultReader<Uint8Array>,
): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(chunk);
    },
    pull: async (controller) => {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/**
 * `server/discover` of the SDK names only the stateless revisions; here it names all that are served, as the error for an
 * unknown revision does.
 */
export async function withAllVersions(response: Response, request: unknown): Promise<Response> {
  const asked = typeof request === 'object' && request !== null && 'method' in request ? request.method : '';
  if (asked !== 'server/discover' || !response.ok) return response;
  if (!response.headers.get('content-type')?.startsWith('application/json')) return response;
  const message: unknown = await response.json();
  if (typeof message !== 'object' || message === null || !('result' in message))
    return Response.json(message, response);
  const { result } = message;
  const all = { ...(typeof result === 'object' ? result : {}), supportedVersions: PROTOCOL_VERSIONS };
  return Response.json({ ...message, result: all });
}
