import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { normalizeProjectDir, Projects, translateSpelling } from '../../src/runtime/projects.ts';

let dir: string;
beforeEach(async () => {
  dir = await realpath(await mkdtemp(join(tmpdir(), 'jugg-projects-')));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

describe('projects', () => {
  test('stay initialised, each once, also when many are at the same moment', async () => {
    const projects = new Projects(dir);
    await Promise.all(['/a', '/b', '/a', '/c'].map((path) => projects.initialize(path, new Date())));
    expect((await new Projects(dir).list()).map((project) => project.projectDir).sort()).toEqual([
      '/a',
      '/b',
      '/c',
    ]);
  });

  test('keep their selected device until another is selected', async () => {
    const projects = new Projects(dir);
    await projects.initialize('/a', new Date());
    await projects.select('/a', 'S1');
    expect(await projects.find('/a')).toMatchObject({ selectedSerial: 'S1' });
    await projects.select('/a', null);
    expect(await projects.find('/a')).not.toHaveProperty('selectedSerial');
  });

  test('survive a broken file', async () => {
    await writeFile(join(dir, 'projects.json'), '{');
    expect(await new Projects(dir).list()).toEqual([]);
  });
});

describe('the folder of a project', () => {
  test('is absolute, with links resolved, also with blanks and other letters', async () => {
    const real = join(dir, 'Mein Projekt ü 你');
    await mkdir(real);
    await symlink(real, join(dir, 'link'));
    expect(await normalizeProjectDir(join(dir, 'link'))).toEqual({ ok: true, value: real });
  });

  test.each([['relative/path'], ['']])('must not be %j', async (path) => {
    expect(await normalizeProjectDir(path)).toMatchObject({ ok: false, fault: { code: 'INVALID_PARAMS' } });
  });

  test('must be a folder that is there', async () => {
    await writeFile(join(dir, 'file'), '');
    expect(await normalizeProjectDir(join(dir, 'file'))).toMatchObject({
      fault: { message: expect.stringContaining('is a file') },
    });
    expect(await normalizeProjectDir(join(dir, 'none'))).toMatchObject({
      fault: { message: expect.stringContaining('no folder') },
    });
  });

  test('may be spelled as Windows does inside WSL', async () => {
    expect(await normalizeProjectDir('Q:\\none', { platform: 'linux', wsl: true })).toMatchObject({
      fault: { message: expect.stringContaining('Q:\\none') },
    });
  });
});

describe('spellings of other shells', () => {
  const windows = { platform: 'win32', wsl: false } as const;
  const wsl = { platform: 'linux', wsl: true } as const;
  const linux = { platform: 'linux', wsl: false } as const;
  test.each([
    ['MSYS on Windows', windows, '/d/work/my app', 'D:\\work\\my app'],
    ['Cygwin on Windows', windows, '/cygdrive/d/work', 'D:\\work'],
    ['a drive alone', windows, '/c', 'C:\\'],
    ["Windows' own", windows, 'D:\\work', 'D:\\work'],
    ['a folder of MSYS itself is no drive', windows, '/usr/lib', '/usr/lib'],
    ['Windows in WSL', wsl, 'D:\\work\\app', '/mnt/d/work/app'],
    ['Windows in WSL, slashes', wsl, 'd:/work', '/mnt/d/work'],
    ['WSL itself', wsl, '/home/me', '/home/me'],
    ['a Linux folder named d', linux, '/d/work', '/d/work'],
    ['a file name with a colon', linux, 'D:\\work', 'D:\\work'],
  ])('%s', (_name, host, given, expected) => {
    expect(translateSpelling(given, host)).toBe(expected);
  });
});
