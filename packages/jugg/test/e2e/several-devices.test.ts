import { join } from 'node:path';
import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestHome } from './home.ts';

/** A cold build and two cold devices on a busy machine; a fast one needs a tenth of it. */
const SLOW = 240_000;

let home: TestHome;
beforeAll(async () => {
  home = await TestHome.make({ JUGG_ADB_SERVER: 'false' });
  await home.startDevice('one');
}, SLOW);
afterAll(() => home.close());

test('one device after the other joins, and each gets what it lacks', { timeout: SLOW }, async () => {
  const call = (...args: readonly string[]) => home.json(args, home.project);
  const both = ['--serials', '["one","two"]'];
  expect(await call('deploy')).toMatchObject({ data: { deployType: 'INSTALL' } });
  await home.startDevice('two');
  expect(await call('restart')).toMatchObject({ errorCode: 'MULTIPLE_DEVICE' });
  expect(await call('deploy', ...both)).toMatchObject({
    status: 'OK',
    data: { deployType: 'INSTALL', devices: [{ deployType: 'NONE' }, { deployType: 'INSTALL' }] },
  });
  const file = join(home.project, 'app/src/main/kotlin/dev/jugg/sample/counter/CountText.kt');
  await writeFile(file, (await readFile(file, 'utf8')).replace('"Count: ', '"Now: '));
  expect(await call('deploy', ...both, '--wait-app-ready-after-success')).toMatchObject({
    data: { deployType: 'HOT_RELOAD', devices: [{ deployType: 'HOT_RELOAD' }, { deployType: 'HOT_RELOAD' }] },
  });
  const restarted = await call('restart', ...both, '--wait-app-ready-after-success');
  expect(restarted).toMatchObject({ status: 'OK', data: { devices: [{}, {}] } });
  for (const serial of ['one', 'two'])
    expect(await call('view-locate', '--serial', serial, '--target-text', 'Now: 0')).toMatchObject({
      status: 'OK',
    });
  // One that is gone is said before anything is done on the other.
  await home.run(['vd', 'stop', 'two']);
  expect(await call('restart', ...both)).toMatchObject({ errorCode: 'NO_DEVICE' });
  expect(await call('deploy')).toMatchObject({ status: 'OK', data: { deployType: 'NONE' } });
});
