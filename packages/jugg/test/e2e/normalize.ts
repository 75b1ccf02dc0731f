import type { CliEnvelope } from '../../src/cli/envelope.ts';

/** Numbers that differ from run to run, by the name of their field. */
const VOLATILE: ReadonlySet<string> = new Set([
  'pid',
  'port',
  'contentBytes',
  'usedWaitMs',
  'mainThreadMs',
  'detailLength',
  'id',
]);
/** Whole values that a golden file cannot hold still. */
const OPAQUE: ReadonlySet<string> = new Set([
  'detail',
  'timings',
  'logs',
  'layout',
  'jobId',
  'cursor',
  'matched',
  'pids',
  'dumpFile',
  'file',
  'allLogsPath',
  'logPath',
]);

/**
 * An envelope without what differs from run to run: the shape and all that must be the same through both doors stays.
 * `names` maps literal texts (folders, the serial) to what stands for them.
 */
export function normalize(envelope: CliEnvelope, names: Readonly<Record<string, string>>): unknown {
  const { status, message, data, artifacts, errorCode } = envelope;
  return visit({ status, message, data, artifacts, errorCode }, '', names);
}

function visit(value: unknown, key: string, names: Readonly<Record<string, string>>): unknown {
  if (OPAQUE.has(key) && value !== null) return `<${key}>`;
  if (typeof value === 'number') return VOLATILE.has(key) ? `<${key}>` : value;
  if (typeof value === 'string') return key === 'path' ? '<path>' : text(value, names);
  if (Array.isArray(value)) return value.map((entry) => visit(entry, '', names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, visit(inner, name, names)]));
}

function text(value: string, names: Readonly<Record<string, string>>): string {
  let result = value;
  for (const [literal, name] of Object.entries(names)) result = result.replaceAll(literal, name);
  return result
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/\b\d+ ms\b/g, '<n> ms')
    .replaceAll(/\b(pid|process) \d+/g, '$1 <n>')
    .replaceAll(/\b\d+ lines\b/g, '<n> lines')
    .replaceAll(/\be\d+\b/g, 'e<n>');
}
