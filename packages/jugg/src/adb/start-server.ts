import { execFile } from 'node:child_process';
import { ok, fail } from '../shared/outcome.ts';
import type { Result } from '../shared/outcome.ts';
import type { ServerAddress } from './smart-socket.ts';

/** A cold start of the server with USB devices takes a few seconds. */
const START_TIMEOUT_MS = 15_000;

/**
 * Starts an adb server with the adb program at `adbPath`, unless one runs. The server outlives Jugg, as it does any
 * other tool that starts it; Jugg never ends one.
 */
export function startServer(
  adbPath: string,
  address: ServerAddress,
  signal: AbortSignal,
): Promise<Result<void>> {
  return new Promise((resolve) => {
    // With -H or a server socket given adb takes the host for a remote one, on which it starts nothing.
    const env = { ...process.env, ANDROID_ADB_SERVER_PORT: String(address.port) };
    execFile(
      adbPath,
      ['start-server'],
      { env, signal, timeout: START_TIMEOUT_MS, windowsHide: true },
      (error, _stdout, stderr) => {
        if (!error) resolve(ok(undefined));
        else if (signal.aborted) resolve(fail('CANCELED', 'Starting the adb server: canceled.'));
        else
          resolve(
            fail(
              'ENVIRONMENT_ERROR',
              `${adbPath} could not start its server: ${stderr.trim() || error.message}`,
            ),
          );
      },
    );
  });
}
