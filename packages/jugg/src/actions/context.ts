import type { Runtime } from '../runtime/runtime.ts';
import type { Device } from '../device/types.ts';
import type { DeviceRef } from '../adb/types.ts';

/** One call of a tool, whatever door it came through. */
export interface CallContext {
  readonly runtime: Runtime;
  /** Name of the tool. */
  readonly tool: string;
  /** Who calls, as far as that can be told. */
  readonly client: string;
  /** The caller has shown the user's token (CLI, stdio, editor): what it names becomes initialised. */
  readonly trusted: boolean;
  /** Ends with the client, or with the deadline of the call (45 s). */
  readonly signal: AbortSignal;
  /** Milliseconds that are left of the call's deadline. */
  remainingMs(): number;
  /** Set when the client asked for progress and can receive it. */
  readonly progress?: (message: string, percent: number | null) => void;
}

export interface ProjectContext extends CallContext {
  /** Absolute, links resolved. */
  readonly projectDir: string;
  readonly selectedSerial: string | undefined;
}

export interface DeviceContext extends ProjectContext {
  readonly device: Device;
  readonly ref: DeviceRef;
}

export interface AppContext extends DeviceContext {
  /** The target app's package. */
  readonly packageName: string;
}
