/** The commands as data, made from the registry at build time: the CLI itself loads neither zod nor the SDK. */
export interface CommandTable {
  readonly version: string;
  readonly commands: readonly ToolCommand[];
}

export interface ToolCommand {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly options: readonly ToolOption[];
  /** The call is a job: the CLI polls until it has ended. */
  readonly job: boolean;
}

export interface ToolOption {
  /** `--target-text` */
  readonly flag: string;
  /** Where the value goes: `['target', 'text']`. */
  readonly path: readonly string[];
  readonly type: 'string' | 'number' | 'integer' | 'boolean' | 'json';
  readonly choices?: readonly string[];
  readonly default?: unknown;
  readonly required: boolean;
  readonly description: string;
}
