import { z } from 'zod';
import { keyArgument } from '../device/keys.ts';
import { watchChange } from '../device/screen-change.ts';
import { walk } from '../device/tree-walk.ts';
import type { Match, ViewTree } from '../device/tree.ts';
import { fail, ok, type Result } from '../shared/outcome.ts';
import { defineAction, type Answer } from './action.ts';
import type { AppContext } from './context.ts';
import { onApp } from './gates/app.ts';
import { withDevice } from './gates/device.ts';
import { withProject } from './gates/project.ts';
import { oneElement } from './one-element.ts';
import { deviceArgs, target } from './shapes.ts';
import { describeNode } from './view-rows.ts';

const inputArgs = z.strictObject({
  ...deviceArgs,
  text: z
    .string()
    .max(10_000)
    .refine((text) => !/\p{Surrogate}/u.test(text), 'a half of a surrogate pair is no character')
    .optional(),
  key: z.union([z.string(), z.number().int()]).optional(),
  target: target.optional(),
  clear: z.boolean().default(false),
  submit: z.boolean().default(false),
});
type InputArgs = z.output<typeof inputArgs>;

export const input = defineAction({
  name: 'input',
  title: 'Type text or press a key',
  description:
    'Types text (any script) into the focused or named field, or presses a key such as BACK or ENTER.',
  input: inputArgs,
  output: z.object({ text: z.string().nullable(), verified: z.boolean() }),
  run: async (given, context) => {
    const wrong = check(given);
    if (!wrong.ok) return wrong;
    return given.key !== undefined && WAKING.test(String(given.key))
      ? wake(given, context)
      : enter(given, context);
  },
});

/** Keys by which a device is woken or sent to sleep: no app need be in front for them, nor the screen be on. */
const WAKING = /^(KEYCODE_)?(POWER|WAKEUP|SLEEP)$|^(26|223|224)$/;
const WAKE_MS = 1000;
const WAKE_POLL_MS = 50;

const wake = withProject(
  withDevice<InputArgs>(async ({ key = '' }, { device, runtime: { clock }, signal }) => {
    const before = await device.interactivity(signal);
    if (!before.ok) return before;
    const pressed = await device.pressKey(key, signal);
    if (!pressed.ok) return pressed;
    for (const until = clock.now() + WAKE_MS; ; await clock.sleep(WAKE_POLL_MS, signal)) {
      const now = await device.interactivity(signal);
      if (!now.ok) return now;
      const verified = now.value.wakefulness !== before.value.wakefulness;
      if (!verified && clock.now() < until) continue;
      const locked = now.value.keyguard ? ' and locked' : '';
      return ok({
        message: `Pressed ${key}; the device is ${now.value.wakefulness}${locked}.`,
        data: { text: null, verified },
      });
    }
  }),
);

const enter = onApp<InputArgs>({ online: true, inFront: true }, async (given, context) => {
  const { device, packageName, signal } = context;
  const tree = await device.tree(packageName, { includeGone: false }, signal);
  if (!tree.ok) return tree;
  const found = given.target
    ? oneElement(tree.value, given.target, { visibleOnly: true, instead: 'nothing was typed' })
    : ok(null);
  if (!found.ok) return found;
  return given.key === undefined
    ? type(given, found.value, context)
    : press(given.key, found.value, tree.value, context);
});

function check({ text, key, clear, submit }: InputArgs): Result<void> {
  if ((text === undefined) === (key === undefined)) {
    return fail('INVALID_PARAMS', 'input needs either text or key');
  }
  if (key === undefined) return ok(undefined);
  if (clear || submit)
    return fail('INVALID_PARAMS', `${clear ? 'clear' : 'submit'}: goes with text, not with key`);
  const known = keyArgument(key);
  return known.ok ? ok(undefined) : known;
}

async function type(
  { text = '', clear, submit }: InputArgs,
  found: Match | null,
  { device, packageName, signal }: AppContext,
): Promise<Result<Answer>> {
  const field = found && { ref: found.node.ref, center: found.center };
  const entered = await device.enterText(packageName, { text, field, clear, submit }, signal);
  if (!entered.ok) return entered;
  const { text: holds, verified, password } = entered.value;
  const where = found ? describeNode(found.node).split(' "')[0] : 'The focused field';
  const said = verified
    ? 'holds the text now'
    : password
      ? 'is a password field: what it holds cannot be read back'
      : `was typed into, but does not hold the text as it was typed: ${JSON.stringify(holds?.slice(0, 100) ?? null)}`;
  return ok({ message: `${where} ${said}${submit ? '; submitted' : ''}.`, data: { text: holds, verified } });
}

/** A key is verified when something was seen to follow it: the screen, the focus or the activity is another one. */
async function press(
  key: string | number,
  found: Match | null,
  before: ViewTree,
  { device, packageName, signal }: AppContext,
): Promise<Result<Answer>> {
  if (found) {
    const focused = await device.focus(packageName, { ref: found.node.ref, center: found.center }, signal);
    if (!focused.ok) return focused;
  }
  const stack = await device.activities(signal);
  if (!stack.ok) return stack;
  const old = found ? await device.tree(packageName, { includeGone: false }, signal) : ok(before);
  if (!old.ok) return old;
  const pressed = await device.pressKey(key, signal);
  if (!pressed.ok) return pressed;
  const changed = await watchChange(device, packageName, old.value, signal);
  // Behind BACK and HOME the app may have no window any more.
  if (!changed.ok && changed.fault.code !== 'APP_NOT_FOREGROUND') return changed;
  const now = await device.activities(signal);
  if (!now.ok) return now;
  const moved = now.value.top?.component !== stack.value.top?.component;
  const verified =
    !changed.ok || changed.value || moved || (await focusMoved(old.value, { device, packageName, signal }));
  const top = moved ? `${now.value.top?.component ?? 'nothing'} is in front now` : 'the screen changed';
  return ok({
    message: `Pressed ${key}; ${verified ? top : 'nothing was seen to change'}.`,
    data: { text: null, verified },
  });
}

async function focusMoved(
  before: ViewTree,
  { device, packageName, signal }: Pick<AppContext, 'device' | 'packageName' | 'signal'>,
): Promise<boolean> {
  const now = await device.tree(packageName, { includeGone: false }, signal);
  return now.ok && focusOf(now.value) !== focusOf(before);
}

function focusOf(tree: ViewTree): string | undefined {
  return [...walk(tree)].find(({ node }) => node.focused)?.node.ref;
}
