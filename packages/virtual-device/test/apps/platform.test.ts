import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildPlatformFixture } from '../app-process/fixture-apk.ts';
import { startAppDevice } from '../support/app-device.ts';
import { directClient, value } from '../support/direct.ts';
import type { DirectClient } from '../support/direct.ts';
import { signApk } from '../support/signed-apk.ts';
import type { TestDevice } from '../support/test-device.ts';

const PACKAGE = 'dev.jugg.platform';
/** Processes that have to be started first, on a busy machine. */
const timeout = 400_000;

let vd: TestDevice;
let client: DirectClient;
beforeAll(async () => {
  vd = await startAppDevice();
  client = await directClient(vd.port);
  const apk = await signApk((await buildPlatformFixture()).apk);
  value(await client.adb.install({ file: apk }, ['-r'], { timeoutMs: 170_000 }));
}, 300_000);
afterAll(async () => {
  client.close();
  await vd.stop();
});

const sh = async (command: string): Promise<string> =>
  (await client.sh(command, { timeoutMs: 170_000 })).stdout;
const part = (name: string): Promise<string> =>
  sh(`am start -W -n ${PACKAGE}/.PlatformActivity -a '${name}' --es part ${name.split(' ')[0]}`);
const said = async (): Promise<string[]> =>
  (await sh('logcat -d -v raw -s Platform')).split('\n').filter((line) => /^\w+ /.test(line));

test(
  'started services come back after their process was killed as they asked, not after a force-stop',
  async () => {
    await part('services');
    await expect.poll(said, { timeout: 40_000 }).toContain('kept Once two 0 2');
    const killed = (await sh(`pidof ${PACKAGE}:kept`)).trim();
    await sh(`logcat -c; run-as ${PACKAGE} kill -9 ${killed}`);
    // Again is done with its first start.
    await expect.poll(said, { timeout: 40_000 }).toEqual(['kept Sticky no intent 0 1', 'kept Again two 1 1']);
    const log = await sh('logcat -d -b system');
    expect(log).toMatch(
      /Scheduling restart of crashed service dev\.jugg\.platform\/\.KeptService\$Sticky in \d+ms for start-requested/,
    );
    expect(log).toMatch(/Start proc \d+:dev\.jugg\.platform:kept\/\w+ for service /);

    await sh(`am force-stop ${PACKAGE}; logcat -c`);
    await part('services');
    await expect.poll(said, { timeout: 40_000 }).toContain('kept Once two 0 2');
    // The timer of a kill is taken back, too.
    await sh(`run-as ${PACKAGE} kill -9 $(pidof ${PACKAGE}:kept); am force-stop ${PACKAGE}`);
    expect(vd.device.services.apps.servicesDue).toBe(0);
    expect(await sh(`pidof ${PACKAGE}:kept`)).toBe('');
  },
  timeout,
);

test(
  'foreground services need a type and its permissions, and come to the foreground in time',
  async () => {
    await sh('logcat -c');
    await part('foreground');
    await expect
      .poll(said, { timeout: 40_000 })
      .toEqual(expect.arrayContaining([expect.stringMatching(/^front Typed then/)]));
    const who = `callerApp=ProcessRecord\\{\\w+ \\d+:${PACKAGE}/u0a\\d+\\} targetSDK=34`;
    const subset = (type: string, all: string): string =>
      `java.lang.IllegalArgumentException: foregroundServiceType 0x${type} is not a subset of foregroundServiceType attribute 0x${all} in service element of manifest file`;
    const none = expect.stringMatching(
      `InvalidForegroundServiceTypeException: .* ${who} has been prohibited`,
    );
    expect(await said()).toEqual([
      expect.stringMatching(
        `^front FrontService -1 android.app.MissingForegroundServiceTypeException: Starting FGS without a type  ${who}`,
      ),
      none,
      `front FrontService 64 ${subset('00000040', '00000000')}`,
      `front FrontService 1 ${subset('00000001', '00000000')}`,
      `front FrontService 1073741824 ${subset('40000000', '00000000')}`,
      'front FrontService posted ',
      'front FrontService then  0',
      expect.stringMatching(
        `^front Typed -1 java.lang.SecurityException: Starting FGS with type dataSync ${who} requires permissions: all of the permissions allOf=true \\[android.permission.FOREGROUND_SERVICE_DATA_SYNC\\]`,
      ),
      none,
      `front Typed 64 ${subset('00000040', '40000001')}`,
      expect.stringContaining('android.permission.FOREGROUND_SERVICE_DATA_SYNC'),
      'front Typed 1073741824 is 1073741824',
      'front Typed posted 1',
      'front Typed then  0',
    ]);
    await part('late');
    await expect
      .poll(() => sh('logcat -d -b crash'), { timeout: 40_000 })
      .toMatch(
        /ForegroundServiceDidNotStartInTimeException: Context\.startForegroundService\(\) did not then call Service\.startForeground\(\): ServiceRecord\{\w+ u0 dev\.jugg\.platform\/\.FrontService /,
      );
  },
  timeout,
);

test(
  'notifications are refused and dropped, plain HTTP is refused, as on a phone',
  async () => {
    // What crashed last is gone.
    await expect.poll(() => sh(`pidof ${PACKAGE}`), { timeout: 40_000 }).toBe('');
    await sh('logcat -c');
    await part('notifications');
    await expect.poll(said, { timeout: 20_000 }).toContain('notes posted ');
    expect(await said()).toEqual([
      'notes enabled false',
      expect.stringMatching(/^notes Invalid notification \(no valid small icon\): Notification\(/),
      'notes posted ',
    ]);
    const dropped = await sh('logcat -d -v raw -s NotificationService');
    expect(dropped).toMatch(
      /^No Channel found for pkg=dev\.jugg\.platform, channelId=unknown, id=7, tag=null/m,
    );
    expect(dropped).toContain(`Suppressing notification from package ${PACKAGE} by user request.`);
    await sh(`pm grant ${PACKAGE} android.permission.POST_NOTIFICATIONS; logcat -c`);
    await part('notifications again');
    await expect.poll(said, { timeout: 40_000 }).toContain('notes posted 8');
    expect(await said()).toContain('notes enabled true');

    await sh('logcat -c');
    await part('network');
    await expect
      .poll(async () => (await said()).toSorted(), { timeout: 40_000 })
      .toEqual([
        'network 127.0.0.1 false Cleartext HTTP traffic to 127.0.0.1 not permitted',
        expect.stringMatching(/^network localhost true Connection refused/),
      ]);
  },
  timeout,
);

test(
  'an app knows who signed it and what the device has, and what does not fit into an intent',
  async () => {
    await sh(`am force-stop ${PACKAGE}; logcat -c`);
    await part('package');
    await expect.poll(said, { timeout: 40_000 }).toContain('fact end');
    // The service is in another process, which gets what just fits.
    await expect.poll(said, { timeout: 40_000 }).toContain('kept Once null 0 1');
    const facts = (await said()).filter((line) => line.startsWith('fact '));
    const signer = vd.device.services.database.get(PACKAGE)?.signer;
    const large =
      /^fact (\w+) (?:Failure from system|android\.os\.TransactionTooLargeException: data parcel size 11\d+ bytes) android\.os\.TransactionTooLargeException: data parcel size 11\d+ bytes$/;
    expect(facts).toEqual([
      `fact signed ${signer} false`,
      `fact signed ${signer} `,
      'fact touchscreen true telephony false',
      'fact activity sent',
      'fact service sent',
      'fact broadcast sent',
      ...Array(3).fill(expect.stringMatching(large)),
      'fact end',
    ]);
  },
  timeout,
);

test(
  'a web view stays empty, which the log says; an app finds its process and its task',
  async () => {
    await sh(`am force-stop ${PACKAGE}; logcat -c`);
    await part('web');
    await expect
      .poll(said, { timeout: 40_000 })
      .toEqual(expect.arrayContaining([expect.stringMatching(/^fact task/)]));
    expect(await said()).toEqual([
      'web https://example.com/ false',
      `fact process ${PACKAGE} true true 100`,
      'fact memory true',
      'fact task 1 .PlatformActivity true',
    ]);
    expect(await sh('logcat -d -v raw -s JuggVirtualDevice')).toContain(
      'the WebView stays empty, and nobody hears of https://example.com/\n',
    );
    expect(await sh('uiautomator dump /dev/tty')).toMatch(
      /class="android.webkit.WebView"[^>]* bounds="\[0,\d+\]\[[1-9]\d*,[1-9]\d*\]"/,
    );
    // A grey area in its place.
    const [width = 0, height = 0] = (/(\d+)x(\d+)/.exec(await sh('wm size')) ?? []).slice(1).map(Number);
    const middle = 16 + 4 * (width * Math.floor(height / 2) + Math.floor(width / 2));
    expect(await sh(`screencap | xxd -p -s ${middle} -l 4`)).toBe('e8eaedff\n');
  },
  timeout,
);
