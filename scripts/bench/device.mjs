import { report, time } from './stats.mjs';

/** Start of the virtual device, launch of the sample until its first text is found, reads and touches. */
export async function benchDevice({ jugg, project }) {
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
  await jugg.ok('vd', 'stop', 'bench');
  await jugg.ok('stop');
}
