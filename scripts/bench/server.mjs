import { spawn } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { benchDuringBuilds, benchLoad } from './load.mjs';
import { report, time } from './stats.mjs';

function bareNode() {
  return new Promise((resolve) =>
    spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }).on('exit', resolve),
  );
}

/** Start of the server, round trips of the command line and of HTTP. */
export async function benchServer({ jugg, project, folder }) {
  const node = { name: 'node -e 0', times: await time(10, bareNode, 1) };
  const starts = [];
  for (let run = 0; run < 6; run += 1) {
    const started = performance.now();
    const stop = await jugg.serve();
    if (run > 0) starts.push(performance.now() - started);
    await stop();
  }
  report('server ready', starts, { target: 350 });
  await jugg.ok('version');
  await jugg.ok('init', '--project-dir', project).catch(() => {});
  report('jugg version, server running', await time(15, () => jugg.ok('version'), 2), {
    target: 200,
    rival: node,
  });
  report(
    'jugg status, server running',
    await time(15, () => jugg.ok('status', '--project-dir', project), 2),
    { target: 200 },
  );
  report('version over HTTP, one after the other', await time(200, () => jugg.call('version', {}), 20));
  await benchLoad(await jugg.address());
  await benchDuringBuilds(await jugg.address(), () => cleanBuilds(jugg, project, folder));
  await jugg.ok('stop');
}

const CLEAN_BUILDS = 3;

/** Clean builds of copies of the project, after one that warms up the compile host. */
async function cleanBuilds(jugg, project, folder) {
  for (let run = 0; run <= CLEAN_BUILDS; run += 1) {
    const copy = join(folder, `build-${run}`);
    await cp(project, copy, { recursive: true });
    await jugg.ok('compile', '--project-dir', copy);
  }
}
