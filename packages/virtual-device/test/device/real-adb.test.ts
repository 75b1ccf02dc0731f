import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { adbMissing, startRealAdb } from '../support/real-adb.ts';
import { startTestDevice } from '../support/test-device.ts';
import { realTool } from '../support/tool.ts';
import { deviceSuite } from './suite.ts';

const missing = await adbMissing();

describe.skipIf(missing !== null)(`with Debian's adb${missing ? ` (skipped: ${missing})` : ''}`, () => {
  deviceSuite(realTool);

  test('what only the real tool does: devices -l, folders, interactive shell, refusals', async () => {
    const vd = await startTestDevice();
    const adb = await startRealAdb();
    const folder = await mkdtemp(join(tmpdir(), 'real-adb-'));
    try {
      expect((await adb.run(['connect', vd.serial])).stdout).toBe(`connected to ${vd.serial}\n`);
      expect((await adb.run(['devices', '-l'])).stdout).toMatch(
        new RegExp(
          `${vd.serial} +device product:jugg_virtual model:Jugg_Virtual_Device device:jugg_virtual transport_id:\\d+`,
        ),
      );
      await mkdir(join(folder, 'in', 'sub'), { recursive: true });
      await writeFile(join(folder, 'in', 'a.txt'), 'A');
      await writeFile(join(folder, 'in', 'sub', 'b.txt'), 'B');
      await adb.run(['push', join(folder, 'in'), '/sdcard/tree']);
      await adb.run(['pull', '/sdcard/tree', join(folder, 'out')]);
      expect(await readFile(join(folder, 'out', 'sub', 'b.txt'), 'utf8')).toBe('B');
      const shell = await adb.run(['shell'], { stdin: 'echo one; cd /sdcard\npwd\nexit 9\n' });
      expect(shell).toMatchObject({ code: 9, stdout: 'one\n/sdcard\n' });
      expect((await adb.run(['root'])).stdout).toBe('adbd cannot run as root in production builds\n');
      expect((await adb.run(['install', join(folder, 'in', 'a.txt')])).code).toBe(1);
      expect((await adb.run(['get-state'])).stdout).toBe('device\n');
    } finally {
      await adb.stop();
      await vd.stop();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
