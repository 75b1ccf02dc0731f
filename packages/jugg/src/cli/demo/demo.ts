import { copyFile, cp, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createRuntime } from '../../runtime/create.ts';
import { loadSettings } from '../../runtime/settings.ts';
import { startVirtualDevice } from '../../runtime/start-virtual-device.ts';
import { stopVirtualDevice } from '../../runtime/virtual-devices.ts';
import { openLog } from '../../shared/log.ts';
import { juggDirs, shippedFile } from '../../shared/paths.ts';
import { VERSION } from '../../shared/version.ts';
import { virtualDeviceRuntime } from '../../toolchain/runtime.ts';
import { DemoReport } from './report.ts';
import { DemoFailure, DemoSession } from './session.ts';
import { tellStory } from './story.ts';

/**
 * `jugg demo`: the whole main job on a copy of the sample, with state, server and device of its own, so that nothing of
 * the user's is touched and nothing is left but the two files it names. Exit code 0 when every step was seen to work.
 */
export async function demoCommand(options: { readonly keep: boolean }): Promise<number> {
  const users = juggDirs();
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'jugg-demo-')));
  // What is slow to make (translated dex files, archives) is shared with the user's own Jugg.
  process.env['JUGG_HOME'] = join(folder, 'home');
  process.env['JUGG_CACHE_DIR'] = users.cache;
  const stop = new AbortController();
  const interrupt = (): void => stop.abort();
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  const report = new DemoReport();
  try {
    await run(folder, users.artifacts, report, stop.signal);
    report.summary();
    return 0;
  } catch (error) {
    if (stop.signal.aborted) {
      process.stderr.write('Interrupted.\n');
      return 130;
    }
    if (!(error instanceof DemoFailure)) throw error;
    process.stderr.write(`The demo failed: ${error.message}\n`);
    return 1;
  } finally {
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', interrupt);
    if (options.keep) process.stdout.write(`Kept: ${folder}\n`);
    else await rm(folder, { recursive: true, force: true });
  }
}

async function run(
  folder: string,
  artifacts: string,
  report: DemoReport,
  signal: AbortSignal,
): Promise<void> {
  const dirs = juggDirs();
  const projectDir = join(folder, 'counter');
  await cp(shippedFile('samples/counter'), projectDir, { recursive: true });
  await mkdir(dirs.logs, { recursive: true });
  const log = openLog(join(dirs.logs, 'demo.log'));
  const { settings } = await loadSettings(null);
  const info = {
    kind: 'cli' as const,
    version: VERSION,
    pid: process.pid,
    port: null,
    startedAt: new Date().toISOString(),
  };
  const runtime = createRuntime({ info, dirs, settings: { ...settings, adbServer: false }, log });
  const name = 'demo';
  try {
    let serial = '';
    await report.step('start the virtual device', async () => {
      const jars = await virtualDeviceRuntime({ signal, onProgress: (line: string) => report.note(line) });
      if (!jars.ok) throw new DemoFailure(jars.fault.message);
      const started = await startVirtualDevice(dirs, { name }, jars.value);
      if (!started.ok) throw new DemoFailure(started.fault.message);
      serial = started.value.serial;
      return serial;
    });
    const session = new DemoSession(runtime, projectDir, serial, signal);
    const files = await tellStory(session, report, projectDir);
    await mkdir(artifacts, { recursive: true });
    for (const file of files) {
      const kept = join(artifacts, basename(file));
      await copyFile(file, kept);
      report.note(kept);
    }
  } finally {
    await runtime.close();
    await stopVirtualDevice(dirs, name);
    await log.close();
  }
}
