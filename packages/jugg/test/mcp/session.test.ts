import { describe, expect, test } from 'vitest';
import { argumentNames, isOwnProject, withSession } from '../../src/mcp/session.ts';
import { toolList } from '../../src/mcp/tools.ts';

const names = argumentNames(toolList());
const session = { projectDir: '/home/me/app', serial: 'S1' };
const given = (tool: string, args: unknown = {}) =>
  withSession(tool, args, names.get(tool) ?? new Set(), session);

describe('what a session brings along', () => {
  test.each([
    ['tap', {}, { projectDir: '/home/me/app', serial: 'S1' }],
    ['tap', { serial: 'S2' }, { projectDir: '/home/me/app', serial: 'S2' }],
    ['deploy', { serials: ['S2', 'S3'] }, { projectDir: '/home/me/app', serials: ['S2', 'S3'] }],
    ['status', { projectDir: '/other' }, { projectDir: '/other' }],
    ['devices', {}, { projectDir: '/home/me/app' }],
    ['version', {}, {}],
    ['no-such-tool', { a: 1 }, { a: 1 }],
    ['status', null, { projectDir: '/home/me/app' }],
  ])('%s %j', (tool, args, expected) => {
    expect(given(tool, args)).toEqual(expected);
  });

  test('its own folder is trusted, no other', () => {
    expect(isOwnProject(given('status'), session)).toBe(true);
    expect(isOwnProject(given('version'), session)).toBe(true);
    expect(isOwnProject(given('status', { projectDir: '/other' }), session)).toBe(false);
  });
});
