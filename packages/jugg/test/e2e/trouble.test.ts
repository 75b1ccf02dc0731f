import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rawClient } from './doors.ts';
import { TestHome } from './home.ts';

let home: TestHome;
let serial: string;
beforeAll(async () => {
  home = await TestHome.make({ JUGG_ADB_SERVER: 'false' });
  serial = await home.startDevice('trouble');
});
afterAll(() => home.close());

const COUNT_TEXT = 'app/src/main/kotlin/dev/jugg/sample/counter/CountText.kt';
const STRINGS = 'app/src/main/res/values/strings.xml';

async function edit(file: string, pattern: RegExp, to: string): Promise<void> {
  const path = join(home.project, file);
  await writeFile(
    path,
    (await readFile(path, 'utf8')).replace(pattern, () => to),
  );
}

function deploy(): ReturnType<TestHome['json']> {
  return home.json(['deploy', '--serial', serial, '--wait-app-ready-after-success'], home.project);
}

/**
 * Waits until the running job of the project is in one of the phases. It asks over HTTP, as a phase may last for less
 * time than the start of a process takes.
 */
async function inPhase(wanted: RegExp): Promise<void> {
  for (const until = performance.now() + 60_000; performance.now() < until; await setTimeout(2)) {
    // Until the server is there, and has the job.
    const answer = await rawClient(home)
      .then((door) => door.call('get-compile-status', {}))
      .catch(() => null);
    const phase = answer?.data['isFinal'] === false ? answer.data['phase'] : undefined;
    if (typeof phase === 'string' && wanted.test(phase)) return;
  }
  throw new Error(`no job came to ${wanted.source}`);
}

async function pidOf(what: 'server' | 'device'): Promise<number> {
  if (what === 'device') {
    const listed = await home.json(['vd', 'list']);
    const devices: unknown = listed.data['devices'];
    return Array.isArray(devices) ? Number(devices[0]?.pid) : Number.NaN;
  }
  const version = await home.json(['version']);
  const runtime: unknown = version.data['runtime'];
  return typeof runtime === 'object' && runtime !== null && 'pid' in runtime
    ? Number(runtime.pid)
    : Number.NaN;
}

describe('what goes wrong in the middle', { timeout: 240_000 }, () => {
  test('Ctrl-C in the first build ends the job, and the next deploy is whole', async () => {
    const child = home.spawn(['deploy', '--serial', serial, '--json'], home.project);
    const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
    await inPhase(/./);
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    const [newest] = await jobs();
    expect(newest).toMatchObject({ kind: 'deploy', status: 'canceled', errorCode: 'CANCELED' });
    expect(await deploy()).toMatchObject({ status: 'OK', data: { deployType: 'INSTALL' } });
  });

  test('a source that is saved again while it is compiled costs no job, and the next deploy has it', async () => {
    await edit(COUNT_TEXT, /"Count: \$count"/, '"First: $count"');
    const running = deploy();
    await inPhase(/Kotlin|Dex/);
    await edit(COUNT_TEXT, /"First: \$count"/, '"Count: $count"');
    expect((await running).status).toBe('OK');
    expect(await deploy()).toMatchObject({ status: 'OK' });
    await home.json(['restart', '--serial', serial, '--wait-app-ready-after-success'], home.project);
    const seen = await home.json(
      ['view-locate', '--serial', serial, '--target-text', 'Count: 0'],
      home.project,
    );
    expect(seen).toMatchObject({ status: 'OK' });
  });

  test('a device that is killed during a deploy is told so, and has the newest when it is back', async () => {
    await edit(STRINGS, />Add</, '>Add two<');
    const device = await pidOf('device');
    const running = deploy();
    await inPhase(/deploy|package|install|launch/i);
    process.kill(device, 'SIGKILL');
    const failed = await running;
    expect(failed.status).toBe('ERROR');
    expect(failed.errorCode).toMatch(/^(DEVICE_GONE|DEVICE_OFFLINE|NO_DEVICE)$/);
    expect(failed.exitCode).toBe(4);
    serial = await home.startDevice('trouble');
    expect(await deploy()).toMatchObject({ status: 'OK' });
    const seen = await home.json(
      ['view-locate', '--serial', serial, '--target-text', 'Add two'],
      home.project,
    );
    expect(seen).toMatchObject({ status: 'OK', data: { matchCount: 1 } });
  });

  test('a server that is killed loses its job, says so later, and the next one does the work', async () => {
    await edit(COUNT_TEXT, /"Count: \$count"/, '"Number: $count"');
    const server = await pidOf('server');
    // With a restart it takes long enough to be met in the middle, also on a fast machine.
    const child = home.spawn(['deploy', '--serial', serial, '--always-restart-app', '--json'], home.project);
    const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
    await inPhase(/./);
    process.kill(server, 'SIGKILL');
    expect(await ended).toBe(1);
    const [lost] = await jobs();
    expect(lost).toMatchObject({ kind: 'deploy', status: 'failed', errorCode: 'SERVER_STOPPED' });
    expect(await deploy()).toMatchObject({ status: 'OK' });
    const restarted = await home.json(
      ['restart', '--serial', serial, '--wait-app-ready-after-success'],
      home.project,
    );
    expect(restarted).toMatchObject({ status: 'OK' });
    const seen = await home.json(
      ['view-locate', '--serial', serial, '--target-text', 'Number: 0'],
      home.project,
    );
    expect(seen).toMatchObject({ status: 'OK' });
  });

  test('an app that throws in onCreate is APP_CRASHED with its exception, and deploys again once mended', async () => {
    const activity = 'app/src/main/kotlin/dev/jugg/sample/counter/MainActivity.kt';
    await edit(
      activity,
      /super\.onCreate\(savedInstanceState\)\n/,
      'super.onCreate(savedInstanceState)\n        check(count > 0) { "broken on purpose" }\n',
    );
    await edit(STRINGS, />Add two</, '>Add three<');
    const crashed = await deploy();
    expect(crashed).toMatchObject({ status: 'ERROR', errorCode: 'APP_CRASHED' });
    expect(crashed.message).toMatch(/IllegalStateException: broken on purpose at .*MainActivity\.onCreate/);
    expect(crashed.data['crash']).toMatchObject({
      process: 'dev.jugg.sample.counter',
      stack: expect.arrayContaining(['Caused by: java.lang.IllegalStateException: broken on purpose']),
    });
    const logs = await home.json(
      ['wait-logs', '--serial', serial, '--marker', 'never', '--timeout-ms', '5000'],
      home.project,
    );
    expect(logs).toMatchObject({
      errorCode: 'APP_CRASHED',
      data: {
        // As Android logs it: the framework's exception around the app's own.
        crash: {
          exception: 'java.lang.RuntimeException',
          message: expect.stringContaining('broken on purpose'),
        },
      },
    });
    await edit(activity, / *check\(count > 0\).*\n/, '');
    expect(await deploy()).toMatchObject({ status: 'OK' });
    expect(
      await home.json(['view-locate', '--serial', serial, '--target-text', 'Add three'], home.project),
    ).toMatchObject({ status: 'OK' });
  });
});

async function jobs(): Promise<readonly unknown[]> {
  const listed = await home.json(['list-jobs', '--limit', '1'], home.project);
  return Array.isArray(listed.data['jobs']) ? listed.data['jobs'] : [];
}
