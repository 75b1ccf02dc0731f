import { join } from 'node:path';
import { installLastWords } from '../mcp/last-words.ts';
import { localBackend } from '../mcp/local-backend.ts';
import { remoteBackend } from '../mcp/remote-backend.ts';
import { isOwnProject, withProject } from '../mcp/session-project.ts';
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
  if (!standalone) {
    await runStdio(
      remoteBackend(() => connect(dirs), projectDir),
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
  const takesProject = new Set(
    toolList()
      .filter((tool) => tool.inputSchema.properties?.['projectDir'] !== undefined)
      .map((tool) => tool.name),
  );
  const backend: ToolBackend = {
    list: local.list,
    call: (name, args, caller) => {
      const given = withProject(args, takesProject.has(name) ? projectDir : null);
      return (isOwnProject(given, projectDir) ? local : others).call(name, given, caller);
    },
  };
  await runStdio(backend, onError);
  await runtime.close();
  await log.close();
  return 0;
}
