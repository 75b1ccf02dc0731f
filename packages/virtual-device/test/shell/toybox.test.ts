import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { directClient, value } from '../support/direct.ts';
import type { DirectClient } from '../support/direct.ts';
import { startTestDevice } from '../support/test-device.ts';
import type { TestDevice } from '../support/test-device.ts';

let vd: TestDevice;
let client: DirectClient;
beforeAll(async () => {
  vd = await startTestDevice();
  client = await directClient(vd.port);
});
afterAll(async () => {
  client.close();
  await vd.stop();
});

const TEXT = 'one 1\ntwo  22 two\n\n# three\nFour/4 [x]\nfive.5 a.b\nlast';

/** The referee: the host's own program, on the same text. */
function host(program: string, args: readonly string[], input: string | Buffer): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' } });
    const out: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.on('close', () => resolve(Buffer.concat(out).toString()));
    child.stdin.end(input);
  });
}

describe.skipIf(process.platform !== 'linux')('sed is as the one of the host', () => {
  test.each([
    ['s/o/0/'],
    ['s/o/0/g'],
    ['s/two/2/2'],
    ['s/[aeiou]/<&>/g'],
    ['s/\\(\\w*\\) \\([0-9]*\\)/\\2 \\1/'],
    ['-E', 's/([a-z]+) +([0-9]+)/\\2-\\1/'],
    ['-n', '/t/p'],
    ['-n', '$p'],
    ['-n', '2,4p'],
    ['2,4d'],
    ['/^$/d'],
    ['/^#/!s/$/!/'],
    ['s|/|:|g'],
    ['s/a\\.b/dot/;s/\\[x\\]/box/'],
    ['-e', 's/1/I/', '-e', '/two/q'],
    ['-n', '/two/,/three/{=;p}'],
    ['y/abc/xyz/'],
    ['3a appended'],
    ['1i\\\ninserted'],
    ['/Four/c changed'],
    ['-n', 's/last/LAST/p'],
    ['s/[[:digit:]][[:digit:]]*/N/g'],
    ['-E', 's/^(.)(.*)$/\\2\\1/'],
    ['s/x*/-/g'],
    ['n;d'],
    ['s/T/t/I'],
  ])('sed %j', async (...args: string[]) => {
    const own = value(await client.adb.shell(['sed', ...args], { stdin: TEXT }));
    expect(own.stdout).toBe(await host('sed', args, TEXT));
    expect(own.exitCode).toBe(0);
  });

  test('in place, and what is no script', async () => {
    await client.sh("printf 'a\\nb\\n' > /sdcard/f; sed -i 's/a/A/' /sdcard/f");
    expect((await client.sh('cat /sdcard/f')).stdout).toBe('A\nb\n');
    expect((await client.sh("sed 's/a'")).exitCode).toBe(1);
    expect((await client.sh('sed -k x')).stderr).toBe("sed: Unknown option 'k'\n");
    expect((await client.sh('sed p /none')).stderr).toBe('sed: /none: No such file or directory\n');
  });
});

describe('gzip and tar', () => {
  test('packed here is unpacked there, and the other way', async () => {
    const packed = value(await client.adb.exec('printf hello | gzip'));
    expect(gunzipSync(packed).toString()).toBe('hello');
    value(await client.adb.push(gzipSync('there'), '/sdcard/t.gz'));
    expect(
      (await client.sh('gzip -d -k /sdcard/t.gz; cat /sdcard/t; zcat /sdcard/t.gz; ls /sdcard/t*')).stdout,
    ).toBe('therethere/sdcard/t\n/sdcard/t.gz\n');
    expect((await client.sh('echo no | gunzip')).stderr).toBe('gunzip: stdin: not gzip\n');
  });

  test.skipIf(process.platform !== 'linux')(
    'an archive that the tar of the host reads, and one that it made',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'toybox-'));
      const long = `d/${'long'.repeat(40)}`;
      await client.sh(
        `mkdir -p /sdcard/tt/d; cd /sdcard/tt; echo one > d/1; echo two > ${long}; ln -s 1 d/link; chmod 600 d/1`,
      );
      const archive = value(await client.adb.exec('cd /sdcard/tt; tar -cz d'));
      const file = join(folder, 'a.tgz');
      await writeFile(file, archive);
      expect((await host('tar', ['-tzf', file], '')).split('\n').sort()).toEqual(
        ['', 'd/', 'd/1', 'd/link', long].sort(),
      );
      await new Promise((resolve) => execFile('tar', ['-xzf', file, '-C', folder], resolve));
      expect(await readFile(join(folder, 'd', 'link'), 'utf8')).toBe('one\n');
      const made = await new Promise<Buffer>((resolve, reject) => {
        execFile('tar', ['-c', '-C', folder, 'd'], { encoding: 'buffer' }, (error, out) =>
          error ? reject(error) : resolve(out),
        );
      });
      value(await client.adb.push(made, '/sdcard/made.tar'));
      expect(
        (await client.sh('mkdir /sdcard/out; tar xf /sdcard/made.tar -C /sdcard/out; cat /sdcard/out/d/link'))
          .stdout,
      ).toBe('one\n');
      expect((await client.sh(`tar tf /sdcard/made.tar ${long}; tar xOf /sdcard/made.tar d/1`)).stdout).toBe(
        `${long}\none\n`,
      );
      expect((await client.sh('stat -c %a /sdcard/out/d/1')).stdout).toBe('600\n');
      expect((await client.sh('echo x | tar t')).stderr).toBe('tar: Not tar\n');
      await rm(folder, { recursive: true });
    },
  );
});
