import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { directClient, type DirectClient } from '../support/direct.ts';
import { HostTools } from '../support/host-tools.ts';
import { startTestDevice, type TestDevice } from '../support/test-device.ts';
import { OF_GNU } from './gnu-lines.ts';
import { FILES, OF_TOYBOX } from './toybox-lines.ts';

const FOLDER = '/data/local/tmp/toybox';

describe.skipIf(!HostTools.isThere())('as toybox, which is not installed where this is skipped', () => {
  let vd: TestDevice;
  let client: DirectClient;
  let tools: HostTools;
  beforeAll(async () => {
    vd = await startTestDevice();
    client = await directClient(vd.port);
    tools = await HostTools.start();
  });
  afterAll(async () => {
    client.close();
    await vd.stop();
    await tools.stop();
  });

  async function own(line: string): Promise<string> {
    const script = `umask 022; rm -rf ${FOLDER}; mkdir ${FOLDER}; cd ${FOLDER}; ${FILES}; ${line}`;
    const { stdout, exitCode } = await client.sh(script);
    return `${stdout}[${exitCode}]`;
  }

  test.each(OF_TOYBOX)('%s', async (line) => {
    expect(await own(line)).toBe(await tools.run('toybox', FILES, line));
  });

  test.each(OF_GNU)('as GNU: %s', async (line) => {
    expect(await own(line)).toBe(await tools.run('gnu', FILES, line));
  });
});
