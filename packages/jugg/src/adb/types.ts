import type { Duplex, Readable, Writable } from 'node:stream';
import type { Result } from '../shared/outcome.ts';

/**
 * Jugg's view of adb: which devices there are, and a connection to one of them. The same for a device behind an adb
 * server and for a virtual device that is spoken to directly.
 *
 * Faults of every call: `NO_DEVICE` (connect: not in the list), `DEVICE_GONE` (vanished), `DEVICE_OFFLINE`, `DEVICE_UNAUTHORIZED`,
 * `DEVICE_NO_PERMISSIONS`, `TIMEOUT`, `CANCELED` (its signal), and `ENVIRONMENT_ERROR` where the device itself said
 * no: `data.refused: true` for a service that it does not open, `data.deviceMessage` for the text of a sync failure.
 */

/** `virtual` is a Jugg virtual device, whether reached directly or through the server. */
export type DeviceKind = 'usb' | 'wifi' | 'emulator' | 'virtual';

/** A device as the adb server or the direct transport names it. */
export interface DeviceRef {
  readonly serial: string;
  /** The literal state word or words: `device`, `offline`, `unauthorized`, `no permissions`, … Only `device` is usable. */
  readonly state: string;
  /** What adb prints after `no permissions`, without the brackets. */
  readonly detail: string | null;
  readonly product: string | null;
  /** As adb prints it, with `_` for blanks. */
  readonly model: string | null;
  readonly device: string | null;
  /** USB path such as `1-4`. */
  readonly usb: string | null;
  readonly transportId: number | null;
  readonly kind: DeviceKind;
  readonly viaServer: boolean;
  /** The name of a virtual device known directly. */
  readonly name: string | null;
}

/** `timeoutMs` bounds the whole call, also without a signal. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

/** A command line for the device's shell, or an argument list that is quoted for it. */
export type ShellCommand = string | readonly string[];

export interface ShellOptions extends CallOptions {
  readonly stdin?: string | Uint8Array;
}

export interface ShellResult {
  readonly stdout: string;
  /** Without shell v2 (before Android 7) everything arrives in `stdout`. */
  readonly stderr: string;
  readonly exitCode: number;
}

export interface RawShellResult {
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  readonly exitCode: number;
}

/** A command that keeps running, e.g. `logcat`. */
export interface ShellProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Ends with the exit code, or with the fault that ended the connection. Never rejects. */
  readonly exit: Promise<Result<number>>;
  /** Closes the stream; the device sends its process a SIGHUP. */
  kill(): void;
}

export type FileKind = 'file' | 'directory' | 'link' | 'other';

export interface FileStat {
  /** Permission bits, e.g. `0o644`. */
  readonly mode: number;
  readonly kind: FileKind;
  readonly size: number;
  /** Seconds since the epoch on the device's clock. */
  readonly mtimeS: number;
  /** `null` where the device speaks only sync v1. */
  readonly uid: number | null;
  readonly gid: number | null;
}

export interface DirEntry extends FileStat {
  readonly name: string;
}

/** Bytes, or an absolute path on this machine. */
export type LocalSource = Uint8Array | { readonly file: string };

export interface TransferOptions extends CallOptions {
  /** Bytes done so far, of `total` where that is known. */
  readonly onProgress?: (done: number, total: number | null) => void;
}

export interface PushOptions extends TransferOptions {
  /** Permission bits [0o644]. */
  readonly mode?: number;
  /** [now, or that of the file] */
  readonly mtimeS?: number;
}

export interface AdbConnection {
  readonly serial: string;
  readonly features: ReadonlySet<string>;
  /**
   * Opens any service of the device, e.g. `localabstract:jugg_123`. The signal and the time bound the opening only;
   * afterwards the stream is the caller's. It is destroyed with an error when the device goes.
   */
  openStream(service: string, options?: CallOptions): Promise<Result<Duplex>>;
  /** A non-zero exit code is a value, not a fault. [timeout 30 s] */
  shell(command: ShellCommand, options?: ShellOptions): Promise<Result<ShellResult>>;
  shellRaw(command: ShellCommand, options?: ShellOptions): Promise<Result<RawShellResult>>;
  /** Starts a command without waiting for its end; the options bound the start only. */
  spawn(command: ShellCommand, options?: CallOptions): Promise<Result<ShellProcess>>;
  /** Output without a terminal's translation, no exit code: `screencap -p`. [timeout 30 s] */
  exec(command: ShellCommand, options?: ShellOptions): Promise<Result<Buffer>>;
  push(source: LocalSource, remotePath: string, options?: PushOptions): Promise<Result<void>>;
  pull(remotePath: string, options?: TransferOptions): Promise<Result<Buffer>>;
  /** Writes beside `localPath` and renames at the end, so no half file is ever seen. */
  pullFile(remotePath: string, localPath: string, options?: TransferOptions): Promise<Result<void>>;
  /** Follows links; `null` when there is no such file. */
  stat(remotePath: string, options?: CallOptions): Promise<Result<FileStat | null>>;
  lstat(remotePath: string, options?: CallOptions): Promise<Result<FileStat | null>>;
  /** Without `.` and `..`; empty also when the folder is not there, as the protocol does not tell. */
  list(remotePath: string, options?: CallOptions): Promise<Result<readonly DirEntry[]>>;
  /**
   * Streams an APK to `cmd package install <args> -S <size>` (or pushes it and runs `pm install` where the device is
   * too old). The value is what the package manager printed: `Success`, or `Failure [REASON: text]`. [timeout 120 s]
   */
  install(
    source: LocalSource,
    args: readonly string[],
    options?: TransferOptions,
  ): Promise<Result<{ readonly output: string }>>;
  /** Ends the streams opened through this connection; others keep theirs. */
  close(): void;
}

/** A virtual device that the caller knows about, e.g. from its state file. */
export interface KnownVirtualDevice {
  readonly host: string;
  readonly port: number;
  readonly name: string;
}

export interface AdbHubOptions {
  /** The adb server; `null` when none shall be used. [127.0.0.1, `ANDROID_ADB_SERVER_PORT` or 5037] */
  readonly server?: { readonly host: string; readonly port: number } | null;
  /** Asked at the start and at every refresh. */
  readonly virtualDevices?: () => Promise<readonly KnownVirtualDevice[]>;
  readonly log?: (line: string) => void;
}

/**
 * Watches the adb server, if there is one, and the virtual devices known directly. Never starts or kills a server,
 * and comes back by itself when one appears. A virtual device seen both ways is listed once, as the direct one.
 */
export interface AdbHub {
  /** What is known now, without waiting. */
  devices(): readonly DeviceRef[];
  /** Asks the server and every known virtual device anew (≤ 2 s unless told otherwise). */
  refresh(options?: CallOptions): Promise<readonly DeviceRef[]>;
  /** Called after every change; returns how to stop. */
  subscribe(listener: (devices: readonly DeviceRef[]) => void): () => void;
  /** By serial, exactly; or by the name of a virtual device. A device that is not usable is a fault with its code. */
  connect(serial: string, options?: CallOptions): Promise<Result<AdbConnection>>;
  /** Whether an adb server answers, and its protocol version. */
  serverVersion(): number | null;
  close(): Promise<void>;
}
