import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { AdbMux } from '../../jugg/src/adb/mux.ts';
import { KeyStore } from './adbd/auth.ts';
import { startAdbd } from './adbd/server.ts';
import type { DebuggableApp } from './adbd/jdwp-service.ts';
import type { Adbd } from './adbd/server.ts';
import { ReverseForwards } from './adbd/reverse.ts';
import { openService } from './adbd/services.ts';
import { reboot } from './boot.ts';
import { keepPort, lastPort } from './daemon/last-port.ts';
import type { DeviceFolders } from './daemon/rootfs.ts';
import type { DeviceParts } from './device-parts.ts';
import { faultyCommands } from './faults/commands.ts';
import { faultySpace } from './faults/disk.ts';
import { startEffects } from './faults/effects.ts';
import { Faults } from './faults/faults.ts';
import { CutBudget, FaultyLink } from './faults/link.ts';
import { whenNotStalled } from './faults/stall.ts';
import { DeviceFs } from './fs/device-fs.ts';
import { UserFs } from './fs/user-fs.ts';
import { virtualFiles } from './fs/virtual-files.ts';
import { makeServices } from './make-services.ts';
import type { PackageDatabase } from './packages/database.ts';
import { procFiles } from './services/process-commands.ts';
import { screenshot } from './services/screencap.ts';
import type { Services } from './services/services.ts';
import { commandTable } from './services/table.ts';
import type { CommandTable } from './shell/command.ts';
import { FIRST_PORT } from './spec.ts';

export interface Device {
  readonly adbd: Adbd;
  readonly services: Services;
  /** What goes wrong on command. */
  readonly faults: Faults;
  /** Keys of clients that may use the device, where it asks for them. */
  readonly keys: KeyStore;
  close(): Promise<void>;
}

/** Ports tried when none is given. */
const PORT_ATTEMPTS = 100;

/** Puts a device together and lets its adbd listen; `null` when no port is free. */
export async function startDevice(parts: DeviceParts): Promise<Device | null> {
  const { spec, folders } = parts;
  const faults = new Faults();
  // The two refer to each other: commands are files of the device, and commands work on files.
  const table: { commands: CommandTable; services: Services | null } = {
    commands: new Map(),
    services: null,
  };
  const files = new DeviceFs(
    folders.root,
    virtualFiles(
      () => (table.services ? procFiles(table.services) : new Map()),
      () => [...table.commands.keys()],
    ),
    faultySpace(faults),
  );
  await files.prepare();
  const late: { adbd: Adbd | null } = { adbd: null };
  const services = await makeServices(parts, files, faults, () => {
    if (late.adbd) void reboot(late.adbd, services);
  });
  await removeOrphans(files, services.database);
  table.services = services;
  table.commands = faultyCommands(commandTable(services), faults);
  let shellPid = 4_200_000;
  const reverse = new Map<AdbMux, ReverseForwards>();
  const keys = new KeyStore(join(folders.base, 'adb_keys'));
  const cut = new CutBudget(faults);
  const adbd = await startAdbd({
    keys,
    auth: () => (faults.get('unauthorized') ? 'refuse' : spec.auth),
    isSilent: () => faults.get('offline') !== null,
    link: (socket) => new FaultyLink(socket, faults, cut, (bytes) => parts.passed?.(bytes)),
    props: Object.fromEntries(
      ['ro.product.name', 'ro.product.model', 'ro.product.device'].map((name) => [
        name,
        services.properties.get(name),
      ]),
    ),
    disconnected: (client) => {
      void reverse.get(client)?.close();
      reverse.delete(client);
    },
    open: whenNotStalled(faults, (service, client) =>
      openService(service, client, {
        shell: {
          commands: table.commands,
          fsFor: (uid, umask) => new UserFs(files, uid, (name) => services.database.ownerOf(name), umask),
          // Beyond what a kernel gives to processes, so that they never clash with a JVM's.
          nextPid: () => shellPid++,
          now: () => services.now(),
        },
        socketDir: folders.sockets,
        appPids: () => services.apps.all().map(({ pid }) => pid),
        debuggable: () => debuggableApps(services),
        onProcessesChanged: (listener) => services.apps.onChange(listener),
        reboot: () => services.reboot(),
        screenshot: () => screenshot(services),
        reverse: (mux) => {
          const known = reverse.get(mux) ?? new ReverseForwards(mux, folders.sockets);
          reverse.set(mux, known);
          return known;
        },
      }),
    ),
    ports: spec.port === 0 ? await portsOf(folders) : [spec.port],
  });
  if (!adbd) return null;
  await keepPort(folders.base, adbd.port);
  late.adbd = adbd;
  const stopEffects = startEffects(faults, adbd, services);
  return {
    adbd,
    services,
    faults,
    keys,
    async close() {
      stopEffects();
      // The port last: who waits for it to close knows then that everything is gone.
      await services.apps.close();
      await services.grants.stored();
      await adbd.close();
    },
  };
}

async function portsOf({ base }: DeviceFolders): Promise<number[]> {
  const last = await lastPort(base);
  const all = Array.from({ length: PORT_ATTEMPTS }, (_none, index) => FIRST_PORT + index);
  return last === null ? all : [last, ...all];
}

/** What belongs to no installed package: a killed daemon had staged it, or was in the middle of an install or uninstall. */
async function removeOrphans(files: DeviceFs, database: PackageDatabase): Promise<void> {
  const folder = files.hostPath('/data/app');
  const known = new Set(database.all().map(({ codePath }) => codePath.split('/')[3]));
  for (const name of await readdir(folder)) {
    if (!known.has(name)) await rm(join(folder, name), { recursive: true, force: true });
  }
}

function debuggableApps(services: Services): DebuggableApp[] {
  const apps = services.apps.all().filter(({ record }) => record.manifest.debuggable);
  return apps.map(({ pid, processName, packageName, port }) => ({
    pid,
    processName,
    packageName,
    listen: async () => {
      const listening = await port.request('listenForDebugger', {});
      return listening.ok ? listening.value.port : null;
    },
    attached: (attached) => void port.request('debugger', { attached }),
  }));
}
