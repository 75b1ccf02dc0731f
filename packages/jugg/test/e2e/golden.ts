import { readFile, writeFile } from 'node:fs/promises';
import { expect } from 'vitest';
import type { TestHome } from './home.ts';
import { normalize } from './normalize.ts';
import type { Told } from './story.ts';

const FILE = new URL('golden/main-job.json', import.meta.url);

/** One golden file for both doors. `UPDATE_GOLDEN=1` writes it anew: read the difference before you commit it. */
export async function matchesGolden(told: readonly Told[], home: TestHome, serial: string): Promise<void> {
  const names = { [home.project]: '<project>', [home.folder]: '<folder>', [serial]: '<serial>' };
  const steps = told.map(({ step, envelope }) => ({ step, envelope: normalize(envelope, names) }));
  if (process.env['UPDATE_GOLDEN'] === '1') await writeFile(FILE, `${JSON.stringify(steps, null, 2)}\n`);
  expect(steps).toEqual(JSON.parse(await readFile(FILE, 'utf8')));
}
