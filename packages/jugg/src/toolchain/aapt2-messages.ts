import type { Diagnostic, Severity } from '../shared/diagnostic.ts';

/**
 * Forms of aapt2 2.x (AOSP tools/aapt2/Diagnostics.h): place, severity, text. The place is a file, a file and a line, or
 * missing; a message may go on over further lines.
 */
const MESSAGE =
  /^(?:(?<file>.+?)(?::(?<line>\d+))?(?::(?<column>\d+))?: )?(?<severity>error|warn|warning|note|info): (?<text>.*)$/;

/** aapt2's closing words, which name no cause. */
const SUMMARY = /^(?:failed (?:linking|compiling|parsing|processing)|file failed to compile)/;

const SEVERITIES: Readonly<Record<string, Severity>> = {
  error: 'error',
  warn: 'warning',
  warning: 'warning',
};

/** Reads what aapt2 printed. Summaries are left out when a message before them says the cause. */
export function parseAapt2Messages(output: string): Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const line of output.split(/\r?\n/)) {
    const match = MESSAGE.exec(line);
    const last = found.at(-1);
    if (match?.groups !== undefined) {
      const { file, line: at, column, severity = '', text = '' } = match.groups;
      found.push({
        severity: SEVERITIES[severity] ?? 'info',
        tool: 'aapt2',
        file: file ?? null,
        line: at === undefined ? null : Number(at),
        column: column === undefined ? null : Number(column),
        message: text,
      });
    } else if (line.trim() !== '' && last !== undefined) {
      found[found.length - 1] = { ...last, message: `${last.message}\n${line.trim()}` };
    }
  }
  const causes = found.filter(({ message }) => !SUMMARY.test(message));
  return causes.some(({ severity }) => severity === 'error') ? causes : found;
}
