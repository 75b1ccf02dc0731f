import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseActivities } from '../../../jugg/src/formats/activities.ts';
import { parseStart } from '../../../jugg/src/formats/am-start.ts';
import { parseActivityTop } from '../../../jugg/src/formats/activity-top.ts';
import { parsePackageDump } from '../../../jugg/src/formats/package-dump.ts';
import {
  parseKeyguard,
  parseRotation,
  parseWakefulness,
  parseWmDensity,
  parseWmSize,
} from '../../../jugg/src/formats/screen.ts';
import { parseViewHierarchy } from '../../../jugg/src/formats/view-hierarchy.ts';
import { parseWindowFocus } from '../../../jugg/src/formats/window-focus.ts';
import { UserFs } from '../../src/fs/user-fs.ts';
import { BufferSink, EMPTY_SOURCE } from '../../src/io/bytes.ts';
import { commandTable } from '../../src/services/table.ts';
import { Descriptors } from '../../src/shell/descriptors.ts';
import { Shell } from '../../src/shell/interpreter.ts';
import { newState } from '../../src/shell/state.ts';
import { bootProperties, profileOf } from '../../src/system/profile.ts';
import { Properties } from '../../src/system/properties.ts';
import { FIXTURE_PACKAGE } from '../app-process/fixture-apk.ts';
import { FIXTURE_MAIN as MAIN, startFixtureDevice } from '../support/fixture-device.ts';
import type { FixtureDevice } from '../support/fixture-device.ts';

const LEVELS = [26, 27, 28, 29, 30, 31, 33, 34, 35, 36] as const;
let fixture: FixtureDevice;
let vd: FixtureDevice['vd'];

beforeAll(async () => {
  fixture = await startFixtureDevice({ running: true });
  ({ vd } = fixture);
});
afterAll(() => fixture.stop());

/** The tools of another release over the same running app: what differs is the profile alone. */
function shellOf(api: number): (command: string) => Promise<string> {
  const { services } = vd.device;
  const profile = profileOf(api);
  const spec = { name: 'test', locale: 'en-US', density: 420, bootMs: services.bootMs };
  const properties = new Properties(bootProperties(profile, spec));
  const host = {
    commands: commandTable({ ...services, profile, properties }),
    fsFor: (uid: number) => new UserFs(services.files, uid, (name) => services.database.ownerOf(name)),
    nextPid: () => 1,
    now: Date.now,
  };
  return async (command) => {
    const out = new BufferSink();
    const descriptors = Descriptors.of({ stdin: EMPTY_SOURCE, stdout: out, stderr: out });
    await new Shell(host, newState(2000, '/', 1), AbortSignal.timeout(60_000), descriptors).main(command);
    return out.text();
  };
}

describe.each(LEVELS)('the tools of API %i', (api) => {
  const sh = (command: string): Promise<string> => shellOf(api)(command);

  test('what runs is read from its activity dump, and the launcher is behind', async () => {
    const dump = parseActivities(await sh('dumpsys activity activities'));
    const [app] = vd.device.services.apps.all();
    expect(dump.top).toMatchObject({
      component: MAIN,
      state: 'RESUMED',
      pid: app?.pid,
      isRoot: true,
      user: 0,
    });
    expect(dump.topByDisplay).toEqual({ 0: MAIN });
    expect(dump.tasks.map(({ affinity }) => affinity)).toContain(FIXTURE_PACKAGE);
    expect(dump.tasks.map(({ visible }) => visible)).toEqual([true, false]);
    expect(dump.tasks).toHaveLength(2);
  });

  test('the focus, the top view, the tree', async () => {
    const focus = parseWindowFocus(await sh(`dumpsys window ${api >= 29 ? 'displays' : 'windows'}`));
    expect(focus).toMatchObject({ kind: 'app', packageName: FIXTURE_PACKAGE });
    const top = await sh('dumpsys activity top');
    expect(parseActivityTop(top)).toMatchObject({
      component: MAIN,
      pid: vd.device.services.apps.all()[0]?.pid,
    });
    const tree = parseViewHierarchy(top, FIXTURE_PACKAGE);
    expect(JSON.stringify(tree)).toContain('app:id/count');
  });

  test('the package, the screen, the power', async () => {
    expect(parsePackageDump(await sh(`dumpsys package ${FIXTURE_PACKAGE}`), FIXTURE_PACKAGE)).toMatchObject({
      debuggable: true,
      installedFor: [0],
      codePath: expect.stringMatching(/^\/data\/app\//),
    });
    expect(parseWmSize(await sh('wm size'))).toEqual([1080, 2400]);
    expect(parseWmDensity(await sh('wm density'))).toBe(420);
    expect(parseRotation(await sh('dumpsys window displays'))).toBe(0);
    expect(parseRotation(await sh('dumpsys display'))).toBe(0);
    expect(parseWakefulness(await sh('dumpsys power'))).toBe('Awake');
    expect(parseKeyguard(await sh('dumpsys window policy'))).toBe(false);
  });

  test('a start that is waited for, of what is on top already', async () => {
    const said = await sh(`am start -W -n ${MAIN}`);
    expect(parseStart(said)).toMatchObject({
      ok: true,
      state: 'deliveredToTop',
      activity: MAIN,
      totalTimeMs: 0,
      launchState: api >= 29 ? 'UNKNOWN (0)' : null,
    });
    expect(said.includes('\nThisTime: 0\n')).toBe(api < 29);
    expect(said).toMatch(/\nTotalTime: 0\nWaitTime: \d+\nComplete\n$/);
  });

  test('it says which release it is, and which framework is inside', async () => {
    expect(await sh('getprop ro.build.version.sdk')).toBe(`${api}\n`);
    expect(await sh('getprop ro.jugg.framework.api')).toBe('35\n');
    expect(await sh('getprop ro.build.version.release_or_codename')).toBe(
      api >= 30 ? `${profileOf(api).release}\n` : '\n',
    );
  });
});

test('the words that changed with releases', async () => {
  const dump = (api: number): Promise<string> => shellOf(api)('dumpsys activity activities');
  expect(await dump(26)).toMatch(
    / {2}Stack #\d+:\n {2}mFullscreen=true[^]*\* TaskRecord\{[^]*mFocusedStack=/,
  );
  expect(await dump(29)).toMatch(
    /Stack #\d+: type=standard mode=fullscreen[^]*\n ResumedActivity:ActivityRecord/,
  );
  expect(await dump(30)).toMatch(/\* Task\{\w+ #\d+ visible=true type=standard .* StackId=\d+ sz=1\}/);
  expect(await dump(31)).not.toContain('visibleRequested');
  expect(await dump(33)).toContain('visibleRequested=true');
  expect(await dump(34)).toMatch(/MainActivity\} t\d+\}/);
  expect(await dump(36)).toMatch(/ActivityRecord\{\d+ u0/);
  expect(await shellOf(32)(`dumpsys package ${FIXTURE_PACKAGE}`)).toContain('    userId=');
  expect(await shellOf(33)(`dumpsys package ${FIXTURE_PACKAGE}`)).toContain('    appId=');
});
