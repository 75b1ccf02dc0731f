import { z } from 'zod';
import { unusableReason } from '../runtime/devices.ts';
import { ok } from '../shared/outcome.ts';
import type { DeployedState } from '../deploy/types.ts';
import type { ChangeSet } from '../engine/types.ts';
import { defineAction, READ_ONLY } from './action.ts';
import { chooseDevice } from '../runtime/devices.ts';
import type { ProjectContext } from './context.ts';
import { withProject } from './gates/project.ts';
import { count, deployType, projectArgs, time } from './shapes.ts';

const LISTED_FILES = 20;
const RECENT_JOBS = 20;
const DEPLOYS: ReadonlySet<string> = new Set(['deploy', 'clean-reinstall']);
const file = z.object({ file: z.string(), type: z.string() });
const lastFiles = z.object({ files: z.object({ compiled: z.array(z.string()) }) });

export const status = defineAction({
  name: 'status',
  title: 'Project status',
  description:
    'Says what changed since the last compile and deploy, which devices there are, and whether a build is running. Never waits for one.',
  input: z.strictObject({
    ...projectArgs,
    refreshChanges: z.boolean().default(true),
    fullInfo: z.boolean().default(false),
  }),
  output: z.object({
    hasDevice: z.boolean(),
    devices: z.array(z.object({ serial: z.string(), state: z.string(), usable: z.boolean() })),
    hasBeenFullCompiled: z.boolean(),
    needFallback: z.boolean(),
    fallbackRule: z.string().optional(),
    fallbackReason: z.string().optional(),
    pendingModifiedFiles: z.object({ total: count }).catchall(count),
    files: z.array(file),
    deletedFiles: z.array(file),
    lastFileModifiedTime: time.nullable(),
    lastCompileTime: time.nullable(),
    lastDeploy: z
      .object({ time, deployType, serial: z.string(), applicationId: z.string(), files: z.array(z.string()) })
      .nullable(),
    isCompiling: z.boolean(),
    runningJob: z.object({ jobId: z.string(), kind: z.string(), phase: z.string().nullable() }).optional(),
    variant: z.string().nullable(),
    module: z.string().nullable(),
  }),
  annotations: READ_ONLY,
  run: withProject(async (input, context) => {
    const { runtime, projectDir, signal } = context;
    const engine = await runtime.engine();
    const project = await engine.describe(projectDir);
    if (!project.ok) return project;
    const changes = project.value.hasBeenFullCompiled ? await engine.changes(projectDir) : undefined;
    const refs = await (await runtime.devices()).list(signal);
    const chosen = chooseDevice(refs, {
      serial: undefined,
      environmentSerial: process.env['ANDROID_SERIAL'],
      selectedSerial: context.selectedSerial,
    });
    const deployed = chosen.ok
      ? await (await runtime.deployer()).lastDeployed(projectDir, chosen.value.serial)
      : null;
    const running = runtime.jobs.running(projectDir);
    const set: ChangeSet = changes?.ok ? changes.value : { changed: [], deleted: [] };
    const limit = input.fullInfo ? Number.POSITIVE_INFINITY : LISTED_FILES;
    const app = project.value.modules.find((module) => module.kind === 'app');
    const newest = Math.max(...set.changed.map((change) => change.modifiedAtMs));
    const total = set.changed.length + set.deleted.length;
    const fallback = changes && !changes.ok ? changes.fault : undefined;
    return ok({
      message: sentence(project.value.hasBeenFullCompiled, total, running !== undefined),
      data: {
        hasDevice: refs.some((ref) => unusableReason(ref) === null),
        devices: refs.map((ref) => ({
          serial: ref.serial,
          state: ref.state,
          usable: unusableReason(ref) === null,
        })),
        hasBeenFullCompiled: project.value.hasBeenFullCompiled,
        needFallback: !project.value.hasBeenFullCompiled || fallback !== undefined,
        ...(project.value.hasBeenFullCompiled
          ? {}
          : {
              fallbackRule: 'no-baseline',
              fallbackReason: `The next compile or deploy builds all of the project: ${project.value.noBaseline}.`,
            }),
        ...(fallback ? { fallbackRule: fallback.code, fallbackReason: fallback.message } : {}),
        pendingModifiedFiles: { total, ...countByType(set) },
        files: set.changed.slice(0, limit).map(({ file: path, type }) => ({ file: path, type })),
        deletedFiles: set.deleted.slice(0, limit).map(({ file: path, type }) => ({ file: path, type })),
        lastFileModifiedTime: set.changed.length > 0 ? new Date(newest).toISOString() : null,
        lastCompileTime:
          project.value.lastCompileAtMs === null
            ? null
            : new Date(project.value.lastCompileAtMs).toISOString(),
        lastDeploy: deployed && chosen.ok ? await lastDeploy(deployed, chosen.value.serial, context) : null,
        isCompiling: running !== undefined,
        ...(running
          ? { runningJob: { jobId: running.record.jobId, kind: running.record.kind, phase: running.phase } }
          : {}),
        variant: project.value.variant,
        module: app?.name ?? null,
      },
    });
  }),
});

function countByType(set: ChangeSet): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { type } of [...set.changed, ...set.deleted]) counts[type] = (counts[type] ?? 0) + 1;
  return counts;
}

function sentence(built: boolean, pending: number, running: boolean): string {
  const now = running ? ' A job is running.' : '';
  if (!built) return `Not built yet: the next compile or deploy builds the whole project.${now}`;
  return `${pending === 0 ? 'No' : pending} pending ${pending === 1 ? 'change' : 'changes'}.${now}`;
}

/** What the device got last, and the files that were compiled for it as far as the job is still known. */
async function lastDeploy(
  deployed: DeployedState,
  serial: string,
  { runtime, projectDir }: ProjectContext,
): Promise<Record<string, unknown>> {
  const jobs = await runtime.jobs.list(projectDir, RECENT_JOBS);
  const job = jobs.find(({ kind, status: ended }) => DEPLOYS.has(kind) && ended === 'success');
  const files = lastFiles.safeParse(job?.data);
  const { deployedAt, deployType: type, applicationId } = deployed;
  return {
    time: deployedAt,
    deployType: type,
    serial,
    applicationId,
    files: files.success ? files.data.files.compiled : [],
  };
}
