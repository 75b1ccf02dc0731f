import { fail, ok, type Result } from '../../shared/outcome.ts';
import { juggDirs } from '../../shared/paths.ts';
import {
  AUTH_MODES,
  startVirtualDevice,
  type VirtualDeviceWish,
} from '../../runtime/start-virtual-device.ts';
import {
  askVirtualDevice,
  listVirtualDevices,
  stopVirtualDevice,
  type VirtualDeviceRecord,
} from '../../runtime/virtual-devices.ts';
import { virtualDeviceRuntime } from '../../toolchain/runtime.ts';
import { faultEnvelope, type CliEnvelope } from '../envelope.ts';
import { windowCommand } from './window.ts';

/** `jugg vd start`: `values` are the options that stood on the command line. */
export async function startCommand(values: Readonly<Record<string, unknown>>): Promise<CliEnvelope> {
  const wish = toWish(values);
  if (!wish.ok) return faultEnvelope(wish.fault);
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  const runtime = await virtualDeviceRuntime({
    signal: stop.signal,
    onProgress: (line: string) => process.stderr.write(`${line}\n`),
  });
  if (!runtime.ok) return faultEnvelope(runtime.fault);
  const started = await startVirtualDevice(juggDirs(), wish.value, runtime.value);
  const envelope = toEnvelope(
    started,
    (record) =>
      `Virtual device ${record.name} is ${record.serial}; \`adb connect ${record.serial}\` shows it to adb as well.`,
  );
  if (!started.ok || values['window'] !== true) return envelope;
  const shown = await windowCommand(started.value.name);
  if (shown.status !== 'OK') return shown;
  const message = `${envelope.message} ${shown.message}`;
  return { ...envelope, message, data: { ...envelope.data, ...shown.data } };
}

export async function stopDeviceCommand(name: string): Promise<CliEnvelope> {
  return toEnvelope(
    await stopVirtualDevice(juggDirs(), name),
    (record) => `Stopped the virtual device ${record.name} (${record.serial}).`,
  );
}

export async function listDevicesCommand(): Promise<CliEnvelope> {
  const dirs = juggDirs();
  const running = await listVirtualDevices(dirs);
  const devices = await Promise.all(
    running.map(async (record) => {
      const status = await askVirtualDevice(dirs, record.name, { command: 'status' });
      return { ...record, ...(status.ok ? status.value : {}) };
    }),
  );
  const message =
    devices.length === 0
      ? 'No virtual device runs; `jugg vd start` starts one.'
      : `${devices.length} running.`;
  return { status: 'OK', message, data: { devices }, artifacts: [], errorCode: null };
}

function toEnvelope(
  result: Result<VirtualDeviceRecord>,
  message: (record: VirtualDeviceRecord) => string,
): CliEnvelope {
  if (!result.ok) return faultEnvelope(result.fault);
  return {
    status: 'OK',
    message: message(result.value),
    data: { ...result.value },
    artifacts: [],
    errorCode: null,
  };
}

/** What the options say; whether it can be is for {@link startVirtualDevice} to tell. */
function toWish(values: Readonly<Record<string, unknown>>): Result<Partial<VirtualDeviceWish>> {
  // Options with a value: commander gives a string, or nothing.
  const given = (name: string): string | undefined => {
    const value = values[name];
    return typeof value === 'string' ? value : undefined;
  };
  const [name, api, size, density] = [given('name'), given('api'), given('size'), given('density')];
  const [locale, mode] = [given('locale'), given('auth')];
  const auth = AUTH_MODES.find((known) => known === mode);
  if (mode !== undefined && !auth)
    return refused(`--auth: got "${mode}", expected one of ${AUTH_MODES.join(', ')}`);
  const sides = /^(\d{1,5})x(\d{1,5})$/.exec(size ?? '');
  if (size !== undefined && !sides)
    return refused(`--size: got "${size}", expected WIDTHxHEIGHT in px such as 1080x2400`);
  for (const [option, value] of [['--api', api] as const, ['--density', density] as const])
    if (value !== undefined && !/^\d+$/.test(value))
      return refused(`${option}: got "${value}", expected a whole number`);
  return ok({
    ...(name === undefined ? {} : { name }),
    ...(api === undefined ? {} : { api: Number(api) }),
    ...(sides ? { size: [Number(sides[1]), Number(sides[2])] } : {}),
    ...(density === undefined ? {} : { density: Number(density) }),
    ...(locale === undefined ? {} : { locale }),
    ...(values['trust'] === true ? { trustAll: true } : {}),
    ...(auth ? { auth } : {}),
  });
}

function refused(message: string): Result<never> {
  return fail('INVALID_PARAMS', message);
}
