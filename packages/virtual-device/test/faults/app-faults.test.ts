import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { FIXTURE_PACKAGE } from '../app-process/fixture-apk.ts';
import { FIXTURE_MAIN as MAIN, startFixtureDevice } from '../support/fixture-device.ts';
import type { FixtureDevice } from '../support/fixture-device.ts';

let fixture: FixtureDevice;
let vd: FixtureDevice['vd'];
let client: FixtureDevice['client'];
let sh: FixtureDevice['sh'];

beforeAll(async () => {
  fixture = await startFixtureDevice();
  ({ vd, client, sh } = fixture);
});
afterEach(() => vd.device.faults.clearAll());
afterAll(() => fixture.stop());

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

const MISSING = 'loaders: no class, not defined, No virtual method removeLoaders';

async function loaders(shell: typeof sh): Promise<string> {
  await shell('logcat -c');
  await shell(`am start -S -W -n ${FIXTURE_PACKAGE}/.PartsActivity -a loaders --es part loaders`);
  return shell('logcat -d -v raw -s Fixture');
}

test('without a resources loader, on command', async () => {
  expect(await loaders(sh)).toContain('loaders: ResourcesLoader, added, removed');
  vd.device.faults.set('resources-loader-missing', {});
  expect(await loaders(sh)).toContain(MISSING);
}, 180_000);

test('without a resources loader, as before Android 11', async () => {
  const old = await startFixtureDevice({ running: false, api: 29 });
  try {
    expect(await loaders(old.sh)).toContain(MISSING);
  } finally {
    await old.stop();
  }
}, 180_000);
