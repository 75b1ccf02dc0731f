import type { CliEnvelope } from './envelope.ts';
import { PlainValues } from './plain-values.ts';
import type { Style } from './style.ts';

/** Fields that say nothing to a person, or stand in the message already. */
const SKIPPED: ReadonlySet<string> = new Set([
  'detail',
  'detailLength',
  'detailTruncated',
  'isFinal',
  'nextTool',
  'diagnostics',
  'layout',
  'logs',
]);

/** The envelope for people: the message first, then what belongs to it. Files below `cwd` are named from there. */
export function formatPlain(envelope: CliEnvelope, style: Style, cwd: string = process.cwd()): string {
  const failed = envelope.status === 'ERROR';
  const lines = [failed ? style.red(`${envelope.errorCode}: ${envelope.message}`) : envelope.message];
  const { data } = envelope;
  const values = new PlainValues(style, cwd);
  lines.push(...diagnostics(data['diagnostics'], style, values));
  if (typeof data['layout'] === 'string') lines.push(data['layout']);
  if (Array.isArray(data['logs'])) lines.push(...data['logs'].map((line) => String(line)));
  for (const [key, value] of Object.entries(data)) {
    if (!SKIPPED.has(key)) lines.push(...values.field(key, value));
  }
  const inData = JSON.stringify(data);
  for (const { type, path } of envelope.artifacts) {
    if (!inData.includes(JSON.stringify(path))) lines.push(...values.field(type, path));
  }
  return `${lines.join('\n')}\n`;
}

/** `file:line:column: severity: message`, which editors and terminals turn into links. */
function diagnostics(value: unknown, style: Style, values: PlainValues): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value.map((entry: Record<string, unknown>) => {
    const place = [entry['file'], entry['line'], entry['column']]
      .filter((part) => typeof part === 'string' || typeof part === 'number')
      .map((part) => values.inline(part))
      .join(':');
    const severity = String(entry['severity']);
    return `${place ? `${place}: ` : ''}${severity === 'error' ? style.red(severity) : severity}: ${String(entry['message'])}`;
  });
}
