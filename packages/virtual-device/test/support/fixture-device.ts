import { FIXTURE_PACKAGE } from '../app-process/fixture-apk.ts';
import { startAppDevice } from './app-device.ts';
import { directClient, value } from './direct.ts';
import type { DirectClient } from './direct.ts';
import { signedFixture } from './signed-apk.ts';
import type { TestDevice } from './test-device.ts';

export const FIXTURE_MAIN = `${FIXTURE_PACKAGE}/.MainActivity`;

/** Long enough for a first start on a busy machine. */
const timeoutMs = 170_000;

export interface FixtureDevice {
  readonly vd: TestDevice;
  readonly client: DirectClient;
  /** What a command prints on its standard output. */
  readonly sh: (command: string) => Promise<string>;
  stop(): Promise<void>;
}

/** A device in this process with the fixture app installed and, if so wished, started; our client is connected. */
export async function startFixtureDevice(
  wish: { readonly running: boolean; readonly api?: number } = { running: false },
): Promise<FixtureDevice> {
  const changes = wish.api === undefined ? {} : { api: wish.api };
  const [vd, apk] = await Promise.all([startAppDevice(changes), signedFixture()]);
  const client = await directClient(vd.port);
  value(await client.adb.install({ file: apk }, ['-r'], { timeoutMs }));
  const sh = async (command: string): Promise<string> => (await client.sh(command, { timeoutMs })).stdout;
  if (wish.running) await sh(`am start -W -n ${FIXTURE_MAIN}`);
  return {
    vd,
    client,
    sh,
    async stop() {
      client.close();
      await vd.stop();
    },
  };
}
