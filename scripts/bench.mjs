// npm run bench [-- server|device|deploy|engine]: medians with their spread, and ratios against a rival measured in the same run.
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchDeploy } from './bench/deploy.mjs';
import { benchDevice } from './bench/device.mjs';
import { benchEngine } from './bench/engine.mjs';
import { benchServer } from './bench/server.mjs';
import { Jugg } from './bench/jugg.mjs';

const root = join(import.meta.dirname, '..');
const SUITES = { server: benchServer, device: benchDevice, deploy: benchDeploy, engine: benchEngine };
const asked = process.argv.slice(2).filter((name) => name in SUITES);
const names = asked.length > 0 ? asked : Object.keys(SUITES);

const folder = await mkdtemp(join(tmpdir(), 'jugg-bench-'));
const cache =
  process.env.JUGG_CACHE_DIR ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'jugg');
const jugg = new Jugg({ root, home: join(folder, 'home'), cache });
try {
  const project = join(folder, 'counter');
  await cp(join(root, 'samples/counter'), project, { recursive: true });
  for (const name of names) {
    console.log(`\n${name}`);
    await SUITES[name]({ jugg, project, folder });
  }
} finally {
  await jugg.close();
  await rm(folder, { recursive: true, force: true });
}
