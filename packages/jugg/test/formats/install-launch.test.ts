import { describe, expect, test } from 'vitest';
import { parseActivities } from '../../src/formats/activities.ts';
import { parseResolvedActivities, parseStart } from '../../src/formats/am-start.ts';
import { resolveComponent } from '../../src/formats/component.ts';
import { installFailure, packageCommandResult } from '../../src/formats/install.ts';
import { bothStreams } from '../../src/formats/terminal.ts';
import { differences, fieldCases, text, type FieldCase } from './field-case.ts';

function answer(of: FieldCase): unknown {
  const command = text(of, 'command');
  const output = bothStreams(text(of, 'stdout'), text(of, 'stderr'));
  const after: Record<string, unknown> = Object(of.input['after']);
  if (of.input['exitCode'] === null && after['elapsedMs']) return { ok: false, error: 'TIMEOUT' };
  if (/resolve-activity|query-activities/.test(command)) {
    const launchers = parseResolvedActivities(output);
    return { ok: launchers.length > 0, launchers, launcher: launchers[0] };
  }
  if (command.startsWith('am start')) {
    const start = parseStart(output);
    const wanted = resolveComponent('com.example.shop', /-n (\S+)/.exec(command)?.[1] ?? '.MainActivity');
    const top = parseActivities(text({ ...of, input: after }, 'resumedActivity')).top;
    if (!start.ok || (top && top.className !== wanted?.className))
      return { ok: false, error: 'ACTIVITY_NOT_STARTED' };
    return { ...start, error: null };
  }
  const kind = command.includes('uninstall') ? 'uninstall' : 'install';
  const outputs: unknown = of.input['outputs'];
  if (Array.isArray(outputs)) {
    const results = outputs.map((one) => packageCommandResult('install', String(one)));
    const codes = new Set(results.map((result) => (result.ok ? null : result.fault.code)));
    return {
      ok: false,
      error: [...codes].join(),
      dataPerOutput: results.map((result) => (result.ok ? null : result.fault.data)),
    };
  }
  const result = packageCommandResult(kind, output);
  return result.ok ? { ok: true } : { ok: false, error: result.fault.code, data: result.fault.data };
}

test.each(fieldCases('install-launch'))('%s', (_, of) => {
  expect(differences(answer(of), of.expect)).toEqual([]);
});

describe('install', () => {
  test('success among other lines', () => {
    expect(packageCommandResult('install', 'Performing Streamed Install\r\nSuccess\r\n').ok).toBe(true);
  });
  test('silence is no success', () => {
    expect(packageCommandResult('install', 'Performing Streamed Install\n')).toMatchObject({
      ok: false,
      fault: { code: 'INSTALL_FAILED', data: { reason: 'UNKNOWN' } },
    });
  });
  test.each([
    ['Failure [not installed for 0]', { reason: 'UNKNOWN', message: 'not installed for 0' }],
    ['Error: Failed to parse APK file: x', { reason: 'UNKNOWN' }],
    [
      'Failure [INSTALL_FAILED_OLDER_SDK: Failed parse during installPackageLI: /data/app/vmdl9.tmp/base.apk (at Binary XML file line #7): Requires newer sdk version #34 (current version is #30)]',
      {
        reason: 'INSTALL_FAILED_OLDER_SDK',
        requiredSdk: 34,
        deviceSdk: 30,
        path: '/data/app/vmdl9.tmp/base.apk',
      },
    ],
    [
      'Failure [INSTALL_FAILED_DUPLICATE_PERMISSION: Package com.b attempting to redeclare permission com.a.X already owned by com.a]',
      { package: 'com.b', permission: 'com.a.X' },
    ],
  ])('%s', (output, data) => {
    expect(installFailure(output)).toMatchObject(data);
  });
});

describe('start', () => {
  test('with -W', () => {
    const output =
      'Starting: Intent { cmp=a.b/.C }\nStatus: ok\nLaunchState: COLD\nActivity: a.b/.D\nTotalTime: 412\nWaitTime: 420\nComplete\n';
    expect(parseStart(output)).toEqual({
      ok: true,
      state: 'started',
      warning: null,
      activity: 'a.b/.D',
      totalTimeMs: 412,
      launchState: 'COLD',
    });
  });
  test('brought to the front', () => {
    const output =
      'Starting: Intent { cmp=a.b/.C }\nWarning: Activity not started, its current task has been brought to the front\n';
    expect(parseStart(output)).toMatchObject({ ok: true, state: 'broughtToFront' });
  });
  test.each([
    ['Error: Activity class {a.b/a.b.C} does not exist.', 'noSuchActivity'],
    [
      'java.lang.SecurityException: Permission Denial: starting Intent { cmp=a.b/.C } not exported from uid 1',
      'notExported',
    ],
    ['Error: Activity not started, unknown error code 102', 'unknown'],
  ])('%s', (line, reason) => {
    expect(parseStart(`Starting: Intent { }\n${line}\n`)).toMatchObject({ ok: false, reason });
  });
  test.each([
    ['.Main', 'a.b/.Main', 'a.b.Main'],
    ['Main', 'a.b/.Main', 'a.b.Main'],
    ['a.b.ui.Main', 'a.b/.ui.Main', 'a.b.ui.Main'],
    ['c.d.Main', 'a.b/c.d.Main', 'c.d.Main'],
    ['x.y/.Main', 'x.y/.Main', 'x.y.Main'],
  ])('component of %s', (name, component, className) => {
    expect(resolveComponent('a.b', name)).toMatchObject({ component, className });
  });
});
