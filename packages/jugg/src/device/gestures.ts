import type { AdbConnection } from '../adb/types.ts';
import { inputResult } from '../formats/text-input.ts';
import { ok, type Result } from '../shared/outcome.ts';
import type { InspectorConnection } from './inspector-connection.ts';
import { touchSchema } from './inspector-wire.ts';
import { run } from './shell.ts';
import type { Gesture, GestureResult } from './types.ts';

/** What the inspector needs beyond the time of the gesture itself: a drag begins with a long press. */
const INSPECTOR_EXTRA_MS = 8_000;

/** Injects the gesture inside the app, which tells whether a view took it. */
export async function touchInside(
  inspector: InspectorConnection,
  gesture: Gesture,
  signal: AbortSignal,
): Promise<Result<GestureResult>> {
  const duration = gesture.action === 'tap' ? 0 : gesture.durationMs;
  const done = await inspector.request('touch', { ...gesture }, touchSchema, {
    timeoutMs: duration + INSPECTOR_EXTRA_MS,
    signal,
  });
  return done.ok ? ok({ injected: 'inspector', handled: done.value.handled }) : done;
}

function inputCommand(gesture: Gesture): readonly string[] {
  const start = [String(gesture.x), String(gesture.y)];
  if (gesture.action === 'tap') return ['input', 'tap', ...start];
  const duration = String(gesture.durationMs);
  // A swipe that goes nowhere is a long press; there is no other word for it.
  if (gesture.action === 'long-press') return ['input', 'swipe', ...start, ...start, duration];
  const verb = gesture.action === 'drag' ? 'draganddrop' : 'swipe';
  return ['input', verb, ...start, String(gesture.endX), String(gesture.endY), duration];
}

/** Injects the gesture with the device's `input` tool, which tells nothing but refusals. */
export async function touchByInput(
  connection: AdbConnection,
  gesture: Gesture,
  signal: AbortSignal,
): Promise<Result<GestureResult>> {
  const output = await run(connection, inputCommand(gesture), signal);
  if (!output.ok) return output;
  const said = inputResult(output.value.all, output.value.exitCode);
  return said.ok ? ok({ injected: 'input', handled: null }) : said;
}
