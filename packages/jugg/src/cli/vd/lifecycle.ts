import { fail, type Result } from '../../shared/outcome.ts';
import { juggDirs } from '../../shared/paths.ts';
import {
  askVirtualDevice,
  AUTH_MODES,
  DEFAULT_VIRTUAL_DEVICE,
  listVirtualDevices,
  startVirtualDevice,
  stopVirtualDevice,
  type VirtualDeviceRecord,
} from '../../runtime/virtual-devices.ts';
import { virtualDeviceRuntime } from '../../toolchain/runtime.ts';
import { faultEnvelope, type CliEnvelope } from '../envelope.ts';
import { windowCommand } from './window.ts';

/** `jugg vd start`: `values` are the options as they stood on the command line. */
export async function startCommand(values: Readonly<Record<string, unknown>>): Promise<CliEnvelope> {
  const dirs = juggDirs();
  const size = /^(\d{2,5})x(\d{2,5})$/.exec(String(values['size']));
  const api = Number(values['api']);
  const density = Number(values['density']);
  if (!size)
    return refused(`--size: got "${String(values['size'])}", expected WIDTHxHEIGHT in px such as 1080x2400`);
  if (!Number.isInteger(api) || api < 26 || api > 36)
    return refused(`--api: got "${String(values['api'])}", expected a level from 26 to 36`);
  if (!Number.isInteger(density) || density < 72 || density > 960)
    return refused(`--density: got "${String(values['density'])}", expected 72 to 960 dots per inch`);
  const auth = AUTH_MODES.find((mode) => mode === values['auth']);
  if (!auth)
    return refused(`--auth: got "${String(values['auth'])}", expected one of ${AUTH_MODES.join(', ')}`);
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  const runtime = await virtualDeviceRuntime({
    signal: stop.signal,
    onProgress: (line: string) => process.stderr.write(`${line}\n`),
  });
  if (!runtime.ok) return faultEnvelope(runtime.fault);
  const started = await startVirtualDevice(
    dirs,
    {
      ...DEFAULT_VIRTUAL_DEVICE,
      name: String(values['name']),
      api,
      size: [Number(size[1]), Number(size[2])],
      density,
      locale: String(values['locale']),
      trustAll: values['trust'] === true,
      auth,
    },
    runtime.value,
  );
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

function refused(message: string): CliEnvelope {
  return faultEnvelope(fail('INVALID_PARAMS', message).fault);
}
