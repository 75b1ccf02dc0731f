import { randomBytes } from 'node:crypto';
import { spawn } from 'node:child_process';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { adbClient } from './adb.mjs';
import { cpuMs, family, memoryMb } from './processes.mjs';
import { report, time } from './stats.mjs';

/** Start of the virtual device, launch of the sample until its first text is found, reads and touches. */
export async function benchDevice({ jugg, project, folder }) {
  const adb = await adbClient(folder);
  const starts = [];
  for (let run = 0; run < 4; run += 1) {
    const started = performance.now();
    await jugg.ok('vd', 'start', '--name', `bench${run}`);
    if (run > 0) starts.push(performance.now() - started);
    await jugg.ok('vd', 'stop', `bench${run}`);
  }
  report('jugg vd start, until adb can see it', starts, { target: 1000 });
  await jugg.ok('vd', 'start', '--name', 'bench');
  await jugg.ok('deploy', '--project-dir', project);
  const find = () => jugg.call('view-locate', { projectDir: project, target: { resourceId: 'count' } });
  const restart = async () => {
    const done = await jugg.call('restart', { projectDir: project });
    if (done.status !== 'OK') throw new Error(done.message);
    for (let found = await find(); found.status !== 'OK'; found = await find())
      if (found.errorCode !== 'ELEMENT_NOT_FOUND') throw new Error(found.message);
  };
  // A spare process needs its time to come back after each start.
  const times = [];
  for (let run = 0; run < 8; run += 1) {
    await new Promise((resolve) => setTimeout(resolve, 4000));
    const started = performance.now();
    await restart();
    if (run > 0) times.push(performance.now() - started);
  }
  report('restart from a spare process until a text is found', times, { target: 500 });
  report('restart again at once, no spare', await time(4, restart), { target: 4000 });
  report('view-locate', await time(20, find, 3));
  report('screenshot', await time(10, () => jugg.call('screenshot', { projectDir: project }), 2));
  report(
    'tap, until the change was seen',
    await time(10, () => jugg.call('tap', { projectDir: project, target: { resourceId: 'add' } }), 2),
  );
  await bigTree({ jugg, project });
  await overAdb({ jugg, adb });
  await jugg.ok('vd', 'stop', 'bench');
  await jugg.ok('stop');
  await sideBySide({ jugg, adb });
}

/** A screen of some 500 views: the whole way, and what of it is the app's main thread. */
async function bigTree({ jugg, project }) {
  const layout = join(project, 'app/src/main/res/layout/activity_main.xml');
  const before = await readFile(layout, 'utf8');
  const row = `<LinearLayout android:layout_width="match_parent" android:layout_height="wrap_content">${'<TextView android:layout_width="40dp" android:layout_height="wrap_content" android:text="view"/>'.repeat(7)}</LinearLayout>`;
  await writeFile(
    layout,
    before.replace(/<\/LinearLayout>\s*<\/ScrollView>\s*$/, (end) => `${row.repeat(60)}${end}`),
  );
  await jugg.ok('deploy', '--project-dir', project);
  const inside = [];
  let nodes = 0;
  const dump = async () => {
    const { status, message, data } = await jugg.call('layout-dump', { projectDir: project, format: 'text' });
    if (status !== 'OK') throw new Error(message);
    inside.push(data.mainThreadMs);
    nodes = data.nodes;
  };
  const times = await time(20, dump, 10);
  report(`layout-dump of ${nodes} nodes`, times);
  report(`  of it on the app's main thread`, inside.slice(10), { target: 5 });
  await writeFile(layout, before);
  await jugg.ok('deploy', '--project-dir', project);
}

const SAMPLE = 'dev.jugg.sample.counter/.MainActivity';

const started = async (jugg, name) => (await jugg.ok('vd', 'start', '--name', name)).data;

/** The daemon alone, the shell, the screen, transfers; what the processes hold. */
async function overAdb({ jugg, adb }) {
  const { port, pid } = await started(jugg, 'bench');
  const device = await adb.connect(port);
  report('shell echo', await time(200, () => device.shell('echo'), 20), { target: 3 });
  report('uiautomator dump', await time(20, () => device.shell('uiautomator dump /dev/tty'), 3));
  report('screencap -p', await time(10, () => device.exec('screencap -p'), 2), { target: 120 });
  const launches = { spare: [], cold: [] };
  const launch = async () =>
    Number(
      /TotalTime: (\d+)/.exec((await device.shell(`am start -S -W -n ${SAMPLE}`)).stdout)?.[1] ?? Number.NaN,
    );
  for (let run = 0; run < 6; run += 1) {
    await new Promise((resolve) => setTimeout(resolve, 9000));
    launches.spare.push(await launch());
    launches.cold.push(await launch());
  }
  report('am start from a spare process (its TotalTime)', launches.spare.slice(1), { target: 250 });
  report('am start at once again, no spare', launches.cold.slice(1), { target: 2500 });
  const bytes = randomBytes(100 * 1024 * 1024);
  report('push of 100 MB', await time(2, () => device.push(bytes, '/data/local/tmp/big')));
  report('pull of 100 MB', await time(2, () => device.pull('/data/local/tmp/big')));
  await device.shell('rm /data/local/tmp/big');
  device.close();
  report('daemon, until adbd answers', await time(5, () => startDaemon({ jugg, adb }), 1), { target: 1000 });
  const [, ...apps] = await family(pid);
  const daemon = await memoryMb(pid);
  console.log(
    `${'memory of the daemon'.padEnd(52)} ${daemon.rss} MB resident, ${daemon.pss} MB proportional`,
  );
  for (const app of apps) {
    const { rss, pss } = await memoryMb(app);
    if (rss > 100)
      console.log(
        `${'memory of an app process or spare'.padEnd(52)} ${rss} MB resident, ${pss} MB proportional`,
      );
  }
}

/** The daemon's program as `jugg vd start` runs it, without the command line around it. */
async function startDaemon({ jugg, adb }) {
  const vd = join(jugg.home, 'state', 'vd');
  const spec = { ...JSON.parse(await readFile(join(vd, 'bench.spec'), 'utf8')), name: 'bare', port: 15_899 };
  const file = join(vd, 'bare.spec');
  await writeFile(file, JSON.stringify(spec));
  const program = join(import.meta.dirname, '../../packages/jugg/dist/virtual-device.mjs');
  const child = spawn(process.execPath, [program, file], { stdio: 'ignore' });
  let device = null;
  while (!device) device = await adb.connect(15_899);
  device.close();
  child.kill();
  await new Promise((resolve) => child.on('exit', resolve));
}

/** Three devices: processor time while nobody uses them, and memory with the sample running on each. */
async function sideBySide({ jugg, adb }) {
  const names = ['side1', 'side2', 'side3'];
  const devices = [];
  for (const name of names) devices.push(await started(jugg, name));
  const pids = devices.map(({ pid }) => pid);
  const percent = async (ms) => {
    const all = (await Promise.all(pids.map(family))).flat();
    const [before, began] = [await cpuMs(all), performance.now()];
    await new Promise((resolve) => setTimeout(resolve, ms));
    return (((await cpuMs(all)) - before) / (performance.now() - began)) * 100;
  };
  // Their spare processes boot first, and settle: some 10 s on two cores, longer on a busy machine.
  for (let waits = 0; waits < 12 && (await percent(5000)) > 10; waits += 1);
  const idle = await percent(10_000);
  console.log(
    `${'three idle devices, of one core'.padEnd(52)} ${idle.toFixed(2)} %   target 1 %${idle <= 1 ? '' : ': MISSED'}`,
  );
  const apk = await newestApk(jugg);
  for (const [index, { port }] of devices.entries()) {
    await jugg.ok('vd', 'install', apk, '--name', names[index], '--trust');
    const device = await adb.connect(port);
    const { stdout } = await device.shell(`am start -W -n ${SAMPLE}`);
    if (!stdout.includes('Status: ok')) throw new Error(stdout);
    device.close();
  }
  for (let waits = 0; waits < 12 && (await percent(5000)) > 10; waits += 1);
  const held = await Promise.all((await Promise.all(pids.map(family))).flat().map(memoryMb));
  const sum = (what) => held.reduce((total, one) => total + one[what], 0);
  console.log(
    `${'three devices, an app and a spare process each'.padEnd(52)} ${sum('rss')} MB resident, ${sum('pss')} MB proportional   target 3072 MB${sum('pss') <= 3072 ? '' : ': MISSED'}`,
  );
  for (const name of names) await jugg.ok('vd', 'stop', name);
}

/** The sample as it was deployed last. */
async function newestApk(jugg) {
  const projects = join(jugg.home, 'state', 'projects');
  const files = (await readdir(projects, { recursive: true })).filter((name) => name.endsWith('.apk'));
  const aged = await Promise.all(
    files.map(async (name) => ({
      path: join(projects, name),
      at: (await stat(join(projects, name))).mtimeMs,
    })),
  );
  return aged.toSorted((a, b) => a.at - b.at).at(-1).path;
}
