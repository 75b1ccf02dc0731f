import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildFixtureClient, FIXTURE_PACKAGE } from '../app-process/fixture-apk.ts';
import { value } from '../support/direct.ts';
import { startFixtureDevice } from '../support/fixture-device.ts';
import type { FixtureDevice } from '../support/fixture-device.ts';
import { signApk } from '../support/signed-apk.ts';

const REMOTE = `${FIXTURE_PACKAGE}:remote`;
/** Processes that have to be started first, on a busy machine. */
const timeout = 400_000;

let fixture: FixtureDevice;
beforeAll(async () => {
  fixture = await startFixtureDevice();
  const client = await signApk((await buildFixtureClient()).apk);
  value(await fixture.client.adb.install({ file: client }, ['-r'], { timeoutMs: 170_000 }));
}, 300_000);
afterAll(() => fixture.stop());

const sh = (command: string): Promise<string> => fixture.sh(command);

/** What the app said of a part when it has said `last`, without whom it said it. */
async function part(activity: string, name: string, last: string): Promise<Record<string, string>> {
  await sh('logcat -c');
  await sh(`am start -S -W -n ${activity} -a ${name} --es part ${name}`);
  await expect.poll(() => sh('logcat -d -v raw -s Fixture'), { timeout: 100_000 }).toContain(last);
  const text = await sh('logcat -d -v raw -s Fixture');
  return Object.fromEntries(
    [...text.matchAll(/^(?:binder|client) (\w+): (.*)$/gm)].map(([, what = '', how = '']) => [what, how]),
  );
}

const CALLED = {
  bind: 'true',
  connected: expect.stringMatching(/BinderService 1$/),
  echo: 'grüß 😀 -7 1099511627776 0.5 [1, -2, 3]null [a, b] inner',
  caller: 'true true true',
  nested: 'from the service on my thread true',
  same: 'true',
  exception: 'not today',
  unknown: 'false',
  order: [...Array(20).keys()].map((n) => `${n} `).join(''),
  large: 'TransactionTooLargeException',
  descriptor: 'Not allowed to write file descriptors here',
  message: '42 hi',
};

test(
  'a service of another process of the same app is bound, called, and let go',
  async () => {
    const said = await part(`${FIXTURE_PACKAGE}/.PartsActivity`, 'bind', 'binder service destroyed');
    expect(said).toEqual(CALLED);
    expect(await sh('logcat -d -v raw -s Fixture')).toMatch(/bound with love\n[^]*unbound\n/);
    // What nobody uses any more is let go on both sides.
    const { apps } = fixture.vd.device.services;
    await expect
      .poll(
        async () => {
          await Promise.all(apps.all().map((app) => app.port.request('trim', {})));
          return apps.bindersKept;
        },
        { timeout: 60_000 },
      )
      .toBe(0);
  },
  timeout,
);

test(
  'a service whose process dies: who calls and who listens hears of it, and it comes back',
  async () => {
    const said = await part(`${FIXTURE_PACKAGE}/.PartsActivity`, 'die', 'binder back');
    expect(said).toEqual({
      bind: 'true',
      connected: expect.stringMatching(/BinderService 2$/),
      died: 'false',
      dead: 'false',
      disconnected: expect.stringMatching(/BinderService$/),
      back: 'true',
    });
  },
  timeout,
);

const USED = {
  type: `vnd.jugg/${REMOTE}`,
  insert: 'content://dev.jugg.fixture.rows/all/0 content://dev.jugg.fixture.rows/all/1',
  changed: 'content://dev.jugg.fixture.rows/all',
  update: '1',
  none: 'null',
  wrong: 'no such column',
  call: 'method argument 3',
  batch: 'content://dev.jugg.fixture.rows/all/3',
  refused: 'too many',
  delete: '4',
  open: 'refused',
};

test(
  'a provider of another process of the same app',
  async () => {
    expect(await part(`${FIXTURE_PACKAGE}/.PartsActivity`, 'rows', 'binder changed')).toEqual({
      ...USED,
      query: `[_id, name, half, bytes, nothing] 0first0.5[0]true 1zwö1.5[1]true name [1] ${FIXTURE_PACKAGE}`,
    });
  },
  timeout,
);

const CLIENT = 'dev.jugg.client/.ClientActivity';

test(
  'another app binds what is exported, and uses its provider',
  async () => {
    await sh(`am force-stop ${FIXTURE_PACKAGE}`);
    // Its application asks for the provider while it is being started.
    const early = { early: `vnd.jugg/${REMOTE}` };
    expect(await part(CLIENT, 'bind', 'binder message')).toEqual({ ...CALLED, ...early });
    expect(await part(CLIENT, 'rows', 'binder changed')).toEqual({
      ...USED,
      ...early,
      query: '[_id, name, half, bytes, nothing] 0first0.5[0]true 1zwö1.5[1]true name [1] dev.jugg.client',
    });
    expect(await sh(`pidof ${REMOTE}`)).toMatch(/^\d+\n$/);
    expect(await sh(`pidof ${FIXTURE_PACKAGE}`)).toBe('');
  },
  timeout,
);

test(
  'what another app may not have, or what is not there',
  async () => {
    const said = await part(CLIENT, 'other', 'client binding');
    expect(said).toEqual({
      early: `vnd.jugg/${REMOTE}`,
      nowhere: 'false',
      null: 'true',
      denied: expect.stringContaining('Not allowed to bind to service Intent'),
      provider: expect.stringMatching(
        /^Permission Denial: opening provider dev\.jugg\.fixture\/.*FixtureProvider from dev\.jugg\.client \(pid=\d+, uid=\d+\) that is not exported from UID \d+$/,
      ),
      binding: `null of ${FIXTURE_PACKAGE}/.RemoteService`,
    });
  },
  timeout,
);

const FILES = 'content://dev.jugg.fixture.files/files';
const denied = (uri: string, mode: string): unknown =>
  expect.stringMatching(
    `^SecurityException Permission Denial: ${mode} dev\\.jugg\\.fixture\\.FilesProvider uri ${uri} from pid=\\d+, uid=\\d+ requires the provider be exported, or grantUriPermission\\(\\)$`,
  );

test(
  'a file is shared with another app, which may do with it what it was granted',
  async () => {
    await sh('am force-stop dev.jugg.client');
    const said = await part(`${FIXTURE_PACKAGE}/.PartsActivity`, 'share', 'client last');
    expect(said).toEqual({
      early: `vnd.jugg/${REMOTE}`,
      stream: 'this is read.txt',
      columns: 'read.txt 16 text/plain',
      position: '16 5 i',
      pipe: '20000 made',
      write: denied(`${FILES}/read.txt`, 'writing'),
      other: denied(`${FILES}/secret.txt`, 'reading'),
      kept: 'written this is kept.txt changed',
      take: 'taken',
      takeOther: expect.stringMatching(
        /^SecurityException No persistable permission grants found for UID \d+ and Uri content:\/\/dev\.jugg\.fixture\.files\/files\/read\.txt \[user 0\]$/,
      ),
      missing: expect.stringMatching(/^FileNotFoundException .*missing\.txt/),
      path: expect.stringMatching(
        /^SecurityException Permission Denial: reading dev\.jugg\.fixture\.FilesProvider\$Open uri \S+ from pid=\d+, uid=\d+ requires dev\.jugg\.fixture\.SECRET, or grantUriPermission\(\)$/,
      ),
      open: 'this is read.txt',
      openWrite: expect.stringContaining('requires dev.jugg.fixture.WRITE, or grantUriPermission()'),
      persisted: `${FILES}/kept.txt true false`,
      keptLater: 'this is kept.txt changed',
      last: 'this is read.txt',
    });
    const log = await sh('logcat -d -v raw -s Fixture');
    // What anybody may use anyway needs no grant.
    expect(log.match(/share refused/g)).toHaveLength(1);
    expect(log).toContain(
      'share refused: Provider dev.jugg.fixture/dev.jugg.fixture.FixtureProvider does not allow granting of Uri permissions (uri content://dev.jugg.fixture.provider/1 [user 0])',
    );
    // What came with the intent is over with the process, what was taken for good is not.
    await sh('am force-stop dev.jugg.client');
    expect(await part(CLIENT, 'later', 'client last')).toEqual({
      early: `vnd.jugg/${REMOTE}`,
      persisted: `${FILES}/kept.txt true false`,
      keptLater: 'this is kept.txt changed',
      last: denied(`${FILES}/read.txt`, 'reading'),
    });
    expect(await readdir(join(fixture.vd.sockets(), 'pipes'))).toEqual([]);
  },
  timeout,
);

test(
  'the shell uses providers of apps',
  async () => {
    const run = async (command: string): Promise<string> => {
      const { stdout, stderr } = await fixture.client.sh(command, { timeoutMs: 170_000 });
      return stdout + stderr;
    };
    const rows = 'content://dev.jugg.fixture.rows/all';
    await run(`am force-stop ${FIXTURE_PACKAGE}`);
    expect(await run(`content insert --uri ${rows} --bind name:s:shell`)).toBe('');
    expect(await run(`content update --uri ${rows} --bind 'name:s:a\\:b'`)).toBe('');
    expect(await run(`content query --uri ${rows}`)).toBe(
      'Row: 0 _id=0, name=a:b, half=0.5, bytes=BLOB, nothing=NULL\n',
    );
    expect(await run(`content gettype --uri ${rows}`)).toBe(`Result: vnd.jugg/${REMOTE}\n`);
    expect(await run(`content call --uri ${rows} --method m --arg x --extra n:i:3`)).toMatch(
      /^Result: Bundle\[\{(n=3, called=m x|called=m x, n=3)\}\]\n$/,
    );
    expect(await run(`content query --uri ${rows} --where wrong`)).toMatch(
      /^Error while accessing provider:dev\.jugg\.fixture\.rows\njava\.lang\.IllegalArgumentException: no such column\n\tat /,
    );
    expect(await run(`content delete --uri ${rows}; content query --uri ${rows}`)).toBe('No result found.\n');
    expect(await run(`content insert --uri ${rows}`)).toContain('\n[ERROR] Bindings not specified.');
    expect(await run(`content insert --uri ${rows} --bind a:b:c:d`)).toContain('[ERROR] Binding not well');
    expect(await run(`content query --uri ${FILES}/read.txt`)).toContain(
      `java.lang.SecurityException: Permission Denial: reading dev.jugg.fixture.FilesProvider uri ${FILES}/read.txt from pid=`,
    );
    // The app itself may.
    const own = `run-as ${FIXTURE_PACKAGE} content`;
    expect(await run(`printf 'from the shell!!' | ${own} write --uri ${FILES}/read.txt`)).toBe('');
    expect(await run('content read --uri content://dev.jugg.fixture.open/read.txt')).toBe('from the shell!!');
    expect(await run(`${own} read --uri content://dev.jugg.fixture.files/pipe/made | wc -l`)).toBe('20000\n');
    expect(await run('content write --uri content://dev.jugg.fixture.open/read.txt </dev/null')).toContain(
      'writing dev.jugg.fixture.FilesProvider$Open',
    );
    expect(await run('content read --uri content://dev.jugg.fixture.open/none')).toContain(
      'java.io.FileNotFoundException: ',
    );
  },
  timeout,
);

test(
  'who has bound a service hears how its process ends',
  async () => {
    const heard = (text: string): Promise<void> =>
      expect.poll(() => sh('logcat -d -v raw -s Fixture'), { timeout: 100_000 }).toContain(`client ${text}`);
    await sh(`logcat -c; am force-stop dev.jugg.client; am start -n ${CLIENT} -a hold --es part hold`);
    await heard('connected: .BinderService true');
    await heard(`binding: null of ${FIXTURE_PACKAGE}/.RemoteService`);
    // What the app in front has bound is as important as that.
    const pid = await sh(`pidof ${REMOTE}`);
    await sh(`am kill ${FIXTURE_PACKAGE}`);
    expect(await sh(`pidof ${REMOTE}`)).toBe(pid);
    await sh(`logcat -c; run-as ${FIXTURE_PACKAGE} kill -9 ${pid}`);
    await heard('disconnected: .BinderService');
    await heard('connected: .BinderService true');
    expect(await sh('logcat -d -v raw -s Fixture')).not.toContain('client died');
    await sh(`logcat -c; am force-stop ${FIXTURE_PACKAGE}`);
    await heard('disconnected: .BinderService');
    await heard('died: .BinderService');
    await heard('died: .RemoteService');
    expect(await sh('logcat -d -v raw -s Fixture')).not.toContain('disconnected: .RemoteS');
    expect(await sh(`pidof ${REMOTE}`)).toBe('');
  },
  timeout,
);

test(
  'activities of other apps are found by what they can do',
  async () => {
    const said = await part(CLIENT, 'starts', 'turn Made made');
    expect(said).toMatchObject({
      nobody: 'not found',
      unexported: expect.stringMatching(
        /^Permission Denial: starting it from dev\.jugg\.client \(ids\) not exported from uid \d+$/,
      ),
      missing: 'not found',
      details: 'started',
      chooser: 'started',
    });
    expect(await sh('logcat -d -s JuggVirtualDevice')).toContain(
      'A chooser was asked for: the first app that fits',
    );
  },
  timeout,
);

test('nothing is kept of processes that are gone', async () => {
  await sh(`am force-stop ${FIXTURE_PACKAGE}; am force-stop dev.jugg.client`);
  expect(fixture.vd.device.services.apps.bindersKept).toBe(0);
  expect(fixture.vd.device.services.apps.all()).toEqual([]);
});
