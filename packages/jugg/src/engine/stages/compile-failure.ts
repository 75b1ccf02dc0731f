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
  const cause = first === undefined ? '' : `: ${place}${headline(first.message)}${more}`;
  return fail(code, `${what}${cause}. Mend it and call again.`, { data: { diagnostics } });
}

/** The first line; of one that only announces a list (`Redeclaration:`) also what it announces. */
function headline(message: string): string {
  const [first = '', ...rest] = message.split('\n').map((line) => line.trim());
  const text = first.endsWith(':') ? `${first} ${rest.filter((line) => line !== '').join(', ')}` : first;
  return text.slice(0, 300).replace(/[.\s]+$/, '');
}

/**
 * The fault of a compile in which javac failed before the Kotlin compiler did. What javac says of the sources that changed is
 * the cause, and comes first; what it says of others is a consequence, which a build of everything does not come to.
 */
export function joinedErrors(java: Fault, kotlin: Fault, changed: ReadonlySet<string>): Result<never> {
  if (!isSourceFault(java) || !isSourceFault(kotlin)) return { ok: false, fault: kotlin };
  const causes = diagnosticsOf(java).filter(({ file }) => file != null && changed.has(file));
  return compileError([...causes, ...diagnosticsOf(kotlin)]);
}

/** The diagnostics in a fault of a compile; their shape is our own. */
export function diagnosticsOf(fault: Fault): readonly Diagnostic[] {
  const list = fault.data?.['diagnostics'];
  return Array.isArray(list) ? (list as Diagnostic[]) : [];
}

/** True when the sources are to blame, and outputs are as they were before. */
export function isSourceFault(fault: Fault): boolean {
  return fault.code === 'COMPILE_ERROR' || fault.code === 'RESOURCE_ERROR';
}
