import type { Duplex } from 'node:stream';
import { systemErrorCode } from '../shared/files.ts';

/** What a request is answered that Node.js could not read, by the code of its error. */
const ANSWERS: Readonly<Record<string, readonly [status: string, message: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request did not arrive in time'],
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are too large'],
};
const NOT_HTTP = ['400 Bad Request', 'This is not HTTP/1.1'] as const;

/** Answers on the bare socket, as JSON like every answer, and closes it. */
export function answerUnreadable(error: Error, socket: Duplex): void {
  if (!socket.writable || systemErrorCode(error) === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [status, message] = ANSWERS[systemErrorCode(error) ?? ''] ?? NOT_HTTP;
  const body = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32600, message } });
  const headers = `content-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close`;
  socket.end(`HTTP/1.1 ${status}\r\n${headers}\r\n\r\n${body}`);
}
