import { execFile } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FIXTURE_PACKAGE } from '../app-process/fixture-apk.ts';
import { Logd } from '../../src/system/logd.ts';
import { directClient, value } from '../support/direct.ts';
import { startFixtureDevice } from '../support/fixture-device.ts';
import type { FixtureDevice } from '../support/fixture-device.ts';
import { startTestDevice } from '../support/test-device.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let fixture: FixtureDevice;
let client: FixtureDevice['client'];
let sh: FixtureDevice['sh'];

beforeAll(async () => {
  fixture = await startFixtureDevice({ running: true });
  ({ client, sh } = fixture);
});
afterAll(() => fixture.stop());

async function node(id: string): Promise<{ text: string; x: number; y: number }> {
  await sh('uiautomator dump /sdcard/w.xml');
  const xml = await sh('cat /sdcard/w.xml');
  const found = new RegExp(
    `text="([^"]*)" resource-id="[^"]*:id/${id}"[^>]*bounds="\\[(\\d+),(\\d+)\\]\\[(\\d+),(\\d+)\\]`,
  ).exec(xml);
  const [left = 0, top = 0, right = 0, bottom = 0] = (found ?? []).slice(2).map(Number);
  return { text: found?.[1] ?? '', x: Math.round((left + right) / 2), y: Math.round((top + bottom) / 2) };
}

describe('input', () => {
  test('motion events, one by one, are a tap', async () => {
    const { x, y } = await node('count');
    await sh(`input motionevent DOWN ${x} ${y}; input motionevent UP ${x} ${y}`);
    expect((await node('title')).text).toBe('Count: 1');
    await sh(
      `input motionevent DOWN ${x} ${y}; input motionevent CANCEL ${x} ${y}; input motionevent UP ${x} ${y}`,
    );
    expect((await node('title')).text).toBe('Count: 1');
    expect((await client.sh('input motionevent FLY 1 2')).stderr).toContain('Unknown action: FLY');
  });

  test('an app sees a finger while it is down, and a drag begins with a long press', async () => {
    await sh(`am start -W -n ${FIXTURE_PACKAGE}/.TouchActivity`);
    const seen = async (): Promise<string> =>
      /text="(- ?[^"]*)"/.exec((await sh('uiautomator dump /dev/tty')) || '')?.[1] ?? '';
    try {
      expect(await seen()).toBe('-');
      await sh('input motionevent DOWN 500 900');
      expect(await seen()).toBe('- DOWN');
      await sh('input motionevent MOVE 500 1000; input motionevent MOVE 500 1100');
      expect(await seen()).toBe('- DOWN MOVE');
      await sh('input motionevent UP 500 1100');
      // The end of a gesture, and nothing after it.
      await sh('input motionevent UP 500 1100; input motionevent MOVE 500 1200');
      expect(await seen()).toBe('- DOWN MOVE UP');
      await sh('input draganddrop 500 900 500 1000 200');
      expect(await seen()).toBe('- DOWN MOVE UP DOWN LONG MOVE UP');
      await sh('input swipe 500 900 500 1000 100');
      expect(await seen()).toBe('- DOWN MOVE UP DOWN LONG MOVE UP DOWN MOVE UP');
    } finally {
      await sh('input keyevent BACK');
    }
  });

  test('keys together: a letter with SHIFT is a capital, with CTRL a shortcut', async () => {
    const { x, y } = await node('input');
    await sh(`input tap ${x} ${y}; input text hello`);
    await sh('input keycombination SHIFT_LEFT A');
    expect((await node('input')).text).toBe('helloA');
    expect(await sh('dumpsys input_method')).toContain('mInputShown=true');
    expect(await sh('dumpsys window windows')).toMatch(
      /Window\{\w+ u0 InputMethod\}:[^#]* ty=INPUT_METHOD\}[^#]* frame=\[0,\d+\]\[1080,2400\][^#]*isVisible=true/,
    );
    // The first BACK is the keyboard's.
    await sh('input keyevent BACK');
    expect(await sh('dumpsys input_method')).toContain('mInputShown=false');
    expect(await sh('dumpsys window windows')).not.toContain('InputMethod');
    expect((await node('input')).text).toBe('helloA');
    expect((await client.sh('input keycombination A')).exitCode).toBe(255);
    expect((await client.sh('input keycombination CTRL_LEFT NOKEY')).stderr).toContain(
      'Unknown keycode: NOKEY',
    );
    // With CTRL the letter is none: everything is selected, and the next key takes its place.
    await sh('input keycombination CTRL_LEFT A; input keyevent B');
    expect((await node('input')).text).toBe('b');
    expect((await client.sh('input roll 0 1')).exitCode).toBe(0);
    expect((await client.sh('input roll')).exitCode).toBe(255);
  });
});

describe('screen off and lock', () => {
  test('what is in front is stopped, and comes back when it is seen again', async () => {
    // As on a device, commands do not wait for what the activities make of it.
    const activities = (): Promise<string> => sh('dumpsys activity activities');
    const patient = { timeout: 30_000 };
    const resumed = /(mResumedActivity|topResumedActivity)=.*MainActivity/;
    const typed = (await node('input')).text;
    await sh('input keyevent SLEEP');
    await expect.poll(activities, patient).not.toMatch(resumed);
    await expect.poll(activities, patient).toContain('state=STOPPED');
    expect((await client.sh('uiautomator dump')).stderr).toContain('null root node');
    await sh('locksettings set-disabled false; input keyevent SLEEP; input keyevent WAKEUP');
    await expect.poll(activities, patient).toContain('state=STOPPED');
    await sh('wm dismiss-keyguard');
    await expect.poll(activities, patient).toMatch(resumed);
    expect((await node('input')).text).toBe(typed);
    await sh('locksettings set-disabled true');
  });
});

describe('dumps of what runs', () => {
  test('memory and processor time come from the host', async () => {
    const memory = await sh(`dumpsys meminfo ${FIXTURE_PACKAGE}`);
    expect(Number(/TOTAL PSS: +(\d+)/.exec(memory)?.[1])).toBeGreaterThan(50_000);
    expect(memory).toMatch(/\*\* MEMINFO in pid \d+ \[dev\.jugg\.fixture\] \*\*/);
    expect(await sh('dumpsys meminfo')).toContain(FIXTURE_PACKAGE);
    expect(await sh('dumpsys meminfo none')).toBe('No process found for: none\n');
    expect(await sh('dumpsys cpuinfo')).toMatch(/% \d+\/dev\.jugg\.fixture: [\d.]+% user \+ [\d.]+% kernel/);
  });

  test('the display and what is on it', async () => {
    expect(await sh('dumpsys SurfaceFlinger --display-id')).toMatch(/^Display \d+ \(HWC display 0\): port=0/);
    expect(await sh('dumpsys SurfaceFlinger --list')).toContain(
      `${FIXTURE_PACKAGE}/${FIXTURE_PACKAGE}.MainActivity#`,
    );
    await sh('wm size 400dpx800dp');
    expect(await sh('wm size')).toContain('Override size: 1050x2100');
    await sh('wm size reset');
  });
});

describe('screenrecord', () => {
  test('a real video, or a word about what it needs', async () => {
    const done = await client.sh('screenrecord --time-limit 1 /sdcard/v.mp4', { timeoutMs: 60_000 });
    const probe = await new Promise<string | null>((resolve) => {
      execFile('ffprobe', ['-version'], (error) => resolve(error ? 'no ffprobe' : null));
    });
    if (probe !== null) {
      expect(done.stderr).toContain('needs ffmpeg');
      return;
    }
    expect(done).toEqual({ stdout: '', stderr: '', exitCode: 0 });
    const folder = await mkdtemp(join(tmpdir(), 'screenrecord-'));
    const file = join(folder, 'v.mp4');
    value(await client.adb.pullFile('/sdcard/v.mp4', file));
    const entries = 'stream=codec_name,width,height,nb_read_frames';
    const args = ['-v', 'error', '-count_frames', '-show_entries', entries, '-of', 'csv=p=0', file];
    const told = await new Promise<string>((resolve) => {
      execFile('ffprobe', args, (_error, stdout) => resolve(stdout));
    });
    expect(told.trim()).toBe('h264,1080,2400,5');
    await rm(folder, { recursive: true });
  });

  test('it is ended by name, and the file is whole', async () => {
    const recording = client.sh('screenrecord /sdcard/v.mp4', { timeoutMs: 60_000 });
    const state = { ended: false };
    const ends = async (): Promise<void> => {
      await recording;
      state.ended = true;
    };
    void ends();
    // Without ffmpeg it ends by itself.
    await expect.poll(async () => state.ended || (await sh('pidof screenrecord')) !== '').toBe(true);
    const killed = await client.sh('killall -INT screenrecord');
    const done = await recording;
    if (done.stderr.includes('needs ffmpeg')) return;
    expect(killed).toEqual({ stdout: '', stderr: '', exitCode: 0 });
    expect(done).toEqual({ stdout: '', stderr: '', exitCode: 0 });
    // The index of a video that was cut off would be missing.
    const video = value(await client.adb.pull('/sdcard/v.mp4'));
    expect([video.length, video.includes('moov')]).toEqual([video.length, true]);
    expect(await sh('pidof screenrecord')).toBe('');
  });

  test('what it does not take', async () => {
    expect((await client.sh('screenrecord')).exitCode).toBe(2);
    expect((await client.sh('screenrecord --time-limit 500 /sdcard/v.mp4')).stderr).toContain(
      'outside acceptable range',
    );
    expect((await client.sh('screenrecord --time-limit 1 /system/v.mp4')).exitCode).toBe(1);
  });
});

describe('settings through content, and app ops', () => {
  test('rows are read, made and removed', async () => {
    await sh(`content insert --uri content://settings/secure --bind name:s:jugg --bind 'value:s:a\\:b'`);
    expect(await sh('settings get secure jugg')).toBe('a:b\n');
    expect(
      await sh(`content query --uri content://settings/secure --projection name:value --where "name='jugg'"`),
    ).toBe('Row: 0 name=jugg, value=a:b\n');
    await sh(`content delete --uri content://settings/secure --where "name='jugg'"`);
    expect(await sh(`content query --uri content://settings/secure --where "name='jugg'"`)).toBe(
      'No result found.\n',
    );
    expect((await client.sh('content query --uri content://sms')).stderr).toContain(
      'Could not find provider: sms',
    );
  });

  test('operations are kept', async () => {
    await sh(`cmd appops set ${FIXTURE_PACKAGE} CAMERA ignore`);
    expect(await sh(`appops get ${FIXTURE_PACKAGE} CAMERA`)).toBe('CAMERA: ignore\n');
    expect((await client.sh(`appops set ${FIXTURE_PACKAGE} CAMERA maybe`)).stderr).toBe(
      'Error: Mode maybe is not valid\n',
    );
    await sh(`appops reset ${FIXTURE_PACKAGE}`);
    expect(await sh(`appops get ${FIXTURE_PACKAGE}`)).toBe('No operations.\n');
  });
});

describe('logcat', () => {
  test('binary records, and buffers of another size', async () => {
    await sh('logcat -c; log -p w -t Bin twice');
    const raw = value(await client.adb.exec('logcat -B -d -s Bin'));
    const header = raw.readUInt16LE(2);
    expect([raw.length, header, raw.readUInt8(header)]).toEqual([header + raw.readUInt16LE(0), 28, 5]);
    expect(raw.subarray(header + 1).toString()).toBe('Bin\0twice\0');
    await sh('logcat -b main -G 64K');
    expect(await sh('logcat -b main -g')).toContain('main: ring buffer is 64 KiB');
    expect((await client.sh('logcat -G 5')).stderr).toContain('must be a size');
    await sh("for n in $(seq 1 3000); do log -t Many 'a line of some length to fill the ring'; done");
    const lines = (await sh('logcat -b main -d -s Many')).split('\n').length;
    expect(lines).toBeGreaterThan(500);
    expect(lines).toBeLessThan(2000);
  });

  test('equal lines are counted until Android 11', async () => {
    const old = await startTestDevice({ api: 29 });
    const other = await directClient(old.port);
    await other.sh('for n in 1 2 3 4 5; do log -t Same again; done; log -t Same other');
    const { stdout } = await other.sh('logcat -d -v tag');
    expect(stdout.replace(/^-+.*\n/gm, '')).toMatch(
      /I\/Same *: again\nI\/chatty *: uid=2000 identical 3 lines\nI\/Same *: again\nI\/Same *: other\n$/,
    );
    other.close();
    await old.stop();
  });

  test('until Android 11 the one who writes most loses lines first, and they are counted', () => {
    const logd = new Logd(true);
    logd.resize('main', 10_000);
    const entry = { timeMs: 0, pid: 1, tid: 1, priority: 'I', buffer: 'main' } as const;
    logd.write({ ...entry, uid: 1000, tag: 'Quiet', message: 'the first of all' });
    for (let line = 0; line < 500; line++)
      logd.write({ ...entry, uid: 10_007, tag: 'Loud', message: `line ${line} of a flood of them` });
    const messages = logd.read(new Set(['main'])).map(({ message }) => message);
    expect(messages[0]).toBe('the first of all');
    const expired = Number(/^uid=10007 expire (\d+) lines$/.exec(messages[1] ?? '')?.[1]);
    expect(messages.at(-1)).toBe('line 499 of a flood of them');
    expect(expired + messages.length - 2).toBe(500);
    expect(logd.sizeOf('main')).toBeLessThanOrEqual(10_000);
  });
});

describe('runtime permissions', () => {
  const CONTACTS = 'android.permission.READ_CONTACTS';
  const CONTROLLER = 'com.android.permissioncontroller';

  async function tap(idOrText: string): Promise<void> {
    const said = await sh('uiautomator dump /sdcard/w.xml');
    const xml = await sh('cat /sdcard/w.xml');
    const found = new RegExp(`"(?:[^"]*:id/)?${idOrText}"[^>]*bounds="\\[(\\d+),(\\d+)\\]`).exec(xml);
    expect(found, `${idOrText} on the screen: ${said} ${xml}`).not.toBeNull();
    await sh(`input tap ${Number(found?.[1]) + 5} ${Number(found?.[2]) + 5}`);
  }

  test('the system asks in a window of its own, and the app gets the answer', async () => {
    await sh(`am start -W -n ${FIXTURE_PACKAGE}/.AskActivity`);
    await tap('contacts and camera');
    expect(await sh('dumpsys window displays')).toContain(
      `${CONTROLLER}/${CONTROLLER}.permission.ui.GrantPermissionsActivity`,
    );
    await sh('uiautomator dump /sdcard/w.xml');
    const xml = await sh('cat /sdcard/w.xml');
    expect(xml).toContain(`resource-id="${CONTROLLER}:id/permission_deny_button"`);
    expect(xml).toContain('Allow Fixture to access your contacts?');
    expect(xml).not.toContain(`package="${FIXTURE_PACKAGE}"`);
    await tap('permission_deny_button');
    await tap('permission_allow_foreground_only_button');
    expect((await node('text1')).text).toBe('result 7 READ_CONTACTS=no CAMERA=yes');
    expect(await sh(`dumpsys package ${FIXTURE_PACKAGE}`)).toContain(
      'android.permission.CAMERA: granted=true',
    );
    // What is granted, and what the manifest does not name, is answered without a question.
    await tap('undeclared');
    expect((await node('text1')).text).toBe('result 9 RECORD_AUDIO=no');
  });

  test('who refuses twice is not asked again', async () => {
    await tap('contacts');
    await tap('permission_deny_and_dont_ask_again_button');
    await tap('check');
    expect((await node('text1')).text).toBe('contacts -1 camera 0 explain false');
    await tap('contacts');
    expect((await node('text1')).text).toBe('result 8 READ_CONTACTS=no');
  });

  test('flags of permissions are kept and told, and decide who is asked', async () => {
    const change = (what: string): Promise<string> => sh(`pm ${what} ${FIXTURE_PACKAGE} ${CONTACTS}`);
    const flags = async (): Promise<string | undefined> =>
      /READ_CONTACTS: (.*)/.exec(await sh(`dumpsys package ${FIXTURE_PACKAGE}`))?.[1];
    expect(await flags()).toBe('granted=false, flags=[ USER_FIXED]');
    const pm = (verb: string, names: string): string =>
      `pm ${verb}-permission-flags ${FIXTURE_PACKAGE} ${CONTACTS} ${names}`;
    await sh(`${pm('clear', 'user-fixed')}; ${pm('set', 'review-required user-set')}`);
    expect(await flags()).toBe('granted=false, flags=[ USER_SET|REVIEW_REQUIRED]');
    // As if the user had refused once.
    await tap('check');
    expect((await node('text1')).text).toBe('contacts -1 camera 0 explain true');
    await tap('contacts');
    await tap('permission_deny_and_dont_ask_again_button');
    expect(await flags()).toBe('granted=false, flags=[ USER_FIXED|REVIEW_REQUIRED]');
    const { stderr, exitCode } = await client.sh(pm('set', 'fixed'));
    expect([exitCode, stderr]).toEqual([
      1,
      'Error: specified flag fixed is not one of [review-required, revoked-compat, revoke-when-requested, user-fixed, user-set]\n',
    ]);
    await change('grant');
    expect(await flags()).toBe('granted=true, flags=[ REVIEW_REQUIRED]');
    await sh(pm('clear', 'review-required'));
    expect(await flags()).toBe('granted=true');
  });

  test('pm grant is seen at once; pm revoke ends the process', async () => {
    await sh(`pm grant ${FIXTURE_PACKAGE} ${CONTACTS}`);
    await tap('check');
    expect((await node('text1')).text).toBe('contacts 0 camera 0 explain false');
    await sh(`pm revoke ${FIXTURE_PACKAGE} ${CONTACTS}`);
    expect(await sh(`pidof ${FIXTURE_PACKAGE}`)).toBe('');
    expect(await sh('logcat -d -b all')).toContain('(adj 0): permissions revoked');
  });

  test('pm reset-permissions takes all that was granted, and ends the process that had it', async () => {
    await sh(`am start -W -n ${FIXTURE_PACKAGE}/.AskActivity`);
    await sh('pm reset-permissions');
    expect(await sh(`pidof ${FIXTURE_PACKAGE}`)).toBe('');
    await sh(`am start -W -n ${FIXTURE_PACKAGE}/.AskActivity`);
    await tap('check');
    expect((await node('text1')).text).toBe('contacts -1 camera -1 explain false');
  });
});
