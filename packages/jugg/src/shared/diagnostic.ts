export type Severity = 'error' | 'warning' | 'info';

/** One message of a compiler. `file` is absolute; `line` and `column` count from 1; `null` where unknown. */
export interface Diagnostic {
  readonly severity: Severity;
  readonly tool: 'javac' | 'kotlinc' | 'aapt2' | 'manifest' | 'd8' | 'engine';
  readonly file: string | null;
  readonly line: number | null;
  readonly column: number | null;
  readonly message: string;
  readonly code?: string;
}
