import { join } from 'node:path';
import { installLastWords } from '../mcp/last-words.ts';
import { serve } from '../mcp/serve.ts';
import { readRecords } from '../runtime/discovery.ts';
import { openLog } from '../shared/log.ts';
import { juggDirs } from '../shared/paths.ts';
import { ERROR_TABLE } from '../shared/errors.ts';

/** `jugg serve`: until a signal, `jugg stop`, or (in the background) four hours without a call. */
export async function serveCommand(background: boolean): Promise<number> {
  const dirs = juggDirs();
  const log = openLog(join(dirs.logs, `server-${process.pid}.log`));
  installLastWords(log);
  const started = await serve(dirs, log, { exitWhenIdle: background });
  if (!started.ok) {
    const { code, message } = started.fault;
    process.stderr.write(`${code}: ${message}\n`);
    return ERROR_TABLE[code].exit;
  }
  const { port, stopped, stop } = started.value;
  if (!background) {
    const others = (await readRecords(dirs.state)).filter((record) => record.pid !== process.pid);
    for (const other of others)
      process.stderr.write(
        `Another server runs on port ${other.port} (pid ${other.pid}): commands and stdio sessions use one of them, and they exclude each other on writes to a project.\n`,
      );
  }
  // Before the greeting: whoever reads it may stop us at once.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void stop(signal));
  if (!background) {
    process.stderr.write(
      `Jugg is ready: http://127.0.0.1:${port}/jugg-mcp (log: ${log.path}). Ctrl-C stops it.\n`,
    );
  }
  await stopped;
  await log.close();
  return 0;
}
