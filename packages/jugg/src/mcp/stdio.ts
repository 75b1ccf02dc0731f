import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { VERSION } from '../shared/version.ts';
import { clientProcess, isRunning } from './client-process.ts';
import { buildServer, type ToolBackend } from './server.ts';
import { MessageLines } from './stdio-lines.ts';

/** How long what runs may take to end once the client is gone. */
const EXIT_PATIENCE_MS = 3000;

const CLIENT_CHECK_MS = 1000;

/** Serves MCP on standard input and output until the input ends or its client is gone. */
export async function runStdio(backend: ToolBackend, onError: (error: unknown) => void): Promise<void> {
  const client = await clientProcess(process.ppid);
  const lines = new MessageLines(({ code, message }, id) => {
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`);
  });
  process.stdin.pipe(lines);
  const transport = new StdioServerTransport(lines, process.stdout);
  const handle = serveStdio(() => buildServer(backend, VERSION), { onerror: onError, transport });
  await new Promise<void>((resolve) => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
    // EPIPE: nobody reads the answers any more.
    process.stdout.on('error', () => resolve());
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => resolve());
    // A client that was killed while something else keeps the pipe open.
    const watch = setInterval(() => {
      void isRunning(client).then((running) => {
        if (!running) resolve();
      });
    }, CLIENT_CHECK_MS);
    watch.unref();
  });
  await handle.close();
  // An open pipe would keep this process.
  process.stdin.destroy();
  // Whatever is still going on in this process (a timer, a job) has nobody left to answer to.
  setTimeout(() => process.exit(0), EXIT_PATIENCE_MS).unref();
}
