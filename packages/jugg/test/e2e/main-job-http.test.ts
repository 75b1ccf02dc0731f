import { expect, test } from 'vitest';
import { officialClient, rawClient, type HttpDoor } from './doors.ts';
import { matchesGolden } from './golden.ts';
import { TestHome } from './home.ts';
import { mainJob, type Door } from './story.ts';

/** Polls a job to its end, as an agent does. */
function polling({ call }: HttpDoor): Door {
  return async (tool, args) => {
    let envelope = await call(tool, args);
    while (envelope.data['isFinal'] === false) {
      const { jobId } = envelope.data;
      envelope = await call('get-compile-status', { jobId, waitTimeoutMs: 20_000 });
    }
    return envelope;
  };
}

test.each([
  ['the official client, older revisions', (home: TestHome) => officialClient(home, 'legacy')],
  ['the official client, 2026-07-28', (home: TestHome) => officialClient(home, '2026-07-28')],
  ['a client written by hand', rawClient],
])('the main job through HTTP by %s, over the direct transport', { timeout: 240_000 }, async (_, open) => {
  const home = await TestHome.make({ JUGG_ADB_SERVER: 'false' });
  try {
    const serial = await home.startDevice('http');
    expect(await home.json(['version'])).toMatchObject({ status: 'OK' });
    const door = await open(home);
    const told = await mainJob(polling(door), home.project, serial);
    await door.close();
    await matchesGolden(told, home, serial);
  } finally {
    await home.close();
  }
});
