import type { Space } from '../fs/space.ts';
import type { Faults } from './faults.ts';

/** The room that a full disk leaves; without the fault the host's disk is the limit. */
export function faultySpace(faults: Faults): Space {
  let left = 0;
  faults.onChange((change) => {
    if (change.kind === 'set' && change.name === 'disk-full') left = faults.get('disk-full')?.freeBytes ?? 0;
  });
  return {
    take(bytes) {
      if (!faults.get('disk-full')) return true;
      if (bytes > left) return false;
      left -= bytes;
      return true;
    },
    free: () => (faults.get('disk-full') ? left : null),
  };
}
