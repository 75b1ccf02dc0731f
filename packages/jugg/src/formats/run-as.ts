import type { ErrorCode } from '../shared/errors.ts';

// system/core/run-as/run-as.cpp of Android 5 to 16; "Package 'x' is …" are the wordings before 7.
const REFUSALS: readonly { readonly code: ErrorCode; readonly form: RegExp }[] = [
  { code: 'NOT_DEBUGGABLE', form: /^run-as: .*\bnot debuggable\b.*/im },
  { code: 'APP_NOT_INSTALLED', form: /^run-as: (?:.*\bunknown package\b|Package '.*' is unknown).*/im },
  { code: 'USER_NOT_ACCESSIBLE', form: /^run-as: couldn't (?:stat|chdir to|open).*Permission denied.*/im },
  { code: 'FEATURE_NOT_SUPPORTED', form: /^run-as: (?:.*not an application|.*is disabled|.*corrupt).*/im },
  { code: 'DEPLOY_FAILED', form: /^run-as: .*/m },
];

/** Why `run-as` refused, or `null` when its output holds no refusal. */
export function runAsRefusal(output: string): { readonly code: ErrorCode; readonly line: string } | null {
  for (const { code, form } of REFUSALS) {
    const found = form.exec(output);
    if (found) return { code, line: found[0] };
  }
  return null;
}

/** Why `am attach-agent` refused, or `null`. */
export function attachRefusal(output: string): { readonly code: ErrorCode; readonly line: string } | null {
  const found =
    /^.*SecurityException: (?:Process not debuggable|.*not debuggable).*$/m.exec(output) ??
    /^(?:[\w.$]+(?:Exception|Error): |Error: ).*$/m.exec(output) ??
    /^Exception occurred.*$/m.exec(output);
  if (!found) return null;
  const line = found[0].trim();
  if (/not debuggable/.test(line)) return { code: 'NOT_DEBUGGABLE', line };
  if (/Unknown process|unknown process/.test(line)) return { code: 'APP_NOT_RUNNING', line };
  return { code: 'FEATURE_NOT_SUPPORTED', line };
}
