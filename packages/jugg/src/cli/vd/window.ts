import { stat, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { askVirtualDevice, trustApk } from '../../runtime/virtual-devices.ts';
import { fail } from '../../shared/outcome.ts';
import { juggDirs } from '../../shared/paths.ts';
import { faultEnvelope, type CliEnvelope } from '../envelope.ts';
import { openBrowser } from './open-browser.ts';

/** `jugg vd window [name]`: the address of the live view, opened in the browser where there is one. */
export async function windowCommand(device: string): Promise<CliEnvelope> {
  const asked = await askVirtualDevice(juggDirs(), device, { command: 'view' });
  if (!asked.ok) return faultEnvelope(asked.fault);
  const url = String(asked.value['url']);
  const opened = await openBrowser(url);
  return okay(opened ? `Its screen is in your browser: ${url}` : `Its screen: ${url}`, { url, opened });
}

/** `jugg vd screenshot [--out file]` */
export async function screenshotCommand(device: string, out: unknown): Promise<CliEnvelope> {
  const asked = await askVirtualDevice(juggDirs(), device, { command: 'screenshot' });
  if (!asked.ok) return faultEnvelope(asked.fault);
  const time = new Date().toISOString().replaceAll(/[-:]|\.\d+Z/g, '');
  const path = resolve(typeof out === 'string' ? out : `${device.replaceAll(/[^\w.-]/g, '-')}-${time}.png`);
  try {
    await writeFile(path, Buffer.from(String(asked.value['png']), 'base64'));
  } catch (error) {
    return faultEnvelope(fail('INVALID_PARAMS', `--out: ${path} cannot be written: ${String(error)}`).fault);
  }
  return { ...okay(`The screen of ${device} is in ${path}`, {}), artifacts: [{ type: 'image', path }] };
}

/** `jugg vd install <apk> [--trust]` */
export async function installCommand(device: string, apk: string, trust: boolean): Promise<CliEnvelope> {
  const dirs = juggDirs();
  const path = resolve(apk);
  const found = await stat(path).catch(() => null);
  if (!found?.isFile()) return faultEnvelope(fail('APK_NOT_FOUND', `${path} is not a file.`).fault);
  const installed = await askVirtualDevice(dirs, device, { command: 'install', path });
  if (!installed.ok) return faultEnvelope(installed.fault);
  if (trust) await trustApk(dirs, path, device);
  const { packageName } = installed.value;
  return okay(`${String(packageName)} is installed on ${device}.`, installed.value);
}

function okay(message: string, data: Readonly<Record<string, unknown>>): CliEnvelope {
  return { status: 'OK', message, data, artifacts: [], errorCode: null };
}
