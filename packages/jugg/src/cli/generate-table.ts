import { jobOutput } from '../actions/shapes.ts';
import { listedActions } from '../actions/registry.ts';
import { JOB_KINDS } from '../runtime/job-store.ts';
import { VERSION } from '../shared/version.ts';
import { toCommand } from './table.ts';
import type { CommandTable } from './table-types.ts';

const JOBS: ReadonlySet<string> = new Set(JOB_KINDS);

/** Run at build time (scripts/bundle.mjs): the CLI reads the result as JSON. */
export function commandTable(): CommandTable {
  const commands = listedActions().map((action) =>
    toCommand(action, JOBS.has(action.name) && action.output === jobOutput),
  );
  return { version: VERSION, commands };
}
