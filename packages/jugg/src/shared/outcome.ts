import type { ErrorCode } from './errors.ts';

/** A file written for a call; `path` is absolute. */
export interface Artifact {
  readonly type: 'log' | 'file' | 'html' | 'json' | 'image' | 'text';
  readonly path: string;
}

/** A foreseen failure: a value, not an exception, until the edge. `message` says the cause and the next step. */
export interface Fault {
  readonly code: ErrorCode;
  readonly message: string;
  /** What is known all the same: candidates, diagnostics, a hint. */
  readonly data?: Readonly<Record<string, unknown>>;
  readonly artifacts?: readonly Artifact[];
}

export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: Fault };

export function ok<T>(value: T): Result<T> {
  return { ok: true, value };
}

export function fail(
  code: ErrorCode,
  message: string,
  more: { data?: Readonly<Record<string, unknown>>; artifacts?: readonly Artifact[] } = {},
): { readonly ok: false; readonly fault: Fault } {
  return { ok: false, fault: { code, message, ...more } };
}
