import type { CompileOutcome, CompileRequest } from '../engine/types.ts';
import { fail, type Result } from '../shared/outcome.ts';
import type { WorkContext } from '../shared/progress.ts';
import type { Runtime } from '../runtime/runtime.ts';

/** Longest list of files or diagnostics in an answer; the rest is counted, and in the log. */
const LISTED_FILES = 20;
const LISTED_DIAGNOSTICS = 100;

/** Compiles, logs what the compilers said, and gives a failure the fields that every job has. */
export async function compileForJob(
  runtime: Runtime,
  request: CompileRequest,
  work: WorkContext,
): Promise<Result<CompileOutcome>> {
  const engine = await runtime.engine();
  const compiled = await engine.compile(request, work);
  if (compiled.ok) return compiled;
  const { code, message, data, artifacts } = compiled.fault;
  work.log(`${code}: ${message}`);
  const canceled = code === 'CANCELED';
  return fail(code, message, {
    data: { ...cutDiagnostics(data), isCompileSuccess: canceled ? null : false, isDeploySuccess: null },
    ...(artifacts ? { artifacts } : {}),
  });
}

/** Fields of a job whose compile went well. */
export function compiledFields(outcome: CompileOutcome): Record<string, unknown> {
  return {
    isCompileSuccess: true,
    isDeploySuccess: null,
    files: {
      compiled: outcome.compiledFiles.slice(0, LISTED_FILES),
      deleted: outcome.deletedFiles.slice(0, LISTED_FILES),
      compiledTotal: outcome.compiledFiles.length,
      deletedTotal: outcome.deletedFiles.length,
    },
    ...cutDiagnostics({ diagnostics: outcome.diagnostics }),
    ...(outcome.fallback ? { fallback: outcome.fallback } : {}),
    timings: { ...outcome.timings, total: totalMs(outcome.timings) },
  };
}

function cutDiagnostics(data: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const { diagnostics } = data;
  if (!Array.isArray(diagnostics)) return { ...data };
  return { ...data, diagnostics: diagnostics.slice(0, LISTED_DIAGNOSTICS) };
}

/** Sum of the phases, in whole ms; `total` itself is not counted again. */
export function totalMs(timings: Readonly<Record<string, number>>): number {
  return Math.round(
    Object.entries(timings).reduce((sum, [phase, ms]) => (phase === 'total' ? sum : sum + ms), 0),
  );
}

export function compileSentence(outcome: CompileOutcome): string {
  const files = outcome.compiledFiles.length;
  const ms = totalMs(outcome.timings);
  switch (outcome.kind) {
    case 'none':
      return 'Nothing has changed since the last compile.';
    case 'full':
      return `Full build of ${files} files in ${ms} ms, because ${outcome.reason} (${outcome.rule}).`;
    case 'incremental':
      if (files === 0) return `Built in ${ms} ms; no source file had to be compiled.`;
      return `Compiled ${files} ${files === 1 ? 'file' : 'files'} in ${ms} ms.`;
  }
}
