import type { Log } from '../shared/log.ts';
import { systemErrorCode } from '../shared/files.ts';

/** Exit code of a bug. */
const BUG_EXIT = 70;
/** A log that cannot be written must not keep a dying process. */
const LOG_PATIENCE_MS = 1000;

/**
 * What a long-lived process does about errors that nobody caught: told once, in its log and on standard error, then the
 * end. Output that nobody reads any more (EPIPE) means that the client is gone, which is an orderly end. Saying anything
 * about that on a broken pipe would raise it again, and again.
 */
export function installLastWords(log: Log): void {
  let dying = false;
  const end = (exitCode: number): void => {
    const exit = (): never => process.exit(exitCode);
    setTimeout(exit, LOG_PATIENCE_MS).unref();
    void log.close().then(exit, exit);
  };
  process.stderr.on('error', () => {});
  process.on('uncaughtException', (error) => {
    if (dying) return;
    dying = true;
    if (systemErrorCode(error) === 'EPIPE') return end(0);
    log.error('uncaught', error);
    process.stderr.write(`INTERNAL_ERROR: ${error.message}\n`);
    end(BUG_EXIT);
  });
  process.on('unhandledRejection', (reason) => log.error('unhandled rejection', reason));
}
