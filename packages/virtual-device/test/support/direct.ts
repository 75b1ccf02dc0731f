import { adbConnection } from '../../../jugg/src/adb/connection.ts';
import { connectDirect } from '../../../jugg/src/adb/direct.ts';
import type { AdbConnection, ShellOptions, ShellResult } from '../../../jugg/src/adb/types.ts';
import type { Result } from '../../../jugg/src/shared/outcome.ts';

export function value<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.fault.code}: ${result.fault.message}`);
  return result.value;
}

export interface DirectClient {
  readonly adb: AdbConnection;
  sh(command: string, options?: ShellOptions): Promise<ShellResult>;
  close(): void;
}

/** Our own client, connected to an adbd on the loopback. */
export async function directClient(port: number): Promise<DirectClient> {
  const transport = value(await connectDirect({ host: '127.0.0.1', port }));
  const adb = adbConnection(transport);
  return {
    adb,
    sh: async (command, options) => value(await adb.shell(command, options)),
    close: () => transport.close(),
  };
}
