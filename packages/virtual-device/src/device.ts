import type { ServiceHost } from './adbd/services.ts';
import { openService } from './adbd/services.ts';
import { startAdbd } from './adbd/server.ts';
import type { Adbd } from './adbd/server.ts';
import type { DeviceFolders } from './daemon/rootfs.ts';
import { DeviceFs } from './fs/device-fs.ts';
import { UserFs } from './fs/user-fs.ts';
import { virtualFiles } from './fs/virtual-files.ts';
import { propertyCommands } from './services/property-commands.ts';
import type { Command } from './shell/command.ts';
import { TOYBOX } from './shell/commands.ts';
import type { Spec } from './spec.ts';
import { FIRST_PORT } from './spec.ts';
import { Logd } from './system/logd.ts';
import { bootProperties, profileOf } from './system/profile.ts';
import { Properties } from './system/properties.ts';

export interface Device {
  readonly adbd: Adbd;
  readonly logd: Logd;
  close(): Promise<void>;
}

/** Puts a device together and lets its adbd listen; `null` when no port is free. */
export async function startDevice(
  spec: Spec,
  folders: DeviceFolders,
  now: () => number,
): Promise<Device | null> {
  const profile = profileOf(spec.api);
  const properties = new Properties(bootProperties(profile, { ...spec, bootMs: now() }));
  const logd = new Logd();
  const commands = new Map<string, Command>([...TOYBOX, ...propertyCommands(properties)]);
  const files = new DeviceFs(
    folders.root,
    virtualFiles(
      () => new Map(),
      () => [...commands.keys()],
    ),
  );
  await files.prepare();
  let pid = 4_200_000;
  const host: ServiceHost = {
    shell: {
      commands,
      fsFor: (uid) => new UserFs(files, uid, () => null),
      nextPid: () => pid++,
    },
    abstractSocket: () => null,
    ownsTcpPort: () => false,
    debuggablePids: () => [],
    onProcessesChanged: () => () => {},
    reboot: () => {},
  };
  const adbd = await startAdbd({
    props: {
      'ro.product.name': properties.get('ro.product.name'),
      'ro.product.model': properties.get('ro.product.model'),
      'ro.product.device': properties.get('ro.product.device'),
    },
    open: (service) => openService(service, host),
    port: spec.port === 0 ? FIRST_PORT : spec.port,
    attempts: spec.port === 0 ? 100 : 1,
  });
  if (!adbd) return null;
  return {
    adbd,
    logd,
    async close() {
      await adbd.close();
    },
  };
}
