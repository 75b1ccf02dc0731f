import { z } from 'zod';
import { ok } from '../shared/outcome.ts';
import { PROTOCOL_VERSIONS } from '../shared/protocol-versions.ts';
import { defineAction, READ_ONLY } from './action.ts';
import { listedNames } from './names.ts';
import { time } from './shapes.ts';

export const version = defineAction({
  name: 'version',
  title: 'Version',
  description:
    'Says which Jugg answers, which MCP revisions it speaks and which tools it has. Needs no project.',
  input: z.strictObject({}),
  output: z.object({
    version: z.string(),
    protocolVersions: z.array(z.string()),
    runtime: z.object({
      kind: z.enum(['server', 'stdio', 'cli']),
      pid: z.number().int(),
      port: z.number().int().nullable(),
      startedAt: time,
    }),
    capabilities: z.array(z.string()),
  }),
  annotations: READ_ONLY,
  run: async (_input, { runtime }) => {
    const { kind, pid, port, startedAt, version: own } = runtime.info;
    return ok({
      message: `Jugg ${own}.`,
      data: {
        version: own,
        protocolVersions: PROTOCOL_VERSIONS,
        runtime: { kind, pid, port, startedAt },
        capabilities: listedNames(),
      },
    });
  },
});
