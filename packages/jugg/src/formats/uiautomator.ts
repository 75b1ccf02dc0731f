import type { ErrorCode } from '../shared/errors.ts';
import { bothStreams } from './terminal.ts';
import { parseUiHierarchy, type UiHierarchy, type UiNode } from './uiautomator-xml.ts';
import type { FocusedWindow } from './window-focus.ts';

/** What one `uiautomator dump` left behind. */
export interface DumpAttempt {
  readonly compressed: boolean;
  /** 1 for the first attempt of a request. */
  readonly attempt: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
  /** The dump file after the command: `null` = none; `undefined` = the dump went to the standard output. */
  readonly file: string | null | undefined;
  readonly focus?: FocusedWindow | undefined;
  readonly wantedPackage?: string | undefined;
}

/** `compressed` = once more with `--compressed`, `again` = the same after a pause, `none` = give up. */
export type NextAttempt = 'compressed' | 'again' | 'none';

export interface DumpFailure {
  readonly ok: false;
  readonly error: ErrorCode;
  readonly next: NextAttempt;
  readonly message: string;
  /** Class of the exception that the output names. */
  readonly exception: string | null;
  readonly treePackage?: string | null;
}

export interface DumpSuccess {
  readonly ok: true;
  readonly hierarchy: UiHierarchy;
  readonly mode: 'normal' | 'compressed';
  /** The path that the tool says it wrote to. */
  readonly dumpPath: string | null;
  readonly treePackage: string | null;
  /** The tree belongs to another window than the focused one: another dump may do better. */
  readonly windowMismatch: boolean;
  readonly dialog: { readonly kind: 'crash' | 'anr'; readonly packageName: string | null } | null;
  /** Web content arrives later than the rest of the screen. */
  readonly emptyWebViews: number;
  readonly next: NextAttempt;
}

const EXCEPTION = /^(?:Exception in thread .*? )?((?:[\w$]+\.)+[\w$]*(?:Exception|Error))\b(?::.*)?$/m;

/** Path in the status line, whose typing error is the tool's own. */
export function dumpPath(output: string): string | null {
  return /UI hier\w+ dumped to: (\S+)/.exec(output)?.[1] ?? null;
}

function failure(text: string, attempt: DumpAttempt): DumpFailure | null {
  const exception = EXCEPTION.exec(text)?.[1] ?? null;
  const fault = (error: ErrorCode, next: NextAttempt, message: string): DumpFailure => ({
    ok: false,
    error,
    next,
    message,
    exception,
  });
  if (/could not get idle state/.test(text))
    return fault(
      'UI_NOT_IDLE',
      attempt.compressed ? 'none' : 'compressed',
      'The screen keeps changing, so uiautomator could not read it.',
    );
  if (/^Killed\s*$/m.test(text) || attempt.exitCode === 137)
    return fault('UI_DUMP_KILLED', 'none', 'The system killed uiautomator while it read the screen.');
  if (/already registered/.test(text))
    return fault(
      'UI_AUTOMATION_BUSY',
      'none',
      'Another program holds the UiAutomation connection of the device.',
    );
  const retry = attempt.attempt < 3 ? 'again' : 'none';
  if (/null root node/.test(text)) return fault('UI_DUMP_EMPTY', retry, 'No window could be read.');
  if (exception) return fault('UI_DUMP_EMPTY', retry, `uiautomator failed with ${exception}.`);
  return null;
}

function countEmptyWebViews(nodes: readonly UiNode[]): number {
  let count = 0;
  for (const { className, children } of nodes)
    count += className.endsWith('.WebView') && children.length === 0 ? 1 : countEmptyWebViews(children);
  return count;
}

/** The XML inside other text: `/dev/tty` puts the status line right behind the last tag. */
function splitXml(output: string): { xml: string | null; rest: string } {
  const start = output.search(/<\?xml|<hierarchy/);
  const close = '</hierarchy>';
  const end = output.lastIndexOf(close);
  if (start < 0 || end < start) return { xml: null, rest: output };
  const after = end + close.length;
  return { xml: output.slice(start, after), rest: `${output.slice(0, start)}\n${output.slice(after)}` };
}

/** Judges one attempt: a fresh tree, or a failure with its code and what to try next; never an empty or old screen. */
export function judgeDump(attempt: DumpAttempt): DumpSuccess | DumpFailure {
  const { xml, rest } = splitXml(bothStreams(attempt.stdout, attempt.stderr));
  const failed = failure(rest, attempt);
  if (failed) return failed;
  const text = attempt.file === undefined ? xml : attempt.file;
  const hierarchy = text === null ? null : parseUiHierarchy(text);
  const first = hierarchy?.roots[0];
  if (!hierarchy || !first)
    return {
      ok: false,
      error: 'UI_DUMP_EMPTY',
      next: attempt.attempt < 3 ? 'again' : 'none',
      message: 'uiautomator wrote no tree.',
      exception: null,
    };
  const treePackage = first.packageName || null;
  const { focus } = attempt;
  const dialog =
    focus?.kind === 'crash' || focus?.kind === 'anr'
      ? { kind: focus.kind, packageName: focus.packageName }
      : null;
  const focused = focus?.kind === 'app' ? focus.packageName : null;
  const windowMismatch = focused !== null && focused !== treePackage;
  if (
    !windowMismatch &&
    attempt.wantedPackage !== undefined &&
    treePackage !== attempt.wantedPackage &&
    !dialog
  )
    return {
      ok: false,
      error: 'APP_NOT_FOREGROUND',
      next: 'none',
      message: `${treePackage ?? 'Another app'} is in front.`,
      exception: null,
      treePackage,
    };
  return {
    ok: true,
    hierarchy,
    mode: attempt.compressed ? 'compressed' : 'normal',
    dumpPath: dumpPath(rest),
    treePackage,
    windowMismatch,
    dialog,
    emptyWebViews: countEmptyWebViews(hierarchy.roots),
    next: windowMismatch && attempt.attempt < 3 ? 'again' : 'none',
  };
}
