import { readFile } from 'node:fs/promises';
import { fail, ok, type Result } from '../shared/outcome.ts';
import type { InspectorConnection } from './inspector-connection.ts';
import { redefineSchema } from './inspector-wire.ts';
import type { ClassRedefinition } from './types.ts';

/** Redefinition stops all threads of the app, and the virtual device translates dex files first. */
const TIMEOUT_MS = 20_000;

/** All classes or none; the time is the app's own for the redefinition itself. */
export async function redefineClasses(
  inspector: InspectorConnection,
  classes: readonly ClassRedefinition[],
  signal: AbortSignal,
): Promise<Result<{ readonly tookMs: number }>> {
  const sent: { name: string; dex: string }[] = [];
  for (const { name, code } of classes) {
    try {
      // The inspector passes on what it gets; the device tells the two kinds of files apart.
      sent.push({ name, dex: (await readFile(code)).toString('base64') });
    } catch (error) {
      return fail('DEPLOY_FAILED', `The compiled class ${name} cannot be read: ${String(error)}`);
    }
  }
  const done = await inspector.request('redefine', { classes: sent }, redefineSchema, {
    timeoutMs: TIMEOUT_MS,
    signal,
  });
  return done.ok ? ok({ tookMs: Math.round(done.value.micros / 1000) }) : done;
}
