import { ok, type Result } from '../shared/outcome.ts';
import { patternTest } from './pattern.ts';

/**
 * A test for lines that carry the marker. `INVALID_REGEX` tells at once that a pattern is broken, and that a literal would
 * do.
 */
export function markerTest(marker: string, literal: boolean): Result<(message: string) => boolean> {
  if (literal) return ok((message) => message.includes(marker));
  const test = patternTest(marker, 'marker');
  if (test.ok) return test;
  const hint = 'Pass literal: true to look for the text as it is.';
  return { ok: false, fault: { ...test.fault, data: { ...test.fault.data, hint } } };
}
