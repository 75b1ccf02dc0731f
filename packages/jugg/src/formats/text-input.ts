import { fail, ok, type Result } from '../shared/outcome.ts';

/** One call of the device's `input`: a text (its own `%s` rule taken care of) or a key. */
export type InputStep = { readonly text: string } | { readonly key: 'KEYCODE_ENTER' | 'KEYCODE_TAB' };

/**
 * The steps that type exactly `text`. `input text` turns `%s` into a blank and knows no escape, so a text is split
 * between the two characters; line feeds and tabs are keys. Other characters than printable ASCII crash `input`:
 * `TEXT_NOT_ASCII` before anything is sent.
 */
export function inputSteps(text: string): Result<readonly InputStep[]> {
  const steps: InputStep[] = [];
  let run = '';
  const flush = (): void => {
    if (run !== '') steps.push({ text: run });
    run = '';
  };
  for (const char of text.replaceAll('\r\n', '\n')) {
    if (char === '\n' || char === '\t') {
      flush();
      steps.push({ key: char === '\n' ? 'KEYCODE_ENTER' : 'KEYCODE_TAB' });
      continue;
    }
    if (char < ' ' || char > '~')
      return fail('TEXT_NOT_ASCII', `The device's input tool cannot type ${JSON.stringify(char)}.`, {
        data: { character: char },
      });
    if (char === 's' && run.endsWith('%')) flush();
    run += char;
  }
  flush();
  return ok(steps);
}

/** Arguments of the device's shell for one step. */
export function inputArguments(step: InputStep): readonly string[] {
  return 'key' in step ? ['input', 'keyevent', step.key] : ['input', 'text', step.text];
}

/** Judges what an `input` command printed: an exception is a failure whatever the exit code says. */
export function inputResult(output: string, exitCode: number): Result<void> {
  if (/INJECT_EVENTS permission/.test(output))
    return fail('INPUT_NOT_ALLOWED', 'The device does not let adb inject input.', {
      data: { hint: 'Switch on "USB debugging (Security settings)" in the developer options.' },
    });
  const exception = /^(?:Exception occurred|\S*Exception\b|Error:).*$/m.exec(output);
  if (exception && /sendText/.test(output) && /NullPointerException/.test(output))
    return fail('TEXT_NOT_ASCII', 'The device has no key for a character of this text.');
  if (exception || exitCode !== 0)
    return fail('INPUT_NOT_ALLOWED', `The input command failed: ${(exception?.[0] ?? output).slice(0, 300)}`);
  return ok(undefined);
}
