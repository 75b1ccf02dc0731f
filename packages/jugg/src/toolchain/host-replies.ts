import { z } from 'zod';
import type { ClassInfo, CompileReply } from './types.ts';

/** Shapes of the host's answers (`jvm/compile-host`); absent parts are null there. */
export const diagnostic = z
  .object({
    severity: z.enum(['error', 'warning', 'info']),
    tool: z.enum(['javac', 'kotlinc', 'd8']),
    file: z.string().nullable(),
    line: z.number().nullable(),
    column: z.number().nullable(),
    endLine: z.number().nullable(),
    endColumn: z.number().nullable(),
    message: z.string(),
    code: z.string().nullable(),
  })
  .transform(({ code, endLine, endColumn, ...rest }) => ({
    ...rest,
    ...(endLine === null || endColumn === null ? {} : { endLine, endColumn }),
    ...(code === null ? {} : { code }),
  }));

export const compileReply = z.object({
  success: z.boolean(),
  diagnostics: z.array(diagnostic),
  compiled: z.array(z.string()),
  written: z.array(z.string()),
  removed: z.array(z.string()),
}) satisfies z.ZodType<CompileReply>;

export const classInfo = z.object({
  file: z.string(),
  name: z.string(),
  bytes: z.string(),
  shape: z.string(),
  abi: z.string(),
  nested: z.string(),
  sourceFile: z.string().nullable(),
  superName: z.string().nullable(),
  interfaces: z.array(z.string()),
  references: z.array(z.string()),
  shown: z.array(z.string()),
  constants: z.array(z.string()),
  nest: z.object({ privates: z.array(z.string()), accesses: z.array(z.string()) }).nullable(),
}) satisfies z.ZodType<ClassInfo>;

export const classInfoReply = z.object({ classes: z.array(classInfo) });

export const dexReply = z
  .object({ diagnostics: z.array(diagnostic), dex: z.record(z.string(), z.string()) })
  .transform(({ diagnostics, dex }) => ({ diagnostics, dex: new Map(Object.entries(dex)) }));

export const filesReply = z.object({ diagnostics: z.array(diagnostic), files: z.array(z.string()) });

export const signReply = z.object({ output: z.string() });

export const stubJarReply = z.object({ output: z.string(), classes: z.number() });
