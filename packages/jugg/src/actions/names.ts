/**
 * Names of the tools that are listed and callable, in the order of the contract's table. Apart from the registry, so
 * that `version` can name them without importing itself.
 */
export const LISTED = [
  'version',
  'list-projects',
  'compile',
  'deploy',
  'clean-reinstall',
  'restart',
  'get-compile-status',
  'list-jobs',
  'cancel-job',
  'status',
  'explain',
  'devices',
  'activity-stack',
  'layout-dump',
  'view-locate',
  'view-inspect',
  'tap',
  'input',
  'wait-for',
  'wait-logs',
  'screenshot',
  'app',
  'doctor',
] as const;
export type ListedName = (typeof LISTED)[number];

export function listedNames(): readonly string[] {
  return LISTED;
}
