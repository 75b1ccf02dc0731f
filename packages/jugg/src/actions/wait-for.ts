import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { locate } from '../device/locate.ts';
import type { Match } from '../device/tree.ts';
import { resolveComponent } from '../formats/component.ts';
import { fail, ok, type Fault, type Result } from '../shared/outcome.ts';
import { defineAction, READ_ONLY } from './action.ts';
import type { AppContext } from './context.ts';
import { inFront, onApp } from './gates/app.ts';
import { deviceArgs, match, target } from './shapes.ts';
import { matchRow, notFound } from './view-rows.ts';

const POLL_MS = 100;
/** Kept back from the call's deadline for the last look. */
const RESERVE_MS = 3000;

const input = z.strictObject({
  ...deviceArgs,
  target: target.optional(),
  state: z.enum(['visible', 'gone', 'enabled', 'text-equals']).default('visible'),
  text: z.string().optional(),
  activity: z.string().optional(),
  timeoutMs: z.number().int().min(0).default(10_000),
});
type Wish = z.output<typeof input>;

/** What one look found: it holds, or why not. */
type Look = { readonly met: true; readonly match?: Match } | { readonly met: false; readonly why: Fault };

export const waitFor = defineAction({
  name: 'wait-for',
  title: 'Wait for an element or activity',
  description:
    'Waits until an element is visible, gone, enabled or has a text, or until an activity is on top.',
  input,
  output: z.object({
    met: z.boolean(),
    waitedMs: z.number(),
    match: match.optional(),
    usedWaitMs: z.number().optional(),
  }),
  annotations: READ_ONLY,
  run: onApp({ online: true, interactive: true, inFront: false }, async (given, context) => {
    if ((given.target === undefined) === (given.activity === undefined)) {
      return fail('INVALID_PARAMS', 'wait-for needs either target or activity');
    }
    if (given.state === 'text-equals' && given.text === undefined) {
      return fail('INVALID_PARAMS', 'text: it is missing, state text-equals needs the text to wait for');
    }
    const limit = Math.max(0, Math.min(given.timeoutMs, context.remainingMs() - RESERVE_MS));
    const shortened = limit < given.timeoutMs ? { usedWaitMs: Math.round(limit) } : {};
    const began = performance.now();
    for (;;) {
      const look =
        given.activity === undefined
          ? await lookForElement(given, context)
          : await lookForActivity(given.activity, context);
      if (!look.ok) return look;
      const waitedMs = Math.round(performance.now() - began);
      if (look.value.met) {
        const found = look.value.match;
        return ok({
          message: `It holds after ${waitedMs} ms.`,
          data: { met: true, waitedMs, ...(found ? { match: matchRow(found) } : {}), ...shortened },
        });
      }
      if (waitedMs >= limit) {
        const { message, data = {} } = look.value.why;
        // Nothing of an app is found that is not in front: that is what has to be told.
        const front = given.target ? await inFront(context) : ok(undefined);
        if (!front.ok)
          return fail(front.fault.code, front.fault.message, {
            data: { ...front.fault.data, met: false, waitedMs, ...shortened },
          });
        return fail('TIMEOUT', `It did not hold within ${limit} ms: ${message}`, {
          data: { ...data, met: false, waitedMs, ...shortened },
        });
      }
      await delay(POLL_MS, undefined, { signal: context.signal }).catch(() => {});
      if (context.signal.aborted) return fail('CANCELED', 'Waiting was canceled.');
    }
  }),
});

async function lookForElement(
  given: Wish,
  { device, packageName, signal }: AppContext,
): Promise<Result<Look>> {
  const tree = await device.tree(packageName, { includeGone: false }, signal);
  // An app between two activities has no window for a moment.
  if (!tree.ok)
    return tree.fault.code === 'UI_DUMP_EMPTY' ? ok({ met: given.state === 'gone', why: tree.fault }) : tree;
  const wanted = given.target ?? {};
  const located = locate(tree.value, wanted, { visibleOnly: true });
  if (!located.ok) return located;
  const { matches, nearMisses } = located.value;
  const [first] = matches;
  if (given.state === 'gone') {
    return ok(
      first
        ? {
            met: false,
            why: {
              code: 'TIMEOUT',
              message: `${matches.length} still there.`,
              data: { matches: matches.slice(0, 5).map(matchRow) },
            },
          }
        : { met: true },
    );
  }
  if (!first) {
    const missing = notFound(wanted, nearMisses);
    return missing.ok ? missing : ok({ met: false, why: missing.fault });
  }
  const fits = matches.find(({ node }) =>
    given.state === 'enabled'
      ? node.enabled
      : given.state === 'text-equals'
        ? node.text === given.text
        : true,
  );
  if (fits) return ok({ met: true, match: fits });
  const has = given.state === 'enabled' ? 'it is disabled' : `its text is ${JSON.stringify(first.node.text)}`;
  return ok({
    met: false,
    why: {
      code: 'TIMEOUT',
      message: `The element is there, but ${has}.`,
      data: { matches: matches.slice(0, 5).map(matchRow) },
    },
  });
}

async function lookForActivity(
  activity: string,
  { device, packageName, signal }: AppContext,
): Promise<Result<Look>> {
  const stack = await device.activities(signal);
  if (!stack.ok) return stack;
  const wanted = resolveComponent(packageName, activity);
  const { top } = stack.value;
  if (wanted && top && top.packageName === wanted.packageName && top.className === wanted.className)
    return ok({ met: true });
  return ok({
    met: false,
    why: {
      code: 'TIMEOUT',
      message: top ? `${top.component} is on top.` : 'No activity is resumed.',
      data: { topActivity: top?.component ?? null },
    },
  });
}
