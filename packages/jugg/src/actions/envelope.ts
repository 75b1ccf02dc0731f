import type { ErrorCode } from '../shared/errors.ts';
import type { Artifact } from '../shared/outcome.ts';

/** What every call of a known tool answers (contract §1): exactly these five keys. */
export interface Envelope {
  readonly status: 'OK' | 'ERROR';
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly artifacts: readonly Artifact[];
  readonly errorCode: ErrorCode | null;
}

/** Longest envelope, in characters of its compact JSON. */
export const ENVELOPE_LIMIT = 20_000;
const MESSAGE_LIMIT = 2_000;

/**
 * Brings an envelope under the limit: its longest lists and texts in `data` are shortened until it fits, `truncated` and
 * `counts` say so, and the whole `data` goes where `save` puts it.
 */
export async function limitEnvelope(
  envelope: Envelope,
  save: (json: string) => Promise<Artifact>,
): Promise<Envelope> {
  const message =
    envelope.message.length > MESSAGE_LIMIT
      ? `${envelope.message.slice(0, MESSAGE_LIMIT)}…`
      : envelope.message;
  const candidate = { ...envelope, message };
  if (JSON.stringify(candidate).length <= ENVELOPE_LIMIT) return candidate;
  const artifacts = [...envelope.artifacts, await save(JSON.stringify(envelope.data, null, 2))];
  const counts: Record<string, number> = {};
  const data: Record<string, unknown> = { ...envelope.data };
  for (;;) {
    const cut: Envelope = { ...candidate, artifacts, data: { ...data, truncated: true, counts } };
    if (JSON.stringify(cut).length <= ENVELOPE_LIMIT) return cut;
    const [key, value] = largest(data);
    if (key === undefined) return { ...candidate, artifacts, data: { truncated: true, counts: {} } };
    if (Array.isArray(value)) {
      counts[key] ??= value.length;
      data[key] = value.slice(0, Math.floor(value.length / 2));
    } else if (typeof value === 'string') {
      counts[key] ??= value.length;
      data[key] = wholeCharacters(value.slice(0, Math.floor(value.length / 2)));
    } else {
      delete data[key];
    }
  }
}

function largest(data: Readonly<Record<string, unknown>>): [string | undefined, unknown] {
  let found: [string | undefined, unknown] = [undefined, undefined];
  // What is smaller than this frees nothing worth losing it for.
  let size = 64;
  for (const [key, value] of Object.entries(data)) {
    const length = JSON.stringify(value)?.length ?? 0;
    if (length > size) {
      size = length;
      found = [key, value];
    }
  }
  return found;
}

/** Never leaves half of a surrogate pair at the end. */
function wholeCharacters(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}
