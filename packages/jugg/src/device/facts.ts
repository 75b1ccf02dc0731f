import type { AdbConnection, DeviceRef } from '../adb/types.ts';
import { parseProperties } from '../formats/properties.ts';
import {
  parseKeyguard,
  parseRotation,
  parseWakefulness,
  parseWmDensity,
  parseWmSize,
  rotatedSize,
} from '../formats/screen.ts';
import { fail, ok, type Result } from '../shared/outcome.ts';
import { run } from './shell.ts';
import type { Screen } from './tree.ts';
import type { DeviceFacts, Interactivity } from './types.ts';

export async function readFacts(
  connection: AdbConnection,
  ref: Pick<DeviceRef, 'kind' | 'name'>,
  signal: AbortSignal,
): Promise<Result<DeviceFacts>> {
  const output = await run(connection, ['getprop'], signal);
  if (!output.ok) return output;
  const properties = parseProperties(output.value.stdout);
  const get = (name: string): string => properties.get(name) ?? '';
  const api = Number(get('ro.build.version.sdk'));
  if (!Number.isInteger(api) || api < 1)
    return fail('DEVICE_OFFLINE', 'The device does not tell its API level; it may still be starting.');
  const model = get('ro.product.model');
  const maker = get('ro.product.manufacturer');
  const named = model.toLowerCase().startsWith(maker.toLowerCase()) ? model : `${maker} ${model}`;
  const abis =
    get('ro.product.cpu.abilist') || [get('ro.product.cpu.abi'), get('ro.product.cpu.abi2')].join(',');
  return ok({
    serial: connection.serial,
    name: ref.name ?? named.trim(),
    model,
    api,
    release: get('ro.build.version.release'),
    abis: abis.split(',').filter((abi) => abi !== ''),
    kind: ref.kind,
    hardwareSerial: get('ro.serialno'),
  });
}

/** Size in the current rotation; the device's words for it differ, so all of them are asked at once. */
export async function readScreen(connection: AdbConnection, signal: AbortSignal): Promise<Result<Screen>> {
  const output = await run(connection, 'wm size; wm density; dumpsys window displays', signal);
  if (!output.ok) return output;
  const text = output.value.all;
  const natural = parseWmSize(text);
  const density = parseWmDensity(text) ?? Number(/\binit=\d+x\d+ (\d+)dpi/.exec(text)?.[1] ?? Number.NaN);
  if (!natural || Number.isNaN(density))
    return fail('DEVICE_OFFLINE', `The device does not tell the size of its screen: ${text.slice(0, 200)}`);
  const current = /\bcur=(\d+)x(\d+)/.exec(text);
  const told = parseRotation(text);
  const turned = current !== null && Number(current[1]) === natural[1] && natural[0] !== natural[1];
  const rotation = told ?? (turned ? 1 : 0);
  const [width, height] = current
    ? ([Number(current[1]), Number(current[2])] as const)
    : rotatedSize(natural, rotation);
  return ok({ width, height, rotation, density });
}

export async function readInteractivity(
  connection: AdbConnection,
  signal: AbortSignal,
): Promise<Result<Interactivity>> {
  const output = await run(connection, 'dumpsys power; dumpsys window policy', signal);
  if (!output.ok) return output;
  const wakefulness = parseWakefulness(output.value.all) ?? 'Awake';
  const keyguard = parseKeyguard(output.value.all);
  return ok({ wakefulness, keyguard, interactive: wakefulness === 'Awake' && !keyguard });
}

/** Milliseconds since the epoch on the device's clock. Toolboxes before Android 6 know whole seconds only. */
export async function readClock(connection: AdbConnection, signal: AbortSignal): Promise<Result<number>> {
  const output = await run(connection, ['date', '+%s.%N'], signal);
  if (!output.ok) return output;
  const found = /^(\d{9,})(?:\.(\d{3})\d*)?/m.exec(output.value.stdout);
  if (!found)
    return fail('DEVICE_OFFLINE', `The device does not tell its time: ${output.value.all.slice(0, 200)}`);
  return ok(Number(found[1]) * 1000 + Number(found[2] ?? 0));
}

/** The user in front; devices without several users have only 0. */
export async function readUser(connection: AdbConnection, signal: AbortSignal): Promise<Result<number>> {
  const output = await run(connection, ['am', 'get-current-user'], signal);
  if (!output.ok) return output;
  return ok(Number(/^\s*(\d+)\s*$/m.exec(output.value.stdout)?.[1] ?? 0));
}
