import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { rpc } from '../runtime/rpc.ts';
import { findServer } from '../runtime/server-client.ts';
import { userToken } from '../runtime/token.ts';
import { listVirtualDevices, stopVirtualDevice } from '../runtime/virtual-devices.ts';
import { processExists } from '../shared/process-exists.ts';
import { juggDirs } from '../shared/paths.ts';
import { faultEnvelope, type CliEnvelope } from './envelope.ts';

const STOP_TIMEOUT_MS = 15_000;
const POLL_MS = 50;

/** `jugg stop`: all servers of this user; with `purge` also the virtual devices and every folder of Jugg. */
export async function stopCommand(purge: boolean): Promise<CliEnvelope> {
  const dirs = juggDirs();
  const token = await userToken(dirs.state);
  const stopped: number[] = [];
  const deadline = performance.now() + STOP_TIMEOUT_MS;
  for (let link = await findServer(dirs.state, token); link; link = await findServer(dirs.state, token)) {
    const { port, pid } = link.record;
    if (performance.now() > deadline) {
      return faultEnvelope({
        code: 'TIMEOUT',
        message: `The server on port ${port} (pid ${pid}) did not stop within ${STOP_TIMEOUT_MS / 1000} s.`,
      });
    }
    if (!stopped.includes(port)) {
      await rpc({ port, token }, 'jugg/stop', {}, { timeoutMs: 2000 }).catch(() => {});
      await ended(pid);
      stopped.push(port);
    }
    await delay(POLL_MS);
  }
  const devices = purge ? await listVirtualDevices(dirs) : [];
  if (purge) {
    for (const device of devices) {
      const ended = await stopVirtualDevice(dirs, device.name);
      if (!ended.ok) return faultEnvelope(ended.fault);
    }
    // A cache that was put elsewhere on purpose may serve others too.
    const cache = process.env['JUGG_CACHE_DIR'] ? [] : [dirs.cache];
    for (const dir of [dirs.state, ...cache, dirs.logs, dirs.artifacts])
      await rm(dir, { recursive: true, force: true });
  }
  const said =
    stopped.length === 0 ? 'No server was running.' : `Stopped the server on port ${stopped.join(', ')}.`;
  const andDevices =
    devices.length === 0 ? '' : ` Stopped the virtual devices ${devices.map(({ name }) => name).join(', ')}.`;
  return {
    status: 'OK',
    message: purge ? `${said}${andDevices} Removed Jugg's state, caches, logs and artifacts.` : said,
    data: { ports: stopped },
    artifacts: [],
    errorCode: null,
  };
}

/**
 * Waits until the process is gone; one that does not end by itself is killed: it had answered as the server just before,
 * so the pid is its.
 */
async function ended(pid: number): Promise<void> {
  const deadline = performance.now() + STOP_TIMEOUT_MS;
  while (processExists(pid)) {
    if (performance.now() > deadline) {
      process.kill(pid, 'SIGKILL');
      return;
    }
    await delay(POLL_MS);
  }
}
