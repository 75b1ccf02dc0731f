import { join } from 'node:path';
import { installLastWords } from '../mcp/last-words.ts';
import { localBackend } from '../mcp/local-backend.ts';
import { remoteBackend } from '../mcp/remote-backend.ts';
import { argumentNames, isOwnProject, withSession, type Session } from '../mcp/session.ts';
import { runStdio } from '../mcp/stdio.ts';
import type { ToolBackend } from '../mcp/server.ts';
import { toolList } from '../mcp/tools.ts';
import { createRuntime } from '../runtime/create.ts';
import { loadSettings } from '../runtime/settings.ts';
import { openLog } from '../shared/log.ts';
import { juggDirs } from '../shared/paths.ts';
import { VERSION } from '../shared/version.ts';
import { connect } from './call.ts';

/** `jugg mcp`: a bridge to the running server, or, stand-alone, the tools in this process. */
export async function mcpCommand(projectDir: string | null, standalone: boolean): Promise<number> {
  const dirs = juggDirs();
  const log = openLog(join(dirs.logs, `stdio-${process.pid}.log`));
  installLastWords(log);
  const onError = (error: unknown): void => log.error('stdio', error);
  const session: Session = { projectDir, serial: process.env['ANDROID_SERIAL'] };
  if (!standalone) {
    await runStdio(
      remoteBackend(() => connect(dirs), session),
      onError,
    );
    await log.close();
    return 0;
  }
  const { settings } = await loadSettings(projectDir);
  const info = {
    kind: 'stdio' as const,
    version: VERSION,
    pid: process.pid,
    port: null,
    startedAt: new Date().toISOString(),
  };
  const runtime = createRuntime({ info, dirs, settings, log });
  const local = localBackend(runtime, true);
  const others = localBackend(runtime, false);
  const known = argumentNames(toolList());
  const backend: ToolBackend = {
    list: local.list,
    call: (name, args, caller) => {
      const given = withSession(name, args, known.get(name) ?? new Set(), session);
      return (isOwnProject(given, session) ? local : others).call(name, given, caller);
    },
  };
  await runStdio(backend, onError);
  await runtime.close();
  await log.close();
  return 0;
}
