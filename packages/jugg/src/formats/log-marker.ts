import { fail, ok, type Result } from '../shared/outcome.ts';

/**
 * A test for lines that carry the marker. A literal is plain text; a regular expression is JavaScript's.
 * `INVALID_REGEX` tells at once that a pattern is broken.
 */
export function markerTest(marker: string, literal: boolean): Result<(message: string) => boolean> {
  if (literal) return ok((message) => message.includes(marker));
  try {
    const pattern = new RegExp(marker, 'u');
    return ok((message) => pattern.test(message));
  } catch {
    // Without the flag more patterns are valid: `\-`, `\_`, a lone `{`.
  }
  try {
    const pattern = new RegExp(marker);
    return ok((message) => pattern.test(message));
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    return fail('INVALID_REGEX', `marker is not a regular expression: ${said}`, {
      data: { argument: 'marker', hint: 'Pass literal: true to look for the text as it is.' },
    });
  }
}
