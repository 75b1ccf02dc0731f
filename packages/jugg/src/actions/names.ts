/**
 * Names of the tools that are listed and callable, in the order in which they are listed. Apart from the registry, so
 * that `version` can name them without importing itself.
 */
export const LISTED = [
  'version',
  'list-projects',
  'devices',
  'compile',
  'deploy',
  'get-compile-status',
  'list-jobs',
  'cancel-job',
  'status',
  'restart',
  'activity-stack',
  'layout-dump',
  'view-locate',
  'tap',
  'screenshot',
  'wait-logs',
] as const;
export type ListedName = (typeof LISTED)[number];

export function listedNames(): readonly string[] {
  return LISTED;
}
