import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { Device } from '../device.ts';
import { FAULT_NAMES, faultHelp, isFaultName } from '../faults/catalogue.ts';
import { bufferSource } from '../io/bytes.ts';
import { failureLine } from '../packages/failure.ts';
import { screenshot } from '../services/screencap.ts';
import type { Services } from '../services/services.ts';

/** What the owner of a device may ask its daemon, beside adb. */
const requestSchema = z.discriminatedUnion('command', [
  z.object({ command: z.literal('status') }),
  z.object({
    command: z.literal('fault'),
    name: z.string(),
    options: z.record(z.string(), z.unknown()).default({}),
  }),
  z.object({ command: z.literal('faults') }),
  /** Without a name, all of them. */
  z.object({ command: z.literal('clear'), name: z.string().optional() }),
  /** Says yes to the keys that ask to be let in. */
  z.object({ command: z.literal('authorize') }),
  /** The address of the live view. */
  z.object({ command: z.literal('view') }),
  z.object({ command: z.literal('screenshot') }),
  /** Installs an APK of this machine, as `adb install -r` does. */
  z.object({ command: z.literal('install'), path: z.string() }),
]);

export type ControlAnswer =
  | { readonly ok: true; readonly data: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly message: string; readonly code?: 'INSTALL_FAILED' };

/** What requests are about. */
export interface Controlled {
  readonly device: Device;
  readonly viewUrl: () => string;
}

/** Answers one request; what is wrong with it is said in words for a person. */
export async function answerControl(body: unknown, { device, viewUrl }: Controlled): Promise<ControlAnswer> {
  const parsed = requestSchema.safeParse(body);
  if (!parsed.success)
    return { ok: false, message: `Not a request that this device knows: ${parsed.error.message}` };
  const request = parsed.data;
  const { faults, services } = device;
  switch (request.command) {
    case 'status': {
      const { profile, display, apps } = services;
      return answer({
        api: profile.api,
        size: display.current.join('x'),
        density: display.density,
        serial: `127.0.0.1:${device.adbd.port}`,
        apps: apps
          .all()
          .map(({ pid, packageName }) => ({ pid, packageName, front: apps.front?.pid === pid })),
        faults: faults.active(),
      });
    }
    case 'fault': {
      const problem = faults.trySet(request.name, request.options);
      return problem === null ? answer({ faults: faults.active() }) : { ok: false, message: problem };
    }
    case 'faults':
      return answer({ faults: faults.active(), available: FAULT_NAMES.map(faultHelp) });
    case 'clear':
      if (request.name === undefined) faults.clearAll();
      else if (!isFaultName(request.name))
        return {
          ok: false,
          message: `There is no fault "${request.name}"; there are ${FAULT_NAMES.join(', ')}.`,
        };
      else if (!faults.clear(request.name)) return { ok: false, message: `${request.name} is not set.` };
      return answer({ faults: faults.active() });
    case 'authorize':
      return answer({ authorized: await device.keys.authorizeAll() });
    case 'view':
      return answer({ url: viewUrl() });
    case 'screenshot':
      return answer({ png: (await screenshot(services)).toString('base64') });
    case 'install':
      return install(request.path, services);
    default:
      return request satisfies never;
  }
}

async function install(path: string, services: Services): Promise<ControlAnswer> {
  const { sessions, installer } = services;
  const apk = await readFile(path).catch(() => null);
  if (!apk) return { ok: false, code: 'INSTALL_FAILED', message: `${path} cannot be read.` };
  const session = await sessions.create({
    replace: true,
    allowDowngrade: false,
    allowTest: true,
    grantAll: false,
    dontKill: false,
    installer: null,
    inherit: null,
  });
  try {
    const wrote = await sessions.write(session, 'base.apk', bufferSource(apk), apk.length);
    if (wrote !== 'written')
      return { ok: false, code: 'INSTALL_FAILED', message: 'No space left on the device.' };
    const done = await installer.commit(session);
    if (!done.ok) return { ok: false, code: 'INSTALL_FAILED', message: failureLine(done.failure).trim() };
    const { packageName, versionCode } = done.value.manifest;
    return answer({ packageName, versionCode });
  } finally {
    await sessions.abandon(session);
  }
}

function answer(data: Readonly<Record<string, unknown>>): ControlAnswer {
  return { ok: true, data };
}
