import { juggDirs } from '../shared/paths.ts';
import { callTool, connect } from './call.ts';
import { faultEnvelope, type CliEnvelope } from './envelope.ts';

/** `jugg init`: the user's yes. The server takes it from any call that carries the token; `status` also looks at the project. */
export async function initCommand(projectDir: string): Promise<CliEnvelope> {
  const link = await connect(juggDirs());
  if (!link.ok) return faultEnvelope(link.fault);
  const envelope = await callTool(link.value, 'status', { projectDir, refreshChanges: false });
  if (envelope.status !== 'OK') return envelope;
  return { ...envelope, message: `Jugg may build ${projectDir} from now on, as you. ${envelope.message}` };
}
