import { createWriteStream, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

export interface Log {
  readonly path: string | null;
  info(message: string): void;
  warn(message: string): void;
  error(message: string, cause?: unknown): void;
  close(): Promise<void>;
}

/** A log file, one line a message: standard output is protocol, so nothing is ever logged there. */
export function openLog(path: string, now: () => Date = () => new Date()): Log {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const stream = createWriteStream(path, { flags: 'a', mode: 0o600 });
  // A full disk must not take the server down.
  stream.on('error', () => {});
  const write = (level: string, message: string): void => {
    stream.write(`${now().toISOString()} ${level} ${message}\n`);
  };
  return {
    path,
    info: (message) => write('I', message),
    warn: (message) => write('W', message),
    error: (message, cause) =>
      write('E', cause === undefined ? message : `${message}: ${describeError(cause)}`),
    close: () => new Promise((resolve) => stream.end(() => resolve())),
  };
}

export const silentLog: Log = {
  path: null,
  info: () => {},
  warn: () => {},
  error: () => {},
  close: async () => {},
};

export function describeError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
