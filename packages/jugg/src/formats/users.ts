import { fail, ok, type Result } from '../shared/outcome.ts';

export interface DeviceUser {
  readonly id: number;
  readonly name: string;
  readonly flags: number;
  readonly running: boolean;
}

/** Reads `pm list users`; names may hold blanks and colons: the number is the first field and the flags the last. */
export function parseUsers(output: string): DeviceUser[] {
  return [...output.matchAll(/UserInfo\{(\d+):(.*):([0-9a-f]+)\}( running)?/g)].map((found) => ({
    id: Number(found[1]),
    name: found[2] ?? '',
    flags: Number.parseInt(found[3] ?? '0', 16),
    running: found[4] !== undefined,
  }));
}

// UserController.handleIncomingUser and its wordings on phones that can run an app twice.
const DENIED = [
  /SecurityException: Shell does not have permission to access user (-?\d+)/,
  /SecurityException: Permission Denial: .* asks to run as user (-?\d+)/,
];

/** The user that the shell may not ask about, or `null`: not at all the same as "not installed". */
export function deniedUser(output: string): number | null {
  for (const form of DENIED) {
    const found = form.exec(output);
    if (found) return Number(found[1]);
  }
  return null;
}

/** Package names of `pm list packages`; `USER_NOT_ACCESSIBLE` (with those seen in `data.packages`) when it was cut off. */
export function parsePackageList(output: string): Result<readonly string[]> {
  const packages = [...output.matchAll(/^package:(?:.*=)?(\S+)\s*$/gm)].map((found) => found[1] ?? '');
  const user = deniedUser(output);
  if (user === null) return ok(packages);
  return fail('USER_NOT_ACCESSIBLE', `The device does not let adb ask about user ${user}.`, {
    data: { deniedUserId: user, packages, complete: false },
  });
}
