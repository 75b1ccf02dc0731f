import { z } from 'zod';
import type { AdbConnection } from '../adb/types.ts';
import { inputArguments, inputResult, inputSteps } from '../formats/text-input.ts';
import type { Clock } from '../shared/clock.ts';
import { fail, ok, type Result } from '../shared/outcome.ts';
import type { InspectorConnection } from './inspector-connection.ts';
import { pressKeys } from './keys.ts';
import { run } from './shell.ts';
import { walk } from './tree-walk.ts';
import type { ViewNode } from './tree.ts';
import type { Device, TextEntry, TextRequest } from './types.ts';

const INSIDE_TIMEOUT_MS = 6_000;
const SEEN_LIMIT_MS = 2_000;
const SEEN_POLL_MS = 100;
/** Keys in one command: each takes the device some 10 ms. */
const KEYS_AT_ONCE = 50;

const entrySchema = z.object({
  text: z.string().optional(),
  verified: z.boolean().optional(),
  password: z.boolean().optional(),
});

/** Commits the text inside the app as an input method does: any script, and the app's filters and watchers see it. */
export async function enterInside(
  inspector: InspectorConnection,
  { text, field, clear, submit }: TextRequest,
  signal: AbortSignal,
): Promise<Result<TextEntry>> {
  const ref = field === null ? {} : { ref: Number(field.ref.slice(1)) };
  const done = await inspector.request('text', { text, clear, submit, ...ref }, entrySchema, {
    timeoutMs: INSIDE_TIMEOUT_MS,
    signal,
  });
  if (!done.ok) return done;
  const { text: holds = null, verified = false, password = false } = done.value;
  return ok({ by: 'inspector', text: holds, verified, password });
}

const focusSchema = z.object({ focused: z.boolean() });

/** Gives a view the focus; `ELEMENT_NOT_FOUND` for one that takes none. */
export async function focusInside(
  inspector: InspectorConnection,
  ref: string,
  signal: AbortSignal,
): Promise<Result<void>> {
  const params = { ref: Number(ref.slice(1)) };
  const done = await inspector.request('focus', params, focusSchema, {
    timeoutMs: INSIDE_TIMEOUT_MS,
    signal,
  });
  if (!done.ok) return done;
  return done.value.focused ? ok(undefined) : fail('ELEMENT_NOT_FOUND', `${ref} does not take the focus.`);
}

interface InputContext {
  readonly connection: AdbConnection;
  readonly device: Device;
  readonly clock: Clock;
  readonly packageName: string;
}

/** Types with the device's `input` tool: printable ASCII only, `TEXT_NOT_ASCII` before anything is sent. */
export async function enterByInput(
  context: InputContext,
  { text, field, clear, submit }: TextRequest,
  signal: AbortSignal,
): Promise<Result<TextEntry>> {
  const steps = inputSteps(text);
  if (!steps.ok) return steps;
  const { connection, device, packageName } = context;
  if (field) {
    const [x, y] = field.center;
    const tapped = await device.gesture(packageName, { action: 'tap', x, y }, signal);
    if (!tapped.ok) return tapped;
  }
  const before = await focusedField(context, signal);
  if (!before.ok) return before;
  if (before.value === null) return fail('ELEMENT_NOT_FOUND', 'No text field has the focus; pass a target.');
  const old = contentOf(before.value);
  if (clear) {
    const deleted = await deleteAll(connection, old.length, signal);
    if (!deleted.ok) return deleted;
  }
  for (const step of steps.value) {
    const output = await run(connection, inputArguments(step), signal);
    if (!output.ok) return output;
    const said = inputResult(output.value.all, output.value.exitCode);
    if (!said.ok) return said;
  }
  const holds = (now: string): boolean =>
    clear ? now === text : now.length === old.length + text.length && now.includes(text);
  const now = await readBack(context, holds, signal);
  if (!now.ok) return now;
  if (submit) {
    const sent = await pressKeys(connection, ['KEYCODE_ENTER'], signal);
    if (!sent.ok) return sent;
  }
  // Of a password only bullets can be read.
  if (before.value.password) return ok({ by: 'input', text: null, verified: false, password: true });
  return ok({ by: 'input', text: now.value, verified: holds(now.value), password: false });
}

async function focusedField(
  { device, packageName }: InputContext,
  signal: AbortSignal,
): Promise<Result<ViewNode | null>> {
  const tree = await device.tree(packageName, { includeGone: false }, signal);
  if (!tree.ok) return tree;
  const focused = [...walk(tree.value)].filter(({ node }) => node.focused).map(({ node }) => node);
  return ok(focused.find((node) => node.editable) ?? null);
}

function contentOf(node: ViewNode): string {
  const text = node.text ?? '';
  return text === node.hint ? '' : text;
}

async function deleteAll(
  connection: AdbConnection,
  length: number,
  signal: AbortSignal,
): Promise<Result<void>> {
  const keys = ['KEYCODE_MOVE_END', ...Array.from({ length }, () => 'KEYCODE_DEL')];
  for (let at = 0; at < keys.length; at += KEYS_AT_ONCE) {
    const pressed = await pressKeys(connection, keys.slice(at, at + KEYS_AT_ONCE), signal);
    if (!pressed.ok) return pressed;
  }
  return ok(undefined);
}

/** What the field holds as soon as it fits, or at the end of the time: keys are handled behind the command's end. */
async function readBack(
  context: InputContext,
  fits: (text: string) => boolean,
  signal: AbortSignal,
): Promise<Result<string>> {
  const { clock } = context;
  const end = clock.now() + SEEN_LIMIT_MS;
  for (;;) {
    const field = await focusedField(context, signal);
    if (!field.ok) return field;
    const text = field.value === null ? '' : contentOf(field.value);
    if (fits(text) || clock.now() >= end) return ok(text);
    await clock.sleep(SEEN_POLL_MS, signal);
    if (signal.aborted) return fail('CANCELED', 'Typing was canceled.');
  }
}
