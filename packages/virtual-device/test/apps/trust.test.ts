import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildFixtureTests, FIXTURE_PACKAGE } from '../app-process/fixture-apk.ts';
import { signApk, signedFixture } from '../support/signed-apk.ts';
import { startTestDevice } from '../support/test-device.ts';
import { ownTool } from '../support/tool.ts';

test('nothing of an APK that nobody vouched for runs: not its activity, its receiver, its tests of a trusted app', async () => {
  const vd = await startTestDevice();
  const tool = await ownTool(vd.port);
  const sh = async (command: string): Promise<string> => {
    const { stdout, stderr } = await tool.shell(command);
    return stdout + stderr;
  };
  const refused = (name: string): string => `${name} is not started: it was not built by Jugg`;
  try {
    const app = await signedFixture();
    await tool.install(app);
    await tool.install(await signApk((await buildFixtureTests()).apk));
    const start = `am start -n ${FIXTURE_PACKAGE}/.MainActivity`;
    expect(await sh(start)).toContain(refused(FIXTURE_PACKAGE));
    await sh(`am broadcast -f 32 -n ${FIXTURE_PACKAGE}/.PingReceiver`);
    expect(await sh('logcat -d -b all')).toContain(refused(FIXTURE_PACKAGE));

    const digest = createHash('sha256')
      .update(await readFile(app))
      .digest('hex');
    await writeFile(join(vd.stateDir, 'test', 'trusted-apks'), `${digest}\n`);
    // Trusted, it only lacks a JVM in this test.
    expect(await sh(start)).toContain('no JVM in this test');
    expect(await sh(`am instrument -w ${FIXTURE_PACKAGE}.test/.JUnitRunner`)).toContain(
      `Error=${refused(`${FIXTURE_PACKAGE}.test`)}`,
    );
  } finally {
    await tool.close();
    await vd.stop();
  }
}, 120_000);
