export type Severity = 'error' | 'warning' | 'info';

/** One message of a compiler. `file` is absolute; `line` and `column` (characters) count from 1; `null` where unknown. */
export interface Diagnostic {
  readonly severity: Severity;
  readonly tool: 'javac' | 'kotlinc' | 'aapt2' | 'manifest' | 'd8' | 'engine';
  readonly file: string | null;
  readonly line: number | null;
  readonly column: number | null;
  /** Behind the last character of what it is about; absent where the compiler does not say. */
  readonly endLine?: number;
  readonly endColumn?: number;
  readonly message: string;
  readonly code?: string;
}
