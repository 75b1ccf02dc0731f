import type { ErrorCode } from '../shared/errors.ts';
import type { Fault } from '../shared/outcome.ts';
import { parseArguments } from './arguments.ts';
import type { ListedName } from './names.ts';
import { findAction } from './registry.ts';

export interface NextTool {
  readonly name: ListedName;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** Codes after which one call helps, whatever the tool was. */
const NEXT: Readonly<Partial<Record<ErrorCode, ListedName>>> = {
  APP_NOT_INSTALLED: 'deploy',
  APP_NOT_RUNNING: 'restart',
  APP_NOT_FOREGROUND: 'restart',
  APP_EXITED: 'restart',
  NO_BASELINE: 'compile',
  DEPLOY_FAILED: 'clean-reinstall',
  ELEMENT_NOT_FOUND: 'layout-dump',
  JOB_NOT_FOUND: 'list-jobs',
  ENVIRONMENT_ERROR: 'doctor',
};

/** Refusals of an install that go away with the installed app. */
const GONE_WITH_OLD_APP: ReadonlySet<unknown> = new Set([
  'INSTALL_FAILED_UPDATE_INCOMPATIBLE',
  'INSTALL_FAILED_VERSION_DOWNGRADE',
]);

/** What a failed call hands on to the next: where it was, not what it did. */
const HANDED_ON = ['projectDir', 'serial', 'serials', 'package'] as const;

/**
 * The call that helps after `fault` of `tool`, with arguments that its own schema takes; `null` when there is none: a
 * tool is never its own remedy, and none is named that would act on another app than the one that was meant.
 */
export function nextTool(fault: Fault, tool: string, given: unknown): NextTool | null {
  const name = remedy(fault);
  if (name === null || name === tool) return null;
  const action = findAction(name);
  if (!action) return null;
  const handedOn = Object.fromEntries(
    HANDED_ON.map((key) => [key, property(given, key)]).filter(([, value]) => value !== undefined),
  );
  return parseArguments(action, handedOn).ok ? { name, arguments: handedOn } : null;
}

function remedy({ code, data }: Fault): ListedName | null {
  if (code === 'INSTALL_FAILED' && GONE_WITH_OLD_APP.has(data?.['reason'])) return 'clean-reinstall';
  return NEXT[code] ?? null;
}

function property(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
