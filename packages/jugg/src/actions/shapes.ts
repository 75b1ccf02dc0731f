import { z } from 'zod';
import { ERROR_CODES } from '../shared/errors.ts';

/** `[left, top, right, bottom]`, in dp or px as the field's name says. */
export const bounds = z.tuple([z.number(), z.number(), z.number(), z.number()]);
/** `[x, y]` in px. */
export const point = z.tuple([z.number(), z.number()]);
/** ISO-8601 with zone. */
export const time = z.string();
export const count = z.number().int().min(0);

export const errorCode = z.enum(ERROR_CODES);

/** All given fields must hold; exact unless the name says otherwise; short or full ids and class names. */
export const target = z
  .strictObject({
    text: z.string().optional(),
    resourceId: z.string().optional(),
    contentDesc: z.string().optional(),
    className: z.string().optional(),
    testTag: z.string().optional(),
    ref: z
      .string()
      .regex(/^e\d+$/, 'e<number>, as a dump, locate or screenshot gave it')
      .optional(),
    textContains: z.string().optional(),
    textMatches: z.string().optional(),
  })
  .refine((value) => Object.values(value).some((field) => field !== undefined), {
    message:
      'needs at least one of text, resourceId, contentDesc, className, testTag, ref, textContains, textMatches',
  });
export type Target = z.output<typeof target>;

export const screen = z.object({
  width: count,
  height: count,
  rotation: z.number().int().min(0).max(3),
  density: z.number(),
});

export const windowShape = z.object({
  type: z.enum(['activity', 'dialog', 'popup', 'toast', 'system']),
  title: z.string(),
});

export const match = z.object({
  ref: z.string(),
  resourceId: z.string().nullable(),
  text: z.string().nullable(),
  contentDesc: z.string().nullable(),
  className: z.string(),
  testTag: z.string().optional(),
  bounds,
  boundsPx: bounds,
  center: point,
  visible: z.boolean(),
  enabled: z.boolean(),
  clickable: z.boolean(),
  window: windowShape,
  source: z.object({ file: z.string(), line: z.number() }).optional(),
});

export const projectArgs = { projectDir: z.string().describe('Absolute path of the Gradle project') };
export const optionalProjectArgs = { projectDir: z.string().optional() };
/** `D` of the contract's table: one device, and the app on it. */
export const deviceArgs = {
  ...projectArgs,
  serial: z.string().optional(),
  package: z.string().optional(),
};
export const deviceSetArgs = {
  serial: z.string().optional(),
  serials: z.array(z.string()).min(1).optional(),
};
/** `.Activity`, `pkg/.Activity` or a whole class name; Java's letters are those of all scripts. */
export const launchActivity = z
  .string()
  .regex(/^[\p{L}\p{N}_.$]+(\/[\p{L}\p{N}_.$]+)?$/u, 'pkg/.Activity or .Activity')
  .optional();
export const buildArgs = {
  module: z.string().optional(),
  variant: z.string().optional(),
};
export const timeoutMs = z.number().int().min(0).optional();

/** What another client did to the device since this client's last call on it. */
export const deviceChangedBy = z
  .object({ client: z.string(), tool: z.string(), at: time })
  .optional()
  .describe("Another client changed the device since this client's last call on it");

export const deployType = z.enum(['NONE', 'HOT_RELOAD', 'HOT_FIX', 'EMBEDDED', 'INSTALL']);

export const diagnostic = z.object({
  severity: z.enum(['error', 'warning', 'info']),
  tool: z.string(),
  file: z.string().nullable(),
  line: z.number().int().nullable(),
  column: z.number().int().nullable(),
  endLine: z.number().int().optional(),
  endColumn: z.number().int().optional().describe('Of the first character behind the place'),
  message: z.string(),
  code: z.string().optional(),
  task: z.string().optional(),
  generated: z.boolean().optional(),
});

export const testReport = z.object({
  total: count,
  passed: count,
  failed: count,
  skipped: count,
  crashed: count,
  notRun: count,
  cases: z.array(
    z.object({
      class: z.string(),
      method: z.string(),
      status: z.string(),
      ms: z.number().optional(),
      stack: z.string().optional(),
    }),
  ),
});

/** A crash of the app, as Android logs it: the framework's exception around the app's own. */
export const crash = z.object({
  exception: z.string(),
  message: z.string().nullable(),
  stack: z.array(z.string()),
  process: z.string(),
});

/** A list that is cut: at most 20 entries, with the whole count beside it. */
const fileList = z.array(z.string()).max(20);

/** Contract §4. Only what a running job's tiny answer holds is required. */
export const jobOutput = z.object({
  jobId: z.string(),
  kind: z.enum(['compile', 'deploy', 'clean-reinstall', 'gradle-build', 'instrument']),
  status: z.enum(['queued', 'running', 'success', 'failed', 'canceled']),
  isFinal: z.boolean(),
  phase: z.string().optional(),
  percent: z.number().min(0).max(100).optional(),
  queuePosition: count.optional(),
  pollIntervalSuggestedMs: count.optional(),
  isCompileSuccess: z.boolean().nullable().optional(),
  isDeploySuccess: z.boolean().nullable().optional(),
  startedAt: time.nullable().optional(),
  finishedAt: time.nullable().optional(),
  logPath: z.string().optional(),
  detail: z.string().optional(),
  detailLength: count.optional(),
  detailTruncated: z.boolean().optional(),
  diagnostics: z.array(diagnostic).optional(),
  files: z
    .object({ compiled: fileList, deleted: fileList, compiledTotal: count, deletedTotal: count })
    .optional(),
  deployType: deployType.optional(),
  fallback: z.object({ used: z.boolean(), rule: z.string(), reason: z.string() }).optional(),
  timings: z.record(z.string(), z.number()).optional(),
  devices: z
    .array(
      z.object({
        serial: z.string(),
        status: z.enum(['success', 'failed', 'skipped']),
        deployType: deployType.optional(),
        errorCode: errorCode.nullable().optional(),
        message: z.string(),
        timings: z.record(z.string(), z.number()).optional(),
      }),
    )
    .optional(),
  crash: crash.optional().describe('Of the device that the message names'),
  tests: testReport.optional(),
  deviceChangedBy,
});
