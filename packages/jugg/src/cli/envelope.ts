import { ERROR_TABLE, type ErrorCode } from '../shared/errors.ts';
import type { Artifact, Fault } from '../shared/outcome.ts';

/** The envelope of contract §1 as the CLI receives it. */
export interface CliEnvelope {
  readonly status: 'OK' | 'ERROR';
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly artifacts: readonly Artifact[];
  readonly errorCode: string | null;
}

export function isEnvelope(value: unknown): value is CliEnvelope {
  return (
    typeof value === 'object' &&
    value !== null &&
    'status' in value &&
    'message' in value &&
    typeof value.message === 'string' &&
    'data' in value &&
    typeof value.data === 'object' &&
    'artifacts' in value &&
    Array.isArray(value.artifacts) &&
    'errorCode' in value
  );
}

export function faultEnvelope(fault: Fault): CliEnvelope {
  return {
    status: 'ERROR',
    message: fault.message,
    data: fault.data ?? {},
    artifacts: fault.artifacts ?? [],
    errorCode: fault.code,
  };
}

const TIMEOUT_EXIT = 7;

/** Exit code of the process (contract §8). */
export function exitCode(envelope: CliEnvelope): number {
  if (envelope.status === 'OK') return envelope.data['stopReason'] === 'timeout' ? TIMEOUT_EXIT : 0;
  const code = envelope.errorCode ?? '';
  return isErrorCode(code) ? ERROR_TABLE[code].exit : 1;
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_TABLE, code);
}
