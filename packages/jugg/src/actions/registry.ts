import type { Action, Contract } from './action.ts';
import { activityStack } from './activity-stack.ts';
import { app } from './app.ts';
import { cancelJob } from './cancel-job.ts';
import { cleanReinstall } from './clean-reinstall.ts';
import { compile } from './compile.ts';
import { deploy } from './deploy.ts';
import { devices } from './devices.ts';
import { doctor } from './doctor.ts';
import { explain } from './explain.ts';
import { figmaLayoutVerify } from './figma-layout-verify.ts';
import { getCompileStatus } from './get-compile-status.ts';
import { gradleBuild } from './gradle-build.ts';
import { input } from './input.ts';
import { instrument } from './instrument.ts';
import { layoutDump } from './layout-dump.ts';
import { layoutVerify } from './layout-verify.ts';
import { listJobs } from './list-jobs.ts';
import { listProjects } from './list-projects.ts';
import type { ListedName } from './names.ts';
import { report } from './report.ts';
import { restart } from './restart.ts';
import { screenshot } from './screenshot.ts';
import { status } from './status.ts';
import { tap } from './tap.ts';
import { version } from './version.ts';
import { viewInspect } from './view-inspect.ts';
import { viewLocate } from './view-locate.ts';
import { waitFor } from './wait-for.ts';
import { waitLogs } from './wait-logs.ts';

/** The tools that work. A new tool is one file and one line here (and its name in `names.ts`). */
const WORKING = {
  version,
  'list-projects': listProjects,
  compile,
  deploy,
  'clean-reinstall': cleanReinstall,
  restart,
  'get-compile-status': getCompileStatus,
  'list-jobs': listJobs,
  'cancel-job': cancelJob,
  status,
  explain,
  devices,
  'activity-stack': activityStack,
  'layout-dump': layoutDump,
  'view-locate': viewLocate,
  'view-inspect': viewInspect,
  tap,
  input,
  'wait-for': waitFor,
  'wait-logs': waitLogs,
  screenshot,
  app,
  doctor,
} satisfies Record<ListedName, unknown>;

/** Defined, but neither listed nor callable yet. */
const DEFINED: readonly Contract[] = [gradleBuild, instrument, layoutVerify, figmaLayoutVerify, report];

// Each action takes the output of its own input schema and gets nothing else (call.ts parses before it runs), so the
// common type forgets which one it is.
const ACTIONS: ReadonlyMap<string, Action> = new Map(Object.entries<Action>(WORKING));

export function findAction(name: string): Action | undefined {
  return ACTIONS.get(name);
}

/** In listing order. */
export function listedActions(): readonly Action[] {
  return [...ACTIONS.values()];
}

/** Every tool of the contract, working or not. */
export function allContracts(): readonly Contract[] {
  return [...ACTIONS.values(), ...DEFINED];
}
