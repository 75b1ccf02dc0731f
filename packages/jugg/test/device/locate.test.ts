import { describe, expect, test } from 'vitest';
import { locate } from '../../src/device/locate.ts';
import type { Located, Target, ViewTree } from '../../src/device/tree.ts';
import { group, text, tree, view, window } from './trees.ts';

function found(screen: ViewTree, target: Target, visibleOnly = true): Located {
  const located = locate(screen, target, { visibleOnly });
  if (!located.ok) throw new Error(located.fault.message);
  return located.value;
}

const add = view({
  className: 'com.google.android.material.button.MaterialButton',
  resourceId: 'a.b:id/add',
  text: 'Add',
  contentDesc: 'Add one',
  boundsPx: [30, 60, 330, 180],
  clickable: true,
});
const count = text('Count: 1', { resourceId: 'a.b:id/count' });
const screen = tree(window(group([count, add, text('Add'), view({ resourceId: 'android:id/content' })])));

describe('fields of a target', () => {
  test.each<[Target, number]>([
    [{ text: 'Add' }, 2],
    [{ text: 'add' }, 0],
    [{ textContains: 'ount' }, 1],
    [{ textMatches: String.raw`^Count: \d$` }, 1],
    [{ contentDesc: 'Add one' }, 1],
    [{ resourceId: 'add' }, 1],
    [{ resourceId: 'id/add' }, 1],
    [{ resourceId: '@+id/add' }, 1],
    [{ resourceId: 'a.b:id/add' }, 1],
    [{ resourceId: 'x.y:id/add' }, 0],
    [{ className: 'MaterialButton' }, 1],
    [{ className: 'com.google.android.material.button.MaterialButton' }, 1],
    [{ className: 'Button' }, 0],
    [{ ref: add.ref }, 1],
    [{ text: 'Add', resourceId: 'add' }, 1],
    [{ text: 'Add', resourceId: 'count' }, 0],
    [{ testTag: 'add' }, 0],
  ])('%j', (target, matches) => {
    expect(found(screen, target).matches).toHaveLength(matches);
  });

  test('an empty target and a broken pattern are told', () => {
    expect(locate(screen, {}, { visibleOnly: true })).toMatchObject({ fault: { code: 'INVALID_PARAMS' } });
    expect(locate(screen, { textMatches: '(' }, { visibleOnly: true })).toMatchObject({
      fault: { code: 'INVALID_REGEX' },
    });
  });
});

test('bounds in dp, centre in px', () => {
  const [match] = found(screen, { resourceId: 'add' }).matches;
  expect(match?.boundsDp).toEqual([10, 20, 110, 60]);
  expect(match?.center).toEqual([180, 120]);
});

test('the focused window comes first, then from the topmost down', () => {
  const own = (title: string, focused: boolean): ReturnType<typeof window> =>
    window(text('OK'), { title, focused, type: 'dialog' });
  const { matches } = found(tree(own('bottom', false), own('focused', true), own('top', false)), {
    text: 'OK',
  });
  expect(matches.map((match) => match.window.title)).toEqual(['focused', 'top', 'bottom']);
});

describe('near misses', () => {
  test('the nearest text first, with both texts', () => {
    const { nearMisses } = found(screen, { text: 'Count: 0' });
    expect(nearMisses[0]?.node).toBe(count);
    expect(nearMisses[0]?.why).toBe("text is 'Count: 1', wanted 'Count: 0'");
  });

  test('only what is wrong is told', () => {
    const [miss] = found(screen, { text: 'Add', resourceId: 'count' }).nearMisses;
    expect(miss?.why.split('; ')).toHaveLength(1);
  });

  test('hidden, transparent, inside of a hidden one, outside, without size, cut off', () => {
    const hidden = (given: Parameters<typeof view>[0]): string | undefined => {
      const one = text('Pay', { visible: false, ...given });
      return found(tree(window(group([one]))), { text: 'Pay' }).nearMisses[0]?.why;
    };
    expect(hidden({ visibility: 'gone' })).toBe('it is gone');
    expect(hidden({ alpha: 0 })).toBe('it is transparent');
    expect(hidden({ boundsPx: [0, 3000, 10, 3100] })).toBe('it is outside of the screen');
    expect(hidden({ boundsPx: [0, 0, 0, 0] })).toBe('it has no size');
    expect(hidden({})).toContain('cut off');
    const parent = group([text('Pay', { visible: false })], { visibility: 'invisible', visible: false });
    expect(found(tree(window(parent)), { text: 'Pay' }).nearMisses[0]?.why).toBe(
      `it is inside of ${parent.ref}, which is invisible`,
    );
  });

  test('no number is near to a ref; a view that is hidden now is', () => {
    expect(found(screen, { ref: `${count.ref}9` }).nearMisses).toEqual([]);
    const one = text('Pay', { visible: false, visibility: 'gone' });
    expect(found(tree(window(group([one]))), { ref: one.ref }).nearMisses[0]?.why).toBe('it is gone');
  });

  test('a hidden one is found when asked for', () => {
    const one = text('Pay', { visible: false, visibility: 'gone' });
    expect(found(tree(window(group([one]))), { text: 'Pay' }, false).matches).toHaveLength(1);
  });

  test('five at most, and nothing far away', () => {
    const many = tree(window(group(Array.from({ length: 9 }, (_, i) => text(`Count: ${i}0`)))));
    expect(found(many, { text: 'Count: 0' }).nearMisses).toHaveLength(5);
    expect(found(many, { text: 'zzz' }).nearMisses).toEqual([]);
  });
});
