import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { FIXTURE_PACKAGE } from '../app-process/fixture-apk.ts';
import { startAppDevice } from '../support/app-device.ts';
import { directClient, value } from '../support/direct.ts';
import type { DirectClient } from '../support/direct.ts';
import { signedFixture } from '../support/signed-apk.ts';
import type { TestDevice } from '../support/test-device.ts';

const MAIN = `${FIXTURE_PACKAGE}/.MainActivity`;
let vd: TestDevice;
let client: DirectClient;

beforeAll(async () => {
  const [device, apk] = await Promise.all([startAppDevice(), signedFixture()]);
  vd = device;
  client = await directClient(vd.port);
  value(await client.adb.install({ file: apk }, ['-r'], { timeoutMs: 120_000 }));
});
afterEach(() => vd.device.faults.clearAll());
afterAll(async () => {
  client.close();
  await vd.stop();
});

const sh = async (command: string): Promise<string> =>
  (await client.sh(command, { timeoutMs: 120_000 })).stdout;
const pid = (): Promise<string> => sh(`pidof ${FIXTURE_PACKAGE}`);

test('the agent is refused, and the log says why', async () => {
  vd.device.faults.set('kill-app', { phase: 'resumed', package: 'some.other.app' });
  await sh(`am start -W -n ${MAIN}`);
  expect(await pid()).not.toBe('');
  await sh('echo agent > /data/local/tmp/agent.so');
  vd.device.faults.set('agent-refused', { message: 'dlopen failed: not for you' });
  const refused = await client.sh(`am attach-agent ${FIXTURE_PACKAGE} /data/local/tmp/agent.so`);
  expect(refused.stderr).toContain('AGENT_REFUSED: dlopen failed: not for you');
  expect(await sh('logcat -d -s ActivityThread:W')).toContain('Failed to attach agent');
}, 180_000);

test('an app that is killed right after it came up, once, and only the one that was named', async () => {
  vd.device.faults.set('kill-app', { phase: 'resumed', package: FIXTURE_PACKAGE });
  await sh(`am start -S -W -n ${MAIN}`);
  await expect.poll(pid, { timeout: 20_000 }).toBe('');
  expect(vd.device.faults.active()).toEqual([]);
  expect(await sh('logcat -d -s ActivityManager')).toMatch(/Process .* has died/);
}, 180_000);

test('killed while it starts: the start says that it did not come up; the next one is well', async () => {
  vd.device.faults.set('kill-app', { phase: 'start' });
  await sh(`am start -W -n ${MAIN}`);
  expect(await pid()).toBe('');
  expect(await sh(`am start -W -n ${MAIN}`)).toContain('Status: ok');
  vd.device.faults.set('kill-app', { phase: 'input' });
  await sh('input tap 100 100');
  await expect.poll(pid, { timeout: 20_000 }).toBe('');
}, 180_000);
