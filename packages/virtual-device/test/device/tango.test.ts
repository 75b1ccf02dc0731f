import { connect } from 'node:net';
import type { AdbSocket } from '@yume-chan/adb';
import { expect, test } from 'vitest';
import { startTestDevice } from '../support/test-device.ts';
import { tangoAdb, tangoTool } from '../support/tango.ts';
import { deviceSuite } from './suite.ts';

deviceSuite(tangoTool);

async function greet(socket: AdbSocket): Promise<void> {
  await socket.writable.getWriter().write(new TextEncoder().encode('from Tango'));
  await socket.close();
}

test('what Tango does beside: framebuffer, reverse, its key, delayed acknowledgement', async () => {
  const vd = await startTestDevice({ auth: 'accept', size: [300, 200] });
  const adb = await tangoAdb(vd.port);
  try {
    expect(adb.deviceFeatures).toContain('delayed_ack');
    expect((await vd.device.keys.keys())[0]).toContain('tango@test');
    const picture = await adb.framebuffer();
    expect([picture.width, picture.height, picture.bpp]).toEqual([300, 200, 32]);
    const handed: string[] = [];
    const name = await adb.reverse.add('tcp:0', (socket) => {
      handed.push(socket.service);
      // Tango accepts the stream when this returns: only then may anything be sent on it.
      setImmediate(() => void greet(socket));
    });
    const socket = connect({ host: '127.0.0.1', port: Number(name.replace('tcp:', '')) });
    expect(Buffer.concat(await socket.toArray()).toString()).toBe('from Tango');
    expect((await adb.reverse.list())[0]).toMatchObject({ localName: name });
    await adb.reverse.removeAll();
    expect(await adb.reverse.list()).toEqual([]);
    expect(handed).toHaveLength(1);
  } finally {
    await adb.close();
    await vd.stop();
  }
});
