import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isolatedCommand, isolationTrouble, readableFolders } from '../../src/app-process/isolation.ts';

let home: string;
let trouble: string | null;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'jugg-home-'));
  for (const folder of ['.ssh', '.m2/repository/a', 'state/device'])
    await mkdir(join(home, folder), { recursive: true });
  for (const file of ['.ssh/key', '.m2/repository/a/a.jar', 'state/device/data', 'state/other'])
    await writeFile(join(home, file), file);
  trouble = await isolationTrouble({ hidden: [home], writable: [] });
});

afterAll(() => rm(home, { recursive: true, force: true }));

async function inside(script: string): Promise<string> {
  const isolation = { hidden: [home], writable: [join(home, 'state/device')] };
  const command = ['sh', '-c', script];
  const [program = '', ...args] = isolatedCommand(isolation, [join(home, '.m2/repository')], command);
  const { stdout } = await promisify(execFile)(program, args, { cwd: join(home, 'state/device') });
  return stdout;
}

test('a process sees of the home what it needs, and cannot uncover the rest', async ({ skip }) => {
  if (trouble !== null) skip(`this machine allows no namespaces: ${trouble}`);
  expect(await inside(`ls -A ${home}; ls -A ${home}/state`)).toBe('.m2\nstate\ndevice\n');
  expect(await inside(`cat ${home}/.m2/repository/a/a.jar ${home}/state/device/data`)).toBe(
    '.m2/repository/a/a.jarstate/device/data',
  );
  expect(await inside(`echo new > ${home}/state/device/data; echo $?`)).toBe('0\n');
  expect(await readFile(join(home, 'state/device/data'), 'utf8')).toBe('new\n');
  expect(
    await inside(
      `(umount ${home} || mount -t tmpfs none /mnt) 2> /dev/null; cat ${home}/.ssh/key 2> /dev/null; echo $?`,
    ),
  ).toBe('1\n');
  expect(await inside('ls -A ../..; ls ..')).toBe('.m2\nstate\ndevice\n');
  expect(await inside('echo $(id -u) $(id -g)')).toBe(
    `${process.getuid?.() ?? 0} ${process.getgid?.() ?? 0}\n`,
  );
});

test('the folders that a JVM reads are few', () => {
  const files = [
    '/home/u/.jdks/17/bin/java',
    '/home/u/lib/f.jar',
    '/home/u/.m2/repository/a/1/a.jar',
    '/home/u/.m2/repository/b/1/b.jar',
    '/usr/share/c.jar',
  ];
  expect(readableFolders(files, { hidden: ['/home/u'], writable: [] })).toEqual([
    '/home/u/.jdks/17',
    '/home/u/lib',
    '/home/u/.m2/repository',
  ]);
});
