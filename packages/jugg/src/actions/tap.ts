import { z } from 'zod';
import { watchChange } from '../device/screen-change.ts';
import { screenPoint, type PointInput } from '../formats/screen.ts';
import type { Gesture } from '../device/types.ts';
import type { ViewTree } from '../device/tree.ts';
import { fail, ok, type Result } from '../shared/outcome.ts';
import { defineAction } from './action.ts';
import { onApp } from './gates/app.ts';
import { scrollIntoView } from './scroll-into-view.ts';
import { oneElement } from './one-element.ts';
import { deviceArgs, match, screen, target, type Target } from './shapes.ts';
import { matchRow } from './view-rows.ts';

const LONG_PRESS_MS = 500;
const SWIPE_MS = 300;
const NOT_ALL_SCROLLED = 'Time was up before all that scrolls was gone through: scroll nearer first.';
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
    const scrollTarget = given.scrollIntoView ? given.target : undefined;
    if (given.scrollIntoView && scrollTarget === undefined)
      return fail('INVALID_PARAMS', 'scrollIntoView: it goes with target, a point is where it is');
    const first = await device.tree(packageName, { includeGone: false }, signal);
    if (!first.ok) return first;
    const scrolled = scrollTarget
      ? await scrollIntoView(scrollTarget, first.value, { device, packageName, signal })
      : ok({ tree: first.value, timedOut: false });
    if (!scrolled.ok) return scrolled;
    const { tree: before, timedOut } = scrolled.value;
    const place = whereTo(given, before);
    if (!place.ok && timedOut)
      return fail(place.fault.code, `${place.fault.message} ${NOT_ALL_SCROLLED}`, {
        data: place.fault.data ?? {},
      });
    if (!place.ok) return place;
    const { mode, start, end, matched } = place.value;
    const gesture = toGesture(given, start, end);
    if (!gesture.ok) return gesture;
    const done = await device.gesture(packageName, gesture.value, signal);
    if (!done.ok) return done;
    const changed = await watchChange(device, packageName, before, signal);
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
        screen: before.screen,
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
  const ways = {
    coordinate: given.x !== undefined || given.y !== undefined,
    percent: given.xPercent !== undefined || given.yPercent !== undefined,
    element: given.target !== undefined,
  };
  if (Object.values(ways).filter(Boolean).length !== 1) {
    return fail('INVALID_PARAMS', 'tap needs exactly one of target, x and y, or xPercent and yPercent');
  }
  const end = endOf(given, tree);
  if (!end.ok) return end;
  if (given.target) return element(given.target, tree, end.value);
  const { x, y, xPercent, yPercent } = given;
  const start = onScreen({ x, y, xPercent, yPercent }, given, tree);
  return start.ok
    ? ok({ mode: ways.percent ? 'percent' : 'coordinate', start: start.value, end: end.value })
    : start;
}

function element(wanted: Target, tree: ViewTree, end: Point | null): Result<Place> {
  const found = oneElement(tree, wanted, { visibleOnly: true, instead: 'nothing was touched' });
  if (!found.ok) return found;
  const { center } = found.value;
  return ok({ mode: 'element', start: center, end, matched: matchRow(found.value) });
}

function endOf(given: TapInput, tree: ViewTree): Result<Point | null> {
  const { endX, endY, endXPercent, endYPercent } = given;
  if ([endX, endY, endXPercent, endYPercent].every((value) => value === undefined)) return ok(null);
  const end = onScreen({ x: endX, y: endY, xPercent: endXPercent, yPercent: endYPercent }, given, tree);
  return end.ok
    ? end
    : fail(end.fault.code, `endX, endY: ${end.fault.message}`, { data: end.fault.data ?? {} });
}

function onScreen(point: PointInput, given: TapInput, tree: ViewTree): Result<Point> {
  const picture = given.space === 'device' ? undefined : given.space;
  return screenPoint({ ...point, picture }, [tree.screen.width, tree.screen.height]);
}

function toGesture(given: TapInput, [x, y]: Point, end: Point | null): Result<Gesture> {
  if (given.action === 'tap') {
    if (given.durationMs === undefined) return ok({ action: 'tap', x, y });
    return fail('INVALID_PARAMS', 'durationMs: it goes with long-press, swipe and drag, a tap has none');
  }
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
