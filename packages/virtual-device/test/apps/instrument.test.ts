import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildFixtureTests, FIXTURE_PACKAGE } from '../app-process/fixture-apk.ts';
import { value } from '../support/direct.ts';
import { startFixtureDevice } from '../support/fixture-device.ts';
import type { FixtureDevice } from '../support/fixture-device.ts';
import { signApk } from '../support/signed-apk.ts';

const TESTS = `${FIXTURE_PACKAGE}.test`;
const RUNNER = `${TESTS}/.JUnitRunner`;

let fixture: FixtureDevice;
beforeAll(async () => {
  fixture = await startFixtureDevice();
  const tests = await signApk((await buildFixtureTests()).apk);
  value(await fixture.client.adb.install({ file: tests }, []));
}, 300_000);
afterAll(() => fixture.stop());

const sh = (command: string): ReturnType<FixtureDevice['client']['sh']> =>
  fixture.client.sh(command, { timeoutMs: 120_000 });

function blocks(stdout: string): { values: Map<string, string>; code: number }[] {
  const all: { values: Map<string, string>; code: number }[] = [];
  let values = new Map<string, string>();
  for (const [, key = '', value = '', code] of stdout.matchAll(
    /^INSTRUMENTATION_STATUS: (\w+)=([^]*?)(?=\nINSTRUMENTATION)|^INSTRUMENTATION_STATUS_CODE: (-?\d+)$/gm,
  )) {
    if (code === undefined) {
      values.set(key, value);
      continue;
    }
    all.push({ values, code: Number(code) });
    values = new Map();
  }
  return all;
}

test('the instrumentations are listed', async () => {
  expect((await sh('pm list instrumentation')).stdout).toBe(
    `instrumentation:${TESTS}/${TESTS}.JUnitRunner (target=${FIXTURE_PACKAGE})\ninstrumentation:${TESTS}/${TESTS}.NobodysRunner (target=dev.jugg.nobody)\ninstrumentation:${TESTS}/${TESTS}.SelfRunner (target=${TESTS})\n`,
  );
});

test('JUnit 4 in the process of the app, raw', async () => {
  const { stdout, exitCode } = await sh(`am instrument -w -r ${RUNNER}`);
  const reports = blocks(stdout);
  const told = reports.map(({ values, code }) => [values.get('test'), code]);
  expect(told).toEqual([
    ['aTheTestsHaveResourcesOfTheirOwn', 1],
    ['aTheTestsHaveResourcesOfTheirOwn', 0],
    ['bAButtonCounts', 1],
    ['bAButtonCounts', 0],
    ['cAFingerCounts', 1],
    ['cAFingerCounts', 0],
    ['dTheScreenIsSeenAndTouched', 1],
    ['dTheScreenIsSeenAndTouched', 0],
    ['eItFails', 1],
    ['eItFails', -2],
  ]);
  expect([...(reports[0]?.values ?? [])]).toEqual([
    ['class', `${TESTS}.MainActivityTest`],
    ['current', '1'],
    ['id', 'JUnitRunner'],
    ['numtests', '5'],
    ['stream', `\n${TESTS}.MainActivityTest:`],
    ['test', 'aTheTestsHaveResourcesOfTheirOwn'],
  ]);
  expect(reports.at(-1)?.values.get('stack')).toMatch(/^java\.lang\.AssertionError: on purpose/);
  expect(stdout).toMatch(/\nINSTRUMENTATION_RESULT: stream=\nFAILURES!!!\n\nINSTRUMENTATION_CODE: -1\n$/);
  expect(exitCode).toBe(0);
  // The run is over, and so is the process.
  expect((await sh(`pidof ${FIXTURE_PACKAGE}`)).stdout).toBe('');
}, 400_000);

test('for people, and only the one that is asked for', async () => {
  const { stdout } = await sh(`am instrument -w -e class ${TESTS}.MainActivityTest#eItFails ${RUNNER}`);
  expect(stdout).toBe(`\n${TESTS}.MainActivityTest:F\nFAILURES!!!\n\n`);
}, 400_000);

test('as protocol buffers', async () => {
  const command = `am instrument -w -m -e class ${TESTS}.MainActivityTest#eItFails ${RUNNER}`;
  const bytes = value(await fixture.client.adb.exec(command, { timeoutMs: 120_000 }));
  // Session.test_status, twice, and session_status, each with its length.
  const fields: number[] = [];
  for (let at = 0; at < bytes.length;) {
    fields.push((bytes[at] ?? 0) >> 3);
    let [length, shift, more] = [0, 0, true];
    for (at += 1; more; at += 1, shift += 7) {
      const byte = bytes[at] ?? 0;
      length |= (byte & 127) << shift;
      more = byte > 127;
    }
    at += length;
  }
  expect(fields).toEqual([1, 1, 2]);
  expect(bytes.toString('latin1')).toContain('numtests');
}, 400_000);

test('a crash in the middle', async () => {
  const { stdout } = await sh(`am instrument -w -r -e class ${TESTS}.CrashTest ${RUNNER}`);
  expect(stdout).toMatch(/INSTRUMENTATION_RESULT: shortMsg=Process crashed\.\nINSTRUMENTATION_CODE: 0\n$/);
  expect((await sh('logcat -d -b crash')).stdout).toContain('crash on purpose');
}, 400_000);

test('a package that tests itself sees the app in front from outside', async () => {
  await sh(`am start -W -n ${FIXTURE_PACKAGE}/.MainActivity`);
  const { stdout } = await sh(`am instrument -w -e class ${TESTS}.OtherAppTest ${TESTS}/.SelfRunner`);
  expect(stdout).toContain('OK (1 tests)');
}, 400_000);

test('AndroidJUnitRunner of androidx.test', (context) => {
  context.skip('its artifacts are not in a registry that these tests reach');
});

test('what cannot be run says why', async () => {
  const unknown = await sh(`am instrument -w -r ${TESTS}/.Nothing`);
  expect(unknown.stdout).toBe(
    `INSTRUMENTATION_STATUS: Error=Unable to find instrumentation info for: ComponentInfo{${TESTS}/${TESTS}.Nothing}\nINSTRUMENTATION_STATUS: id=ActivityManagerService\nINSTRUMENTATION_STATUS_CODE: -1\nonError: commandError=true message=INSTRUMENTATION_FAILED: ${TESTS}/${TESTS}.Nothing\n`,
  );
  expect(unknown.stderr).toContain(`android.util.AndroidException: INSTRUMENTATION_FAILED: ${TESTS}/`);
  expect(unknown.exitCode).toBe(1);
  expect((await sh(`am instrument -w ${TESTS}/.NobodysRunner`)).stdout).toContain(
    'Error=Unable to find instrumentation target package: dev.jugg.nobody',
  );
  expect((await sh('am instrument -w nobody')).stderr).toContain('No instrumentation found for: nobody');
  expect((await sh('am instrument -w')).stderr).toContain('Argument expected after "instrument"');
});
