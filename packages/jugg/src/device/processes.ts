import type { AdbConnection } from '../adb/types.ts';
import { parseProcesses } from '../formats/properties.ts';
import { ok, type Result } from '../shared/outcome.ts';
import { run } from './shell.ts';
import type { AppProcess } from './types.ts';

/** Since Android 8 `ps` needs `-A` to list others' processes; before, it knows no options. */
const PS_OPTIONS_API = 26;

/** Running processes of a package for one user, the main one first. */
export async function readProcesses(
  connection: AdbConnection,
  { api, user, packageName }: { readonly api: number; readonly user: number; readonly packageName: string },
  signal: AbortSignal,
): Promise<Result<readonly AppProcess[]>> {
  const command = api >= PS_OPTIONS_API ? ['ps', '-A', '-o', 'USER,PID,NAME'] : ['ps'];
  const output = await run(connection, command, signal);
  if (!output.ok) return output;
  const own = parseProcesses(output.value.stdout).filter(({ name, user: owner }) => {
    // Apps of other users run as u10_a133: the same name there is another app to this session.
    const other = /^u(\d+)_/.exec(owner);
    const isOthers = other !== null && Number(other[1]) !== user;
    return !isOthers && (name === packageName || name.startsWith(`${packageName}:`));
  });
  return ok(own.sort((a, b) => Number(b.name === packageName) - Number(a.name === packageName)));
}
