import { fail, type Fault, type Result } from '../../shared/outcome.ts';
import type { Diagnostic } from '../types.ts';

/** The fault of a compile that the sources are to blame for: `COMPILE_ERROR` with the first error in the message. */
export function compileError(diagnostics: readonly Diagnostic[]): Result<never> {
  return failure('COMPILE_ERROR', 'The code does not compile', diagnostics);
}

export function resourceError(diagnostics: readonly Diagnostic[]): Result<never> {
  return failure('RESOURCE_ERROR', 'The resources cannot be built', diagnostics);
}

function failure(
  code: 'COMPILE_ERROR' | 'RESOURCE_ERROR',
  what: string,
  diagnostics: readonly Diagnostic[],
): Result<never> {
  const errors = diagnostics.filter((one) => one.severity === 'error');
  const [first] = errors;
  const place = first?.file ? `${first.file}:${first.line ?? 1}: ` : '';
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  const cause = first === undefined ? '' : `: ${place}${first.message.split('\n')[0]}${more}`;
  return fail(code, `${what}${cause}. Mend it and call again.`, { data: { diagnostics } });
}

/** True when the sources are to blame, and outputs are as they were before. */
export function isSourceFault(fault: Fault): boolean {
  return fault.code === 'COMPILE_ERROR' || fault.code === 'RESOURCE_ERROR';
}
