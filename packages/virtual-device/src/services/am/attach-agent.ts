import type { RunningApp } from '../../apps/app-process-record.ts';
import { complain } from '../../shell/command.ts';
import type { CommandContext } from '../../shell/command.ts';
import { throws } from '../services.ts';
import type { Services, SubCommand } from '../services.ts';

/** `am attach-agent <PROCESS> <FILE>[=OPTIONS]` */
export const attachAgent: SubCommand = async (context, args, services) => {
  const [process, agent] = args;
  if (process === undefined || agent === undefined) {
    await context.stderr.write('Error: no process or agent specified\n');
    return 1;
  }
  const pid = /^\d+$/.test(process) ? Number(process) : null;
  const app = pid === null ? services.apps.byProcessName(process) : services.apps.byPid(pid);
  if (!app)
    return throws(context, 'attach-agent', `java.lang.IllegalArgumentException: Unknown process: ${process}`);
  if (!app.record.manifest.debuggable) {
    return throws(
      context,
      'attach-agent',
      `java.lang.SecurityException: Process not debuggable: ProcessRecord{${app.pid}:${app.processName}/${app.uid}}`,
    );
  }
  return attach(context, app, agent, services);
};

/**
 * Loads an agent into a process. The paths of the agent and of `jar=` in its options are the device's.
 * A phone prints nothing when that fails, it only logs; here the reason is printed, too.
 */
export async function attach(
  context: CommandContext,
  app: RunningApp,
  agent: string,
  services: Services,
): Promise<number> {
  const [file = '', options = ''] = agent.split(/=(.*)/s);
  const path = await hostPath(file, services);
  if (path === null) return complain(context, `agent ${file}: No such file or directory`);
  const translated: string[] = [];
  for (const pair of options === '' ? [] : options.split(',')) {
    const [key = '', value = ''] = pair.split(/=(.*)/s);
    const host = key === 'jar' ? await hostPath(value, services) : value;
    if (host === null) return complain(context, `agent option ${key}: ${value}: No such file or directory`);
    translated.push(`${key}=${host}`);
  }
  const attached = await app.port.request('attachAgent', { path, options: translated.join(',') });
  if (attached.ok) return 0;
  services.log.system('ActivityThread', `Failed to attach agent ${file}: ${attached.fault.message}`, 'W');
  return complain(context, `attach-agent: ${attached.fault.code}: ${attached.fault.message}`);
}

async function hostPath(path: string, { files }: Services): Promise<string | null> {
  const found = await files.stat(path);
  return found.ok ? files.hostPath(found.value.path) : null;
}
