import { z } from 'zod';
import { locate } from '../device/locate.ts';
import { watchChange } from '../device/screen-change.ts';
import type { Gesture } from '../device/types.ts';
import type { ViewTree } from '../device/tree.ts';
import { fail, ok, type Result } from '../shared/outcome.ts';
import { defineAction } from './action.ts';
import { onApp } from './gates.ts';
import { deviceArgs, match, screen, target } from './shapes.ts';
import { matchRow, notFound } from './view-rows.ts';

const LONG_PRESS_MS = 500;
const SWIPE_MS = 300;
const percent = z.number().min(0).max(100).optional();
const px = z.number().min(0).optional();

const input = z.strictObject({
  ...deviceArgs,
  action: z.enum(['tap', 'long-press', 'swipe', 'drag']).default('tap'),
  x: px,
  y: px,
  endX: px,
  endY: px,
  xPercent: percent,
  yPercent: percent,
  endXPercent: percent,
  endYPercent: percent,
  target: target.optional(),
  durationMs: z.number().int().min(50).max(10_000).optional(),
  scrollIntoView: z.boolean().default(false),
  space: z
    .union([
      z.literal('device'),
      z.strictObject({ width: z.number().positive(), height: z.number().positive() }),
    ])
    .default('device')
    .describe('Size of the screenshot that x and y were read from'),
});
type TapInput = z.output<typeof input>;

export const tap = defineAction({
  name: 'tap',
  title: 'Tap, press, swipe, drag',
  description:
    'Touches the screen at an element (target), at px or at percent, and says whether the screen changed.',
  input,
  output: z.object({
    action: z.string(),
    mode: z.enum(['coordinate', 'percent', 'element']),
    x: z.number(),
    y: z.number(),
    matchedElement: match.optional(),
    changed: z.boolean(),
    screen,
  }),
  run: onApp({ online: true, inFront: true }, async (given, { device, packageName, signal }) => {
    const before = await device.tree(packageName, { includeGone: false }, signal);
    if (!before.ok) return before;
    const place = whereTo(given, before.value);
    if (!place.ok) return place;
    const { mode, start, end, matched } = place.value;
    const gesture = toGesture(given, start, end);
    if (!gesture.ok) return gesture;
    const done = await device.gesture(packageName, gesture.value, signal);
    if (!done.ok) return done;
    const changed = await watchChange(device, packageName, before.value, signal);
    if (!changed.ok) return changed;
    const what = matched ? ` on ${matched.className.split('.').at(-1)} ${matched.ref}` : '';
    return ok({
      message: `${given.action} at ${start.join(', ')}${what}; the screen ${changed.value ? 'changed' : 'did not change'}.`,
      data: {
        action: given.action,
        mode,
        x: start[0],
        y: start[1],
        ...(matched ? { matchedElement: matched } : {}),
        changed: changed.value,
        screen: before.value.screen,
      },
    });
  }),
});

type Point = readonly [x: number, y: number];

interface Place {
  readonly mode: 'coordinate' | 'percent' | 'element';
  readonly start: Point;
  readonly end: Point | null;
  readonly matched?: z.output<typeof match>;
}

function whereTo(given: TapInput, tree: ViewTree): Result<Place> {
  const ways = [
    given.x !== undefined || given.y !== undefined,
    given.xPercent !== undefined || given.yPercent !== undefined,
    given.target !== undefined,
  ];
  if (ways.filter(Boolean).length !== 1)
    return fail('INVALID_PARAMS', 'tap needs exactly one of target, x and y, or xPercent and yPercent');
  const { width, height } = tree.screen;
  const end = endOf(given, tree);
  if (!end.ok) return end;
  if (given.target) return element(given, tree, end.value);
  if (given.xPercent !== undefined || given.yPercent !== undefined) {
    if (given.xPercent === undefined || given.yPercent === undefined)
      return fail('INVALID_PARAMS', 'xPercent and yPercent go together');
    return ok({ mode: 'percent', start: percentPoint(given.xPercent, given.yPercent, tree), end: end.value });
  }
  if (given.x === undefined || given.y === undefined) return fail('INVALID_PARAMS', 'x and y go together');
  const start = scaled(given.x, given.y, given, tree);
  if (start[0] >= width || start[1] >= height) {
    return fail(
      'INVALID_PARAMS',
      `x, y: got ${start.join(', ')}, expected a point on the screen of ${width}x${height} px`,
      { data: { screen: tree.screen } },
    );
  }
  return ok({ mode: 'coordinate', start, end: end.value });
}

function element(given: TapInput, tree: ViewTree, end: Point | null): Result<Place> {
  const located = locate(tree, given.target ?? {}, { visibleOnly: true });
  if (!located.ok) return located;
  const [first, ...more] = located.value.matches;
  if (!first) return notFound(given.target ?? {}, located.value.nearMisses);
  if (more.length > 0) {
    return fail(
      'MULTIPLE_ELEMENTS',
      `${more.length + 1} elements match; nothing was touched. Use a ref, or make the target more exact.`,
      {
        data: { matches: located.value.matches.slice(0, 10).map(matchRow) },
      },
    );
  }
  return ok({ mode: 'element', start: first.center, end, matched: matchRow(first) });
}

function endOf(given: TapInput, tree: ViewTree): Result<Point | null> {
  const { endX, endY, endXPercent, endYPercent } = given;
  if (endX !== undefined && endY !== undefined) return ok(scaled(endX, endY, given, tree));
  if (endXPercent !== undefined && endYPercent !== undefined)
    return ok(percentPoint(endXPercent, endYPercent, tree));
  if ([endX, endY, endXPercent, endYPercent].some((value) => value !== undefined))
    return fail('INVALID_PARAMS', 'endX and endY (or endXPercent and endYPercent) go together');
  return ok(null);
}

/** 100 % is the last pixel, not the first one beyond the screen. */
function percentPoint(x: number, y: number, tree: ViewTree): Point {
  const { width, height } = tree.screen;
  return [
    Math.min(width - 1, Math.round((x / 100) * width)),
    Math.min(height - 1, Math.round((y / 100) * height)),
  ];
}

function scaled(x: number, y: number, given: TapInput, tree: ViewTree): Point {
  if (given.space === 'device') return [Math.round(x), Math.round(y)];
  return [
    Math.round((x * tree.screen.width) / given.space.width),
    Math.round((y * tree.screen.height) / given.space.height),
  ];
}

function toGesture(given: TapInput, [x, y]: Point, end: Point | null): Result<Gesture> {
  if (given.action === 'tap') return ok({ action: 'tap', x, y });
  if (given.action === 'long-press')
    return ok({ action: 'long-press', x, y, durationMs: given.durationMs ?? LONG_PRESS_MS });
  if (!end)
    return fail(
      'INVALID_PARAMS',
      `${given.action} needs where to: endX and endY, or endXPercent and endYPercent`,
    );
  return ok({
    action: given.action,
    x,
    y,
    endX: end[0],
    endY: end[1],
    durationMs: given.durationMs ?? SWIPE_MS,
  });
}
