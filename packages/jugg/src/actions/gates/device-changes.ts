import { fail, ok, type Result } from '../../shared/outcome.ts';
import type { Answer } from '../action.ts';
import type { CallContext } from '../context.ts';

/** Tools that change what is on the screen; the others only look, and wait for nobody. */
export const CHANGES_DEVICE: ReadonlySet<string> = new Set(['tap', 'input', 'app']);

/**
 * Runs what changes a device after all that came before and changes it, too: input of two agents never mixes. The other
 * clients are told of it afterwards.
 */
export function changingDevice<T extends { readonly ok: boolean }>(
  serial: string,
  context: Pick<CallContext, 'runtime' | 'client' | 'tool' | 'signal'>,
  work: () => Promise<T>,
): Promise<T | Result<never>> {
  const { deviceUse } = context.runtime;
  return deviceUse.inOrder(serial, async () => {
    if (context.signal.aborted)
      return fail('CANCELED', 'The call ended while others were still using the device.');
    const result = await work();
    if (result.ok)
      deviceUse.noteChange(serial, {
        client: context.client,
        tool: context.tool,
        at: context.runtime.now().toISOString(),
      });
    return result;
  });
}

/** Adds `deviceChangedBy` when another client has changed one of the devices since this client's last call on it. */
export function withOthersChanges(
  serials: readonly string[],
  { runtime, client }: Pick<CallContext, 'runtime' | 'client'>,
  result: Result<Answer>,
): Result<Answer> {
  const [deviceChangedBy] = serials
    .map((serial) => runtime.deviceUse.changedBy(serial, client))
    .filter((change) => change !== undefined);
  if (!deviceChangedBy) return result;
  if (result.ok) return ok({ ...result.value, data: { ...result.value.data, deviceChangedBy } });
  return { ok: false, fault: { ...result.fault, data: { ...result.fault.data, deviceChangedBy } } };
}
