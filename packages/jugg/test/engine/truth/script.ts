import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Tree } from './render.ts';

const stepSchema = z.object({
  name: z.string(),
  write: z.record(z.string(), z.string()),
  remove: z.array(z.string()),
  /** A file that gets a new time and nothing else. */
  touch: z.string().nullable().default(null),
});

/** A project and its edits, free of what made them up: what is kept of a failure is such a script. */
export const scriptSchema = z.object({
  /** What went wrong with it. */
  about: z.string(),
  files: z.record(z.string(), z.string()),
  steps: z.array(stepSchema),
});

export type Step = z.output<typeof stepSchema>;
export type Script = z.output<typeof scriptSchema>;

export function differenceOf(before: Tree, after: Tree): Pick<Step, 'write' | 'remove'> {
  const changed = Object.entries(after).filter(([file, text]) => before[file] !== text);
  return {
    write: Object.fromEntries(changed),
    remove: Object.keys(before).filter((file) => !(file in after)),
  };
}

/** The top folders of all that a step changes: modules, and the project's own files as ''. */
export function touchedModules({ write, remove }: Pick<Step, 'write' | 'remove'>): Set<string> {
  return new Set(
    [...Object.keys(write), ...remove].map((file) => (file.includes('/') ? (file.split('/')[0] ?? '') : '')),
  );
}

export async function apply(dir: string, { write, remove, touch }: Omit<Step, 'name'>): Promise<void> {
  for (const file of remove) await rm(join(dir, file), { force: true });
  for (const [file, text] of Object.entries(write)) {
    await mkdir(dirname(join(dir, file)), { recursive: true });
    await writeFile(join(dir, file), text);
  }
  const now = new Date();
  if (touch !== null) await utimes(join(dir, touch), now, now).catch(() => {});
}
