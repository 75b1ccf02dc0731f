import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadSettings } from '../../src/runtime/settings.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'jugg-settings-'));
  await mkdir(join(dir, 'home', 'state'), { recursive: true });
  await mkdir(join(dir, 'project', '.jugg'), { recursive: true });
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const env = (more: Record<string, string> = {}): NodeJS.ProcessEnv => ({
  JUGG_HOME: join(dir, 'home'),
  ...more,
});
const user = (text: string): Promise<void> => writeFile(join(dir, 'home', 'state', 'settings.json'), text);
const project = (text: string): Promise<void> =>
  writeFile(join(dir, 'project', '.jugg', 'settings.json'), text);

describe('settings', () => {
  test('come from the environment, then the project, then the user', async () => {
    await user('{"softTimeoutMs": 1, "adbServer": false}');
    await project('{"softTimeoutMs": 2}');
    expect((await loadSettings(join(dir, 'project'), env())).settings).toMatchObject({
      softTimeoutMs: 2,
      adbServer: false,
    });
    expect(
      (await loadSettings(join(dir, 'project'), env({ JUGG_SOFT_TIMEOUT_MS: '3' }))).settings.softTimeoutMs,
    ).toBe(3);
    expect((await loadSettings(null, env())).settings.softTimeoutMs).toBe(1);
  });

  test('of a project cannot open the server to others', async () => {
    await project('{"allowedHosts": ["evil.example"], "allowedOrigins": ["http://evil.example"]}');
    const { settings, problems } = await loadSettings(join(dir, 'project'), env());
    expect(settings).toMatchObject({ allowedHosts: [], allowedOrigins: [] });
    expect(problems).toHaveLength(2);
  });

  test('that do not fit are left out and named', async () => {
    await user('{"softTimeoutMs": "soon", "colour": "red", "jobsKept": 50}');
    const { settings, problems } = await loadSettings(null, env());
    expect(settings).toMatchObject({ softTimeoutMs: 25_000, jobsKept: 50 });
    expect(problems.join('\n')).toMatch(/softTimeoutMs.*soon[\s\S]*colour/);
  });

  test('in a broken file are as if it were not there', async () => {
    await user('{"softTimeoutMs": ');
    expect((await loadSettings(null, env())).settings.softTimeoutMs).toBe(25_000);
  });
});
