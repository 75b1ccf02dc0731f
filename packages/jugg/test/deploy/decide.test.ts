import { describe, expect, test } from 'vitest';
import { decide, type Situation } from '../../src/deploy/decide.ts';
import type { StateDigest } from '../../src/deploy/digest.ts';

const base: StateDigest = {
  id: '1',
  versionCode: 1,
  manifest: 'm',
  resources: 'r',
  assets: 'a',
  libraries: 'l',
  classes: { 'a.Main': ['bytes', 'shape'], 'a.Other': ['o', 's'] },
};

function situation(next: Partial<StateDigest>, given: Partial<Situation> = {}): Situation {
  return {
    installed: base,
    unknownBecause: 'because',
    running: base,
    next: { ...base, id: '2', ...next },
    device: { api: 35, canRedefine: true },
    app: { debuggable: true },
    options: { alwaysRestartApp: false },
    ...given,
  };
}

const body = { classes: { ...base.classes, 'a.Main': ['new', 'shape'] as [string, string] } };

describe('how to deploy', () => {
  test('nothing changed', () => {
    expect(decide(situation({}))).toEqual({ deployType: 'NONE', reasons: [], classes: [] });
  });
  test('a body, in a running app', () => {
    expect(decide(situation(body))).toMatchObject({ deployType: 'HOT_RELOAD', classes: ['a.Main'] });
  });
  test.each<[string, Partial<StateDigest>, string]>([
    ['manifest', { manifest: 'x' }, 'manifest'],
    ['resources', { resources: 'x' }, 'resources'],
    ['assets', { assets: 'x' }, 'assets'],
    ['libraries', { libraries: 'x' }, 'libraries'],
    ['shape', { classes: { ...base.classes, 'a.Main': ['new', 'other'] } }, 'a.Main'],
    ['new class', { classes: { ...base.classes, 'a.New': ['n', 's'] } }, 'a.New'],
    ['removed class', { classes: { 'a.Main': ['bytes', 'shape'] } }, 'a.Other'],
    ['body and resources', { ...body, resources: 'x' }, 'resources'],
  ])('%s', (_, next, word) => {
    const { deployType, reasons, classes } = decide(situation(next));
    expect(deployType).toBe('EMBEDDED');
    expect(reasons.join()).toContain(word);
    expect(classes).toEqual([]);
  });
  test.each<[string, Partial<Situation>, string]>([
    ['it does not run', { running: null }, 'does not run'],
    ['a restart is wanted', { options: { alwaysRestartApp: true } }, 'restart'],
    ['Android 7', { device: { api: 25, canRedefine: true } }, 'API 25'],
    ['no agent', { device: { api: 35, canRedefine: false } }, 'kind of device'],
    ['a release build', { app: { debuggable: false } }, 'debuggable'],
  ])('a body, but %s', (_, given, word) => {
    const { deployType, reasons } = decide(situation(body, given));
    expect(deployType).toBe('EMBEDDED');
    expect(reasons.join()).toContain(word);
  });
  test('unknown app', () => {
    expect(decide(situation(body, { installed: null, running: null }))).toEqual({
      deployType: 'INSTALL',
      reasons: ['because'],
      classes: [],
    });
  });
});

describe('after a hot reload', () => {
  const reloaded: StateDigest = { ...base, id: '2', ...body };

  test('the same again is nothing to do while the process lives', () => {
    expect(decide(situation(body, { running: reloaded })).deployType).toBe('NONE');
  });
  test('the process died: the APK is behind', () => {
    expect(decide(situation(body, { running: null })).deployType).toBe('EMBEDDED');
    expect(decide(situation(body, { running: base })).deployType).toBe('HOT_RELOAD');
  });
  test('a restart brings the newer code into the APK', () => {
    const given = { running: reloaded, options: { alwaysRestartApp: true } };
    expect(decide(situation(body, given)).deployType).toBe('EMBEDDED');
  });
  test('taking the edit back reloads what was', () => {
    expect(decide(situation({}, { running: reloaded }))).toMatchObject({
      deployType: 'HOT_RELOAD',
      classes: ['a.Main'],
    });
  });
  test('taking it back with a restart needs the APK only', () => {
    const given = { running: reloaded, options: { alwaysRestartApp: true } };
    expect(decide(situation({}, given)).deployType).toBe('NONE');
  });
});
