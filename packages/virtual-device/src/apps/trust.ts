import { readFile } from 'node:fs/promises';
import type { PackageRecord } from '../packages/record.ts';

/** Says which APKs may be started: they run as the user of this machine. */
export interface Trust {
  /** `null`, or why the package is not started. */
  refusal(record: PackageRecord): Promise<string | null>;
}

/**
 * Digests (SHA-256, hex, one a line; `#` begins a comment) are read anew at every start, as Jugg adds to the file
 * while the device runs.
 */
export function fileTrust(file: string, trustAll: boolean): Trust {
  return {
    async refusal(record) {
      if (trustAll) return null;
      const text = await readFile(file, 'utf8').catch(() => '');
      const trusted = new Set(text.split('\n').map((line) => line.replace(/#.*/, '').trim().toLowerCase()));
      if (record.digests.every((digest) => trusted.has(digest))) return null;
      const { packageName } = record.manifest;
      return `${packageName} is not started: it was not built by Jugg, and an APK on a virtual device runs as you. Start the device with "jugg vd start --trust", or add the SHA-256 of the APK to ${file}`;
    },
  };
}
