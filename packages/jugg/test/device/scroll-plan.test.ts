import { expect, test } from 'vitest';
import { page, scrollers, scrollTo, waysOf } from '../../src/device/scroll-plan.ts';
import { group, text, tree, window } from './trees.ts';

const none = new Set<string>();

test('what can be touched stays where it is', () => {
  const row = text('Row', { boundsPx: [0, 100, 1080, 200] });
  expect(scrollTo(tree(window(group([row], { scrollable: true }))), row.ref, none)).toBe('there');
  expect(scrollTo(tree(window(group([row]))), 'e-other', none)).toBeNull();
});

test('what lies below comes up by its distance to the middle, at most by most of the view', () => {
  const near = text('near', { boundsPx: [0, 2350, 1080, 2550] });
  const far = text('far', { boundsPx: [0, 9000, 1080, 9100] });
  const list = group([near, far], { scrollable: true });
  const screen = tree(window(list));
  expect(scrollTo(screen, near.ref, none)).toEqual({
    inside: list.ref,
    towards: 'down',
    x: 540,
    y: 1200 + 625,
    endX: 540,
    endY: 1200 - 625,
    isFar: false,
  });
  expect(scrollTo(screen, far.ref, none)).toMatchObject({ y: 1200 + 840, endY: 1200 - 840, isFar: true });
});

test('within what can be seen of the view, and the other way for what lies above or at the side', () => {
  const above = text('above', { boundsPx: [0, -300, 1080, -200] });
  const list = group([above], { scrollable: true, boundsPx: [0, 400, 1080, 5000] });
  const screen = tree(window(group([list])));
  expect(scrollTo(screen, above.ref, none)).toMatchObject({ towards: 'up', x: 540, y: 700, endY: 2100 });

  const aside = text('aside', { boundsPx: [2000, 500, 2100, 600] });
  const row = group([aside], { scrollable: true, boundsPx: [0, 500, 1080, 600] });
  expect(scrollTo(tree(window(group([row]))), aside.ref, none)).toMatchObject({
    towards: 'right',
    x: 918,
    endX: 162,
    y: 550,
  });
});

test('a view that is itself out of sight is brought there first; one that did not move is passed over', () => {
  const item = text('item', { boundsPx: [0, 6000, 1080, 6100] });
  const inner = group([item], { scrollable: true, boundsPx: [0, 3000, 1080, 4000] });
  const outer = group([inner], { scrollable: true });
  const screen = tree(window(outer));
  expect(scrollTo(screen, item.ref, none)).toMatchObject({ inside: outer.ref, towards: 'down' });
  expect(scrollTo(screen, item.ref, new Set([`${outer.ref} down`]))).toBeNull();
});

test('the views that scroll in the window in front: lists first, then the largest', () => {
  const small = group([], { scrollable: true, boundsPx: [0, 0, 1080, 300] });
  const large = group([], { scrollable: true, boundsPx: [0, 300, 1080, 2400] });
  const plain = group([], { scrollable: true, className: 'android.widget.ScrollView' });
  const away = group([], { scrollable: true, boundsPx: [0, 2500, 1080, 2600] });
  const behind = window(group([], { scrollable: true }), { focused: false });
  const screen = tree(behind, window(group([plain, small, away, large])));
  const found = scrollers(screen);
  expect(found.map(({ node }) => node.ref)).toEqual([large.ref, small.ref, plain.ref]);
  expect(waysOf(plain)).toEqual(['down', 'up']);
  expect(waysOf(large)).toEqual(['down', 'up', 'right', 'left']);
  const [first] = found;
  expect(first && page(screen, first, 'up')).toMatchObject({ inside: large.ref, y: 615, endY: 2085 });
});
