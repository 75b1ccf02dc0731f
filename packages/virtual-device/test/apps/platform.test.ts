import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildPlatformFixture } from '../app-process/fixture-apk.ts';
import { startAppDevice } from '../support/app-device.ts';
import { directClient, value } from '../support/direct.ts';
import type { DirectClient } from '../support/direct.ts';
import { signApk } from '../support/signed-apk.ts';
import type { TestDevice } from '../support/test-device.ts';

const PACKAGE = 'dev.jugg.platform';
/** Processes that have to be started first, on a busy machine. */
const timeout = 400_000;

let vd: TestDevice;
let client: DirectClient;
beforeAll(async () => {
  vd = await startAppDevice();
  client = await directClient(vd.port);
  const apk = await signApk((await buildPlatformFixture()).apk);
  value(await client.adb.install({ file: apk }, ['-r'], { timeoutMs: 170_000 }));
}, 300_000);
afterAll(async () => {
  client.close();
  await vd.stop();
});

const sh = async (command: string): Promise<string> =>
  (await client.sh(command, { timeoutMs: 170_000 })).stdout;
const part = (name: string): Promise<string> =>
  sh(`am start -W -n ${PACKAGE}/.PlatformActivity -a ${name} --es part ${name}`);
const said = async (): Promise<string[]> =>
  (await sh('logcat -d -v raw -s Platform')).split('\n').filter((line) => /^\w+ /.test(line));

test(
  'started services come back after their process was killed as they asked, not after a force-stop',
  async () => {
    await part('services');
    await expect.poll(said, { timeout: 40_000 }).toContain('kept Once two 0 2');
    const killed = (await sh(`pidof ${PACKAGE}:kept`)).trim();
    await sh(`logcat -c; run-as ${PACKAGE} kill -9 ${killed}`);
    // Again is done with its first start.
    await expect.poll(said, { timeout: 40_000 }).toEqual(['kept Sticky no intent 0 1', 'kept Again two 1 1']);
    const log = await sh('logcat -d -b system');
    expect(log).toMatch(
      /Scheduling restart of crashed service dev\.jugg\.platform\/\.KeptService\$Sticky in \d+ms for start-requested/,
    );
    expect(log).toMatch(/Start proc \d+:dev\.jugg\.platform:kept\/\w+ for service /);

    await sh(`am force-stop ${PACKAGE}; logcat -c`);
    await part('services');
    await expect.poll(said, { timeout: 40_000 }).toContain('kept Once two 0 2');
    // The timer of a kill is taken back, too.
    await sh(`run-as ${PACKAGE} kill -9 $(pidof ${PACKAGE}:kept); am force-stop ${PACKAGE}`);
    expect(vd.device.services.apps.servicesDue).toBe(0);
    expect(await sh(`pidof ${PACKAGE}:kept`)).toBe('');
  },
  timeout,
);
