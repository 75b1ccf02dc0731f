import { afterAll, beforeAll, expect, test } from 'vitest';
import { FIXTURE_PACKAGE } from '../app-process/fixture-apk.ts';
import { startFixtureDevice } from '../support/fixture-device.ts';
import type { FixtureDevice } from '../support/fixture-device.ts';

const REMOTE = `${FIXTURE_PACKAGE}:remote`;
/** A process that has to be started first, on a busy machine. */
const timeout = 400_000;

let fixture: FixtureDevice;
beforeAll(async () => {
  fixture = await startFixtureDevice();
}, 300_000);
afterAll(() => fixture.stop());

const sh = async (command: string): Promise<string> => {
  const { stdout, stderr } = await fixture.client.sh(command, { timeoutMs: 120_000 });
  return stdout + stderr;
};

async function logged(text: string): Promise<void> {
  await expect.poll(() => sh('logcat -d -b all'), { timeout: 100_000 }).toContain(text);
}

test(
  'a receiver of the manifest starts the process; not of a stopped app',
  async () => {
    await sh(`am broadcast -n ${FIXTURE_PACKAGE}/.PingReceiver`);
    expect(await sh(`pidof ${FIXTURE_PACKAGE}`)).toBe('');
    expect(await sh(`am broadcast --include-stopped-packages -n ${FIXTURE_PACKAGE}/.PingReceiver`)).toContain(
      'Broadcast completed: result=0\n',
    );
    await logged('ping');
    await logged(`for broadcast {${FIXTURE_PACKAGE}/${FIXTURE_PACKAGE}.PingReceiver}`);
    expect(await sh(`pidof ${FIXTURE_PACKAGE}`)).toMatch(/^\d+\n$/);
  },
  timeout,
);

test(
  'a service of another process runs there, until it is stopped',
  async () => {
    expect(await sh(`am start-foreground-service -n ${FIXTURE_PACKAGE}/.RemoteService`)).toBe(
      `Starting service: Intent { cmp=${FIXTURE_PACKAGE}/.RemoteService }\n`,
    );
    await logged(`remote service in ${REMOTE}`);
    for (const name of [FIXTURE_PACKAGE, REMOTE]) expect(await sh(`pidof ${name}`)).toMatch(/^\d+\n$/);
    expect(await sh(`am stopservice -n ${FIXTURE_PACKAGE}/.RemoteService`)).toContain('Service stopped\n');
    await logged('remote service destroyed');
    expect(await sh(`am stopservice -n ${FIXTURE_PACKAGE}/.RemoteService`)).toContain(
      'Service not stopped: was not running.\n',
    );
  },
  timeout,
);

test('services that are not there, not exported, or in the background', async () => {
  expect(await sh(`am startservice -n ${FIXTURE_PACKAGE}/.None`)).toContain(
    'Error: Not found; no service started.\n',
  );
  expect(await sh(`am startservice -n ${FIXTURE_PACKAGE}/.WorkService`)).toContain(
    'Error: Requires permission not exported from uid',
  );
  await sh(`am force-stop ${FIXTURE_PACKAGE}`);
  expect(await sh(`am startservice -n ${FIXTURE_PACKAGE}/.RemoteService`)).toContain(
    'Error: app is in background uid null\n',
  );
});

test(
  'what an app sees of the device is exact',
  async () => {
    await sh(`am force-stop ${FIXTURE_PACKAGE}`);
    await sh(`logcat -c; am start -W -n ${FIXTURE_PACKAGE}/.PartsActivity -a facts --es part facts`);
    expect(await facts()).toEqual({
      screen: '1080x2400 1080x2400 1080x2400 1080x2400 420',
      config: '411x914 port day en_US 1.0',
      space: 'true true',
      storage: 'mounted true true false true true',
      build: expect.stringMatching(/^Jugg\/Jugg Virtual Device\/\w+\/(x86_64|arm64-v8a)\/35 400$/),
      folders:
        'true DATA/files DATA/cache SHARED/Android/data/dev.jugg.fixture/files' +
        ' SHARED/Android/data/dev.jugg.fixture/files/Music SHARED/Android/data/dev.jugg.fixture/cache' +
        ' SHARED/Android/obb/dev.jugg.fixture',
      target: '33',
      // With those of Android itself, folders by their names only; what is not there is empty.
      assets:
        '[geoid_map, images, sub, top.txt, webkit][deep, file.txt][deep, file.txt][er.txt]' +
        '[android-logo-mask.png, android-logo-shine.png, clock_font.png, note.txt, progress_font.png][][]',
      library: expect.stringMatching(/PathClassLoader.*couldn't find "libof_the_app\.so"/),
    });
    // The activity is made anew, and sees what is new.
    await sh('logcat -c; wm size 1441x901; wm density 240; cmd uimode night yes');
    await expect.poll(facts, { timeout: 30_000 }).toMatchObject({
      screen: '1441x901 1441x901 1441x901 1441x901 240',
      config: '960x600 land night en_US 1.0',
    });
    await sh('wm size reset; wm density reset; cmd uimode night no');
  },
  timeout,
);

test(
  'an app reaches its other process, and its alarms come',
  async () => {
    const part = (name: string): Promise<string> =>
      sh(`logcat -c; am start -W -n ${FIXTURE_PACKAGE}/.PartsActivity -a ${name} --es part ${name}`);
    expect(await part('service')).toContain('Status: ok');
    await logged('started .RemoteService');
    await logged(`remote service in ${REMOTE}`);
    await part('receiver');
    await logged(`remote heard hello in ${REMOTE}`);
    await part('alarm');
    for (const word of ['Plain elapsed call 1', 'Plain wall call 1', 'alarm'])
      await logged(`heard ${word}\n`);
    await logged(
      `exact false Caller ${FIXTURE_PACKAGE} needs to hold android.permission.SCHEDULE_EXACT_ALARM`,
    );
    expect(await sh('logcat -d')).not.toContain('taken back');
  },
  timeout,
);

test(
  'broadcasts: named, ordered, aborted, to a new receiver of the manifest each time',
  async () => {
    const start = `am start -W -n ${FIXTURE_PACKAGE}/.PartsActivity`;
    await sh(`logcat -c; ${start} -a broadcasts --es part broadcasts`);
    await logged('ordered ended with 3 first second\n');
    await logged('heard Plain two call 1\n');
    await logged('battery 100\n');
    await logged('heard Many near call 1\n');
    const heard = (await sh('logcat -d -v raw -s Fixture')).match(/^heard .*/gm);
    expect(heard?.toSorted()).toEqual([
      'heard Many near call 1',
      'heard Plain one call 1',
      'heard Plain two call 1',
    ]);
    expect(await sh(`am broadcast -n '${FIXTURE_PACKAGE}/.Heard$Later' --es word shell`)).toContain(
      'Broadcast completed: result=7, data="later shell"\n',
    );
    const kinds =
      "--esa a 'x,y\\,z' --esal b x,y --eia c 1,0x10 --eial d 1,2 --ela e 3,4 --efa f 1.5,2 --edal g 1.5 --ed h 2.5 " +
      '--eu i content://a/1 --ecn j a/.B --esn k --ez l T --ei m 0x10';
    expect(await sh(`am broadcast -n '${FIXTURE_PACKAGE}/.Heard$Later' ${kinds}`)).toContain(
      'data="later String[] x|y\\,z; ArrayList [x, y]; int[] 1|16; ArrayList [1, 2]; long[] 3|4; float[] 1.5|2.0; ' +
        'ArrayList [1.5]; Double 2.5; StringUri content://a/1; ComponentName ComponentInfo{a/a.B}; none null; ' +
        'Boolean true; Integer 16; "\n',
    );
    expect(await sh(`am broadcast -a a --eia c 1,x 2>&1`)).toContain('For input string: "x"');
    await sh(`logcat -c; am broadcast -a dev.jugg.fixture.MORE -p ${FIXTURE_PACKAGE} --es word shell`);
    await logged('heard Many shell call 1\n');
    // A foreground one has ten seconds (FLAG_RECEIVER_FOREGROUND); those behind it come then.
    void sh(`am broadcast -f 0x10000000 -n '${FIXTURE_PACKAGE}/.Heard$Never'`);
    await sh(`am broadcast -n '${FIXTURE_PACKAGE}/.Heard$Plain' --es word behind`);
    await logged('heard Plain behind call 1\n');
    await logged('Timeout of broadcast Intent');
    await sh(`am broadcast -a dev.jugg.fixture.MORE --es word nobody`);
    expect(await sh('logcat -d')).not.toContain('nobody call');
  },
  timeout,
);

test(
  'an activity turns the screen, and is told of a turn or made again',
  async () => {
    const start = (name: string, more = ''): Promise<string> =>
      sh(`am start -W -n '${FIXTURE_PACKAGE}/.TurnActivity${name}' ${more}`);
    const turns = async (...wanted: string[]): Promise<void> => {
      // Of the one in front: those behind it may hear of a turn as long as they are seen.
      const name = wanted[0]?.split(' ')[0] ?? '';
      const said = async (): Promise<unknown> =>
        (await sh('logcat -d -v raw -s Fixture')).match(new RegExp(`^turn ${name} .*`, 'gm'));
      await expect.poll(said, { timeout: 30_000 }).toEqual(wanted.map((each) => `turn ${each}`));
    };
    const size = async (): Promise<string | undefined> =>
      /cur=(\w+)/.exec(await sh('dumpsys window displays'))?.[1];
    await sh('input keyevent HOME; logcat -c');
    await start('');
    await sh('cmd window user-rotation lock 1');
    await turns('TurnActivity made high', 'TurnActivity told wide');
    await sh('cmd window user-rotation lock 0');
    await turns('TurnActivity made high', 'TurnActivity told wide', 'TurnActivity told high');
    await sh('logcat -c');
    await start('', '--ei orientation 0');
    await turns('TurnActivity told wide');
    expect(await size()).toBe('2400x1080');
    await start('', '--ei orientation -1');
    await expect.poll(size).toBe('1080x2400');

    await sh('logcat -c');
    await start('$Wide');
    await turns('Wide made wide');
    await expect.poll(size).toBe('2400x1080');
    await sh('input keyevent BACK');
    await expect.poll(size).toBe('1080x2400');

    await sh('logcat -c');
    await start('$Made');
    await sh('cmd window user-rotation lock 1');
    await turns('Made made high', 'Made made wide');
    await sh('cmd window user-rotation lock 0; input keyevent HOME');
  },
  timeout,
);

test(
  'settings are those of the device, which says who may change them',
  async () => {
    await sh(
      'settings put secure jugg_test before; settings put global animator_duration_scale 0; logcat -c',
    );
    await sh(`am start -W -n ${FIXTURE_PACKAGE}/.PartsActivity -a settings --es part settings`);
    await logged('setting 6a75676700000001 1 1.0 before animators false\n');
    await logged('setting not found no_such_setting\n');
    await logged(
      'setting Permission denial: writing to settings requires:android.permission.WRITE_SECURE_SETTINGS',
    );
    await sh('settings put secure jugg_test after');
    await logged('setting changed to after\n');
    await sh('settings delete secure jugg_test; settings put global animator_duration_scale 1.0');
    await logged('setting changed to null\n');
  },
  timeout,
);

test(
  'jobs run when it is time, or when the shell says so',
  async () => {
    await sh(`logcat -c; am start -W -n ${FIXTURE_PACKAGE}/.PartsActivity -a jobs --es part jobs`);
    await logged('job 3 pending, the third true\n');
    await logged('does not require android.permission.BIND_JOB_SERVICE permission\n');
    await logged('job 1 started\n');
    await logged('job 2 started\n');
    await logged('job service destroyed\n');
    expect(await sh('logcat -d')).not.toMatch(/job [34] started/);
    expect(await sh(`cmd jobscheduler run -f ${FIXTURE_PACKAGE} 3`)).toBe('Running job [FORCED]\n');
    await logged('job 3 started\n');
    await expect
      .poll(() => sh(`cmd jobscheduler run ${FIXTURE_PACKAGE} 3; echo $?`), { timeout: 30_000 })
      .toBe(`Could not find job 3 in package ${FIXTURE_PACKAGE} / user 0\n23\n`);
  },
  timeout,
);

test(
  'hardware that is there in name only harms nobody',
  async () => {
    const start = `am start -W -n ${FIXTURE_PACKAGE}/.PartsActivity`;
    await sh(`logcat -c; ${start} -a hardware --es part hardware`);
    await logged('hardware of a newer Android');
    const lines = (await sh('logcat -d -v raw -s Fixture')).match(/^hardware .*/gm);
    expect(lines).toMatchInlineSnapshot(`
      [
        "hardware sound effect: played",
        "hardware volume: true",
        "hardware player: made",
        "hardware pool: made",
        "hardware tone: made",
        "hardware wifi: there",
        "hardware bluetooth: there",
        "hardware connectivity: there",
        "hardware phone: there",
        "hardware location: there",
        "hardware sensor: there",
        "hardware camera: there",
        "hardware nfc: there",
        "hardware vibrator: there",
        "hardware usb: there",
        "hardware wallpaper: there",
        "hardware clipboard: there",
        "hardware cookies: a=b",
        "hardware of a newer Android: java.lang.ClassNotFoundException: android.net.wifi.BlockingOption",
      ]
    `);
  },
  timeout,
);

async function facts(): Promise<Record<string, string>> {
  const text = await sh('logcat -d -v raw -s Fixture');
  return Object.fromEntries(
    [...text.matchAll(/^fact (\w+): (.*)$/gm)].map(([, kind = '', what = '']) => [kind, what]),
  );
}

test(
  'an activity is seen over the lock screen, turns the screen on, and has it unlocked',
  async () => {
    const start = `am start -n ${FIXTURE_PACKAGE}/.LockActivity`;
    const policy = (): Promise<string> => sh('dumpsys window policy');
    await sh(`locksettings set-disabled false; logcat -c; ${start} -W`);
    await logged('lock created on\n');
    await sh('input keyevent SLEEP');
    await logged('lock SCREEN_OFF off locked\n');
    await logged('lock stopped');
    await sh('logcat -c; input keyevent WAKEUP');
    await logged('lock SCREEN_ON on locked\n');
    await logged('lock resumed');
    expect(await policy()).toMatch(/showing=true\s+showingAndNotOccluded=false[^]*occluded=true/);
    expect(await sh('uiautomator dump /dev/tty')).toContain(`package="${FIXTURE_PACKAGE}"`);

    // Whose start turns the screen on.
    await sh(`input keyevent HOME SLEEP; ${start}`);
    await expect.poll(() => sh('dumpsys power'), { timeout: 60_000 }).toContain('mWakefulness=Awake');
    await sh(`logcat -c; ${start} -a dismiss`);
    await logged('lock USER_PRESENT on\n');
    await logged('lock dismissal succeeded');
    await sh(`logcat -c; ${start} -a dismiss`);
    await logged('lock dismissal error');

    await sh(`locksettings set-pin 1234; input keyevent SLEEP WAKEUP; logcat -c; ${start} -a state`);
    await logged('lock state on locked device-locked secure device-secure\n');
    const lockScreen = /package="com\.android\.systemui"/;
    const dump = (): Promise<string> => sh('uiautomator dump /dev/tty');
    await sh(`${start} -a dismiss`);
    await expect.poll(dump, { timeout: 60_000 }).toMatch(lockScreen);
    await sh('input keyevent BACK');
    await logged('lock dismissal cancelled');
    // No longer to be seen; by a flag of its window it is again.
    await sh(`${start} -a hide`);
    await logged('lock stopped');
    expect(await dump()).toMatch(lockScreen);
    await sh(`logcat -c; ${start} -a flag`);
    await logged('lock resumed');
    await sh(`${start} -a dismiss`);
    await expect.poll(dump, { timeout: 60_000 }).toMatch(lockScreen);
    await sh('input text 1234; input keyevent ENTER');
    await logged('lock dismissal succeeded');
    expect(await policy()).toContain('showing=false');
    await sh('locksettings clear --old 1234; locksettings set-disabled true');
  },
  timeout,
);

test(
  'an abort of native code is in the log, and the process is gone',
  async () => {
    const pid = (await sh(`pidof ${FIXTURE_PACKAGE}`)).trim();
    await sh(`am start -n ${FIXTURE_PACKAGE}/.PartsActivity -a abort --es part abort`);
    await logged(`Fatal signal 6 (SIGABRT), code -6 (SI_TKILL) in tid ${pid}`);
    await logged(`>>> ${FIXTURE_PACKAGE} <<<`);
    expect(await sh(`pidof ${FIXTURE_PACKAGE}`)).toBe('');
    // The other process of the app lives on.
    expect(await sh(`pidof ${REMOTE}`)).toMatch(/^\d+\n$/);
  },
  timeout,
);

test(
  'a task whose process is killed in the background comes back with what it saved',
  async () => {
    const main = `${FIXTURE_PACKAGE}/.MainActivity`;
    await sh(`am force-stop ${FIXTURE_PACKAGE}`);
    await sh(`am start -W -n ${main} --ei start 3`);
    await sh('uiautomator dump /sdcard/w.xml');
    const [, x = 0, y = 0] =
      /resource-id="[^"]*:id\/next"[^>]*bounds="\[(\d+),(\d+)\]/.exec(await sh('cat /sdcard/w.xml')) ?? [];
    await sh(`input tap ${Number(x) + 5} ${Number(y) + 5}`);
    expect(await texts()).toContain('SECOND, N=3');
    const pid = await sh(`pidof ${FIXTURE_PACKAGE}`);
    // In front, it is not killed.
    await sh(`am kill ${FIXTURE_PACKAGE}`);
    expect(await sh(`pidof ${FIXTURE_PACKAGE}`)).toBe(pid);
    await sh('input keyevent KEYCODE_HOME');
    await sh(`am kill ${FIXTURE_PACKAGE}`);
    expect(await sh(`pidof ${FIXTURE_PACKAGE}`)).toBe('');

    const back = await sh(`am start -W -n ${main} --ei start 3`);
    expect(back).toContain('its current task has been brought to the front');
    expect(back).toContain('LaunchState: COLD');
    expect(await sh(`pidof ${FIXTURE_PACKAGE}`)).not.toBe(pid);
    expect(await texts()).toContain('SECOND, N=3');
    await sh('input keyevent BACK');
    expect(await texts()).toContain('Count: 3');

    // What is stopped by force begins anew.
    await sh('input keyevent KEYCODE_HOME');
    await sh(`am force-stop ${FIXTURE_PACKAGE}`);
    expect(await sh(`am start -n ${main}`)).not.toContain('brought to the front');
    expect(await texts()).toContain('Count: 0');
  },
  timeout,
);

test(
  'what an app needs and the device lacks is named',
  async () => {
    await sh(`am start -W -n ${FIXTURE_PACKAGE}/.PartsActivity -a providers --es part providers`);
    await logged(
      'type text/plain query null insert Unknown URL content://nobody/x call Unknown authority nobody',
    );
    await logged('There is no content provider for nobody on the virtual device.');
    // Nobody listens to accessibility events; to send them harms nobody.
    await sh(`am start -W -n ${FIXTURE_PACKAGE}/.PartsActivity -a accessibility --es part accessibility`);
    await logged('accessibility false false 0');
    await sh(`am start -W -n ${FIXTURE_PACKAGE}/.PartsActivity -a newer --es part newer`);
    await logged('The app needs android.app.OfTomorrow, which is not in the virtual device');
  },
  timeout,
);

async function texts(): Promise<string[]> {
  await sh('uiautomator dump /sdcard/w.xml');
  const xml = await sh('cat /sdcard/w.xml');
  return [...xml.matchAll(/ text="([^"]+)"/g)].map(([, text = '']) => text);
}
