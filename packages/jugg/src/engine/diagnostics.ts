import type { Result } from '../shared/outcome.ts';
import { compileError, diagnosticsOf, isSourceFault, resourceError } from './stages/compile-failure.ts';
import type { Diagnostic } from './types.ts';

/** More than these nobody reads; the first ones are those to mend. */
const MOST = 100;

/**
 * The most useful ones first: errors before warnings, and of each those in files that were changed, where the cause of a
 * chain is, before those in files that only use them. Otherwise as the compilers told them, each once.
 */
export function mostUseful(diagnostics: readonly Diagnostic[], changed: ReadonlySet<string>): Diagnostic[] {
  const rank = ({ severity, file }: Diagnostic): number =>
    ({ error: 0, warning: 2, info: 4 })[severity] + (file !== null && changed.has(file) ? 0 : 1);
  const once = new Map(diagnostics.map((one) => [JSON.stringify(one), one]));
  return [...once.values()].sort((a, b) => rank(a) - rank(b)).slice(0, MOST);
}

/** A failure of a compile with its diagnostics in that order; any other failure as it is. */
export function usefulFailure(failure: Result<never>, changed: ReadonlySet<string>): Result<never> {
  if (failure.ok || !isSourceFault(failure.fault)) return failure;
  const ordered = mostUseful(diagnosticsOf(failure.fault), changed);
  if (ordered.length === 0) return failure;
  return failure.fault.code === 'COMPILE_ERROR' ? compileError(ordered) : resourceError(ordered);
}
