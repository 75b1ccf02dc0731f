import { describe, expect, test } from 'vitest';
import { parsePackageDump } from '../../src/formats/package-dump.ts';
import { parseProcesses, parseProperties } from '../../src/formats/properties.ts';
import { attachRefusal, runAsRefusal } from '../../src/formats/run-as.ts';
import {
  findPng,
  parseKeyguard,
  parseRotation,
  parseWakefulness,
  parseWmDensity,
  parseWmSize,
  rotatedSize,
  screenPoint,
} from '../../src/formats/screen.ts';
import { bothStreams } from '../../src/formats/terminal.ts';
import { inputResult } from '../../src/formats/text-input.ts';
import { deniedUser, parsePackageList, parseUsers } from '../../src/formats/users.ts';
import { differences, fieldCases, text, type FieldCase } from './field-case.ts';

function users(of: FieldCase): unknown {
  const output = bothStreams(text(of, 'stdout'), text(of, 'stderr'));
  const command = text(of, 'command');
  const asked = text(of, 'askedPackage');
  if (command.startsWith('dumpsys package')) {
    const dump = parsePackageDump(output, asked);
    return {
      installedFor: dump?.installedFor,
      installed: dump?.installedFor.includes(Number(of.input['currentUser'])),
    };
  }
  if (command.includes('list users')) return { error: null, users: parseUsers(output) };
  const list = parsePackageList(output);
  if (!list.ok) return { error: list.fault.code, installed: null, ...list.fault.data };
  return { error: null, packages: list.value, complete: true, installed: list.value.includes(asked) };
}

// E-6 is about every command of a session; the Device port's own test shows it.
test.each(fieldCases('users-profiles').filter(([, of]) => of.id !== 'E-6'))('%s', (_, of) => {
  expect(differences(users(of), of.expect)).toEqual([]);
});

function screen(of: FieldCase): unknown {
  if (of.input['screencapBase64']) {
    return { png: findPng(Buffer.from(text(of, 'screencapBase64'), 'base64')), error: null };
  }
  const rotation = of.input['rotation'] === 1 ? 1 : 0;
  const natural = parseWmSize(text(of, 'wmSize'));
  if (!natural) return {};
  const size = rotatedSize(natural, rotation);
  const density = parseWmDensity(text(of, 'wmDensity'));
  const tap: Record<string, number> | undefined = Object(of.input['tap']);
  if (!of.input['tap'] || !tap) return { size, density };
  const picture =
    tap['pictureWidth'] === undefined
      ? undefined
      : { width: tap['pictureWidth'], height: tap['pictureHeight'] ?? 0 };
  const point = screenPoint({ ...tap, picture }, size);
  if (!point.ok) return { tapped: null, error: point.fault.code };
  const output = bothStreams(text(of, 'stdout'), text(of, 'stderr'));
  const input = inputResult(output, typeof of.input['exitCode'] === 'number' ? of.input['exitCode'] : 0);
  return { tapped: point.value, space: 'device-pixels', error: input.ok ? null : input.fault.code };
}

// P-9 (changed) and P-10 (dark screen) need the whole device; the tests of trees and of the gates show them.
const HERE = ['P-1', 'P-2', 'P-3', 'P-4', 'P-5', 'P-6', 'P-7', 'P-8', 'P-11'];
test.each(fieldCases('screen-coordinates', HERE))('%s', (_, of) => {
  expect(differences(screen(of), of.expect)).toEqual([]);
});

// The other cases are about the debugger port, which Jugg does not use.
test.each(fieldCases('run-as-attach', ['O-1', 'O-2', 'O-3']))('%s', (_, of) => {
  const refusal = runAsRefusal(bothStreams(text(of, 'stdout'), text(of, 'stderr')));
  expect(differences({ ok: refusal === null, error: refusal?.code }, of.expect)).toEqual([]);
});

describe('attach', () => {
  test.each([
    ['java.lang.SecurityException: Process not debuggable: ProcessRecord{1 2:a.b/u0a1}', 'NOT_DEBUGGABLE'],
    ['java.lang.IllegalArgumentException: Unknown process: 123', 'APP_NOT_RUNNING'],
    ['Error: unknown command', 'FEATURE_NOT_SUPPORTED'],
  ])('%s', (line, code) => {
    expect(attachRefusal(`\nException occurred while executing 'attach-agent':\n${line}\n`)?.code).toBe(code);
  });
  test('silence is consent', () => {
    expect(attachRefusal('')).toBeNull();
  });
});

describe('screen', () => {
  test.each([
    ['    mCurrentOrientation=1', 1],
    ['  mRotation=ROTATION_270', 3],
    ['  mRotation=2', 2],
    ['DisplayInfo{"Built-in", rotation 0, x', 0],
    ['    SurfaceOrientation: 3', 3],
  ])('rotation from %s', (line, rotation) => {
    expect(parseRotation(line)).toBe(rotation);
  });
  test('wakefulness and keyguard', () => {
    expect(parseWakefulness('Power Manager State:\n  mWakefulness=Dozing\n')).toBe('Dozing');
    expect(parseKeyguard('  mKeyguardShowing=true\n  mOccluded=false\n')).toBe(true);
    expect(parseKeyguard('  mKeyguardShowing=true\n  mOccluded=true\n')).toBe(false);
    expect(parseKeyguard('  showing=false\n')).toBe(false);
  });
});

describe('properties and processes', () => {
  test('a value of several lines and an empty one', () => {
    const found = parseProperties('[a.b]: [1]\r\n[c]: [two\nlines]\n[d]: []\n');
    expect([...found]).toEqual([
      ['a.b', '1'],
      ['c', 'two\nlines'],
      ['d', ''],
    ]);
  });
  test.each([
    [
      'USER           PID  PPID     VSZ    RSS WCHAN            ADDR S NAME\nu0_a133      13066   300 1234567  12345 0                   0 S com.example.shop:sync\n',
    ],
    [
      'USER      PID   PPID  VSIZE  RSS   WCHAN            PC  NAME\nu0_a133   13066 300   123456 12345 SyS_epoll_ 00000000 S com.example.shop:sync\n',
    ],
    ['USER PID NAME\nu0_a133 13066 com.example.shop:sync\n'],
  ])('%#', (output) => {
    expect(parseProcesses(output)).toEqual([{ pid: 13066, user: 'u0_a133', name: 'com.example.shop:sync' }]);
  });
});

test('package dump: flags, path, time, and a hidden system package of the same name', () => {
  const output = [
    'Packages:',
    '  Package [a.b] (7c2d9f1):',
    '    codePath=/data/app/~~x==/a.b-y==',
    '    versionCode=7 minSdk=26 targetSdk=35',
    '    flags=[ DEBUGGABLE HAS_CODE ]',
    '    lastUpdateTime=2026-11-30 15:00:00',
    '    User 0: ceDataInode=1 installed=true hidden=false',
    'Hidden system packages:',
    '  Package [a.b] (1111111):',
    '    versionCode=3 minSdk=26 targetSdk=35',
  ].join('\n');
  expect(parsePackageDump(output, 'a.b')).toEqual({
    versionCode: 7,
    debuggable: true,
    codePath: '/data/app/~~x==/a.b-y==',
    lastUpdateTime: '2026-11-30 15:00:00',
    installedFor: [0],
    minSdk: 26,
  });
  expect(parsePackageDump(output, 'a.bc')).toBeNull();
  expect(deniedUser(output)).toBeNull();
});
