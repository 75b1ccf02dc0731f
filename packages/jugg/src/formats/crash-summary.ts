import type { Crash } from './crash.ts';

/** Longer messages hold whole documents. */
const LONGEST_MESSAGE = 300;
/** Frames that are not the app's: what it called, and what called it. */
const PLATFORM = /^at (?:java|javax|jdk|sun|android|androidx|dalvik|libcore|kotlin|kotlinx|com\.android)[.$]/;
const INFLATION = /^android\.view\.InflateException: ([\s\S]*)/;

interface Cause {
  readonly said: string;
  readonly frames: readonly string[];
}

/**
 * A crash in a line: its innermost cause, as the framework wraps what an app throws while it starts, and where the app's
 * own code comes nearest to it. A view that cannot be made has its line in a layout as well.
 */
export function crashSummary(crash: Crash): string {
  const causes = causesOf(crash);
  const innermost = causes.at(-1);
  const frames = causes.toReversed().flatMap((cause) => cause.frames);
  const place = frames.find((frame) => !PLATFORM.test(frame)) ?? innermost?.frames[0];
  const inflation = causes
    .slice(0, -1)
    .map(({ said }) => INFLATION.exec(said)?.[1])
    .findLast((text) => text !== undefined);
  return [
    innermost?.said.slice(0, LONGEST_MESSAGE),
    ...(inflation === undefined ? [] : [`(${inflation.slice(0, LONGEST_MESSAGE)})`]),
    ...(place === undefined ? [] : [place]),
  ].join(' ');
}

/** From the outermost to the innermost. */
function causesOf({ exception, message, stack }: Crash): readonly Cause[] {
  const causes: { said: string; frames: string[] }[] = [
    { said: message === null ? exception : `${exception}: ${message}`, frames: [] },
  ];
  for (const line of stack) {
    const cause = /^Caused by: (.*)/s.exec(line)?.[1];
    if (cause !== undefined) causes.push({ said: cause, frames: [] });
    else if (/^(?:at |#\d+ pc )/.test(line)) causes.at(-1)?.frames.push(line);
  }
  return causes;
}
