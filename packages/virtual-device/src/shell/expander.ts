import type { UserFs } from '../fs/user-fs.ts';
import type { Script, Word } from './ast.ts';
import type { PatternChar } from './glob.ts';
import type { ShellState } from './state.ts';

/** What words are expanded with: a shell, and the parts of expansion that need one another. */
export interface Expander {
  readonly state: ShellState;
  readonly fs: UserFs;
  /** Runs `$( … )`; the value is what it printed. */
  substitute(script: Script): Promise<string>;
  /** As one text: `expandSingle`. */
  single(word: Word): Promise<string>;
  /** As a pattern: `expandPattern`. */
  pattern(word: Word): Promise<PatternChar[]>;
}
