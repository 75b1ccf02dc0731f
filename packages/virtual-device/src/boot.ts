import { setTimeout as delay } from 'node:timers/promises';
import type { Adbd } from './adbd/server.ts';
import type { Services } from './services/services.ts';
import { LOG_BUFFERS } from './system/logd.ts';

/** How long a reboot keeps the device away. A phone takes half a minute; tools only have to see it go and come. */
const AWAY_MS = 1000;
/** What was answered to who asked for it still gets out. */
const FAREWELL_MS = 50;

/** All processes end, the device goes away and comes back; its files, packages and settings stay. */
export async function reboot(adbd: Adbd, services: Services): Promise<void> {
  const { apps, logd, log, power } = services;
  await delay(FAREWELL_MS);
  await adbd.setReachable(false);
  await Promise.all(apps.all().map((app) => apps.kill(app, 'shutdown')));
  await delay(AWAY_MS);
  logd.clear(new Set(LOG_BUFFERS));
  services.bootMs = services.now();
  services.grants.rebooted();
  await power.boot();
  log.system('SystemServer', 'Entered the Android system server! (Jugg virtual device)');
  log.event('boot_progress_enable_screen', [0]);
  await adbd.setReachable(true);
}
