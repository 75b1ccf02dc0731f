import type { OpenService } from '../adbd/server.ts';
import type { Faults } from './faults.ts';

/** Services that a stall names are opened once it is cleared. */
export function whenNotStalled(faults: Faults, open: OpenService): OpenService {
  return (service, client) => {
    const stalled = faults.get('stall')?.service;
    if (stalled === undefined || !isNamed(service, stalled)) return open(service, client);
    return faults.whenCleared('stall').then(() => open(service, client));
  };
}

/** `shell` names `shell:ls` and `shell,v2:ls`; a whole name such as `localabstract:x` names itself. */
function isNamed(service: string, name: string): boolean {
  return service === name || [':', ','].some((end) => service.startsWith(name + end));
}
