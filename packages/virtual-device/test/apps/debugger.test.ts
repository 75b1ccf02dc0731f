import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { FIXTURE_PACKAGE } from '../app-process/fixture-apk.ts';
import { javaHome } from '../app-process/local-tools.ts';
import { FIXTURE_MAIN, startFixtureDevice } from '../support/fixture-device.ts';
import type { FixtureDevice } from '../support/fixture-device.ts';
import { adbMissing, startRealAdb } from '../support/real-adb.ts';
import type { RealAdb } from '../support/real-adb.ts';

const missing = await adbMissing();

describe.skipIf(missing !== null)(
  `through adb's jdwp:<pid>${missing ? ` (skipped: ${missing})` : ''}`,
  () => {
    let fixture: FixtureDevice;
    let adb: RealAdb;
    beforeAll(async () => {
      [fixture, adb] = await Promise.all([startFixtureDevice({ running: true }), startRealAdb()]);
      await adb.run(['connect', fixture.vd.serial]);
    }, 300_000);
    afterAll(async () => {
      await adb.stop();
      await fixture.stop();
    });

    const pidOf = async (): Promise<string> => (await fixture.sh(`pidof ${FIXTURE_PACKAGE}`)).trim();
    const forward = async (pid: string): Promise<number> =>
      Number((await adb.run(['-s', fixture.vd.serial, 'forward', 'tcp:0', `jdwp:${pid}`])).stdout);

    test('jdb stops at a breakpoint, sees variables and goes on; the app is not taken for hanging', async () => {
      const jdb = await Jdb.attach(await forward(await pidOf()));
      jdb.say('stop in dev.jugg.fixture.MainActivity.onSaveInstanceState');
      await jdb.hears('Set breakpoint');
      const home = fixture.sh('input keyevent HOME');
      await jdb.hears('Breakpoint hit');
      jdb.say('print this.count');
      await jdb.hears('this.count = 0');
      jdb.say('set this.count = 7');
      await jdb.hears('this.count = 7 = 7');
      jdb.say('clear dev.jugg.fixture.MainActivity.onSaveInstanceState');
      jdb.say('cont');
      await home;
      jdb.say('exit');
      expect(await jdb.ended).toBe(0);
      await fixture.sh(`am start -W -n ${FIXTURE_MAIN}`);
      expect(await fixture.sh('uiautomator dump /dev/tty')).toContain(FIXTURE_PACKAGE);
      expect(await fixture.sh('logcat -d -b all')).not.toContain('ANR in');
    }, 120_000);

    test('a second debugger is refused while one is there, and welcome after it', async () => {
      const port = await forward(await pidOf());
      const first = await Jdb.attach(port);
      const second = Jdb.start(port);
      await second.hears('Unable to attach to target VM');
      await second.ended;
      first.say('exit');
      await first.ended;
      const third = await Jdb.attach(port);
      third.say('exit');
      expect(await third.ended).toBe(0);
    }, 120_000);
  },
);

/** The JDK's debugger, on a terminal that a test reads. */
class Jdb {
  readonly ended: Promise<number | null>;
  readonly #child;
  #heard = '';

  private constructor(program: string, port: number) {
    this.#child = spawn(program, ['-attach', `127.0.0.1:${port}`], { stdio: 'pipe' });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream.on('data', (data: Buffer) => (this.#heard += data.toString('utf8')));
    this.#child.stdin.on('error', () => {});
    this.ended = new Promise((resolve) => this.#child.once('close', resolve));
  }

  static start(port: number): Jdb {
    return new Jdb(join(home, 'bin', 'jdb'), port);
  }

  static async attach(port: number): Promise<Jdb> {
    const jdb = Jdb.start(port);
    await jdb.hears('>');
    return jdb;
  }

  say(command: string): void {
    this.#child.stdin.write(`${command}\n`);
  }

  /** Waits for a text behind the one that was waited for before. */
  async hears(text: string): Promise<void> {
    await vi.waitFor(
      () => {
        if (!this.#heard.includes(text)) throw new Error(`jdb did not say "${text}" but: ${this.#heard}`);
      },
      { timeout: 30_000 },
    );
    this.#heard = this.#heard.slice(this.#heard.indexOf(text) + text.length);
  }
}

const home = await javaHome();
