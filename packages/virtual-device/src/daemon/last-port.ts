import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Serials behind an adb server hold the port, so a device takes the one that it last had, if that is free. */
const FILE = 'port';

/** `null` for a device that is new. */
export async function lastPort(deviceFolder: string): Promise<number | null> {
  const text = await readFile(join(deviceFolder, FILE), 'utf8').catch(() => '');
  const port = Number(text);
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : null;
}

export async function keepPort(deviceFolder: string, port: number): Promise<void> {
  await writeFile(join(deviceFolder, FILE), String(port), { mode: 0o600 });
}
