import { RE2JS } from 're2js';
import { fail, ok, type Result } from '../shared/outcome.ts';

/** Longest pattern; a longer one is a mistake, or worse. */
const LONGEST = 1000;

/**
 * A test by a client's regular expression. RE2 takes time in proportion to the text: JavaScript's own engine can take for
 * ever, and the text is the app's, so nobody could foresee it. Lookaround and back references are what RE2 lacks.
 *
 * @param argument the name by which `INVALID_REGEX` calls it
 */
export function patternTest(pattern: string, argument: string): Result<(text: string) => boolean> {
  if (pattern.length > LONGEST)
    return fail(
      'INVALID_REGEX',
      `${argument}: got ${pattern.length} characters, expected at most ${LONGEST}`,
      { data: { argument } },
    );
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
    return ok((text) => compiled.matcher(text).find());
  } catch (error) {
    const said =
      error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : String(error);
    const lacks = /\(\?[=!<]|\\[1-9]/.test(pattern)
      ? ' Lookaround and back references are not supported.'
      : '';
    return fail('INVALID_REGEX', `${argument} is not a regular expression: ${said}.${lacks}`, {
      data: { argument },
    });
  }
}
