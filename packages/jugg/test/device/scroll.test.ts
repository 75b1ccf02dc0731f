import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scrollIntoView } from '../../src/actions/scroll-into-view.ts';
import { locate } from '../../src/device/locate.ts';
import type { Match, Target } from '../../src/device/tree.ts';
import { RES, valueOf } from '../engine/support.ts';
import { APP, never, Stage } from './stage.ts';

const LAYOUT = `${RES}/layout/activity_main.xml`;
const NAMES = Array.from({ length: 20 }, (_, index) => `<item>Name ${index}</item>`).join('');
/** Below the counter, a screen further down: buttons in a row that is too long, and a button. Under it all, a list. */
const MORE = `
  <Space android:layout_width="match_parent" android:layout_height="900dp" />
  <HorizontalScrollView android:layout_width="match_parent" android:layout_height="wrap_content">
    <LinearLayout android:layout_width="wrap_content" android:layout_height="wrap_content">
      <Space android:layout_width="1200dp" android:layout_height="1dp" />
      <Button android:layout_width="120dp" android:layout_height="48dp" android:text="Far right" />
    </LinearLayout>
  </HorizontalScrollView>
  <Button android:layout_width="match_parent" android:layout_height="48dp" android:text="Bottom" />
  </LinearLayout>
  </ScrollView>
  <ListView android:id="@+id/names" android:entries="@array/names"
    android:layout_width="match_parent" android:layout_height="200dp" />
  </LinearLayout>`;

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open('scroll-test');
  await stage.bench.replace(LAYOUT, '</LinearLayout>\n</ScrollView>', MORE);
  await stage.bench.replace(
    LAYOUT,
    '<ScrollView ',
    `<LinearLayout xmlns:android="http://schemas.android.com/apk/res/android" android:orientation="vertical"
       android:layout_width="match_parent" android:layout_height="match_parent"><ScrollView `,
  );
  await stage.bench.replace(
    LAYOUT,
    'android:layout_height="match_parent"\n    android:background',
    'android:layout_height="0dp" android:layout_weight="1"\n    android:background',
  );
  await stage.bench.replace(
    `${RES}/values/strings.xml`,
    '</resources>',
    `<string-array name="names">${NAMES}</string-array></resources>`,
  );
  await stage.deploy();
});
afterAll(() => stage?.close());

/** Where it is after scrolling, when its centre can be touched. */
async function scrolled(target: Target): Promise<Match | undefined> {
  const place = { device: stage.device, packageName: APP, signal: never };
  const { tree } = valueOf(await scrollIntoView(target, await stage.tree(), place));
  const [match] = valueOf(locate(tree, target, { visibleOnly: true })).matches;
  return match;
}

async function everywhere(target: Target): Promise<readonly Match[]> {
  return valueOf(locate(await stage.tree(), target, { visibleOnly: false })).matches;
}

describe('scrolling to an element', { timeout: 120_000 }, () => {
  test('down a plain scroll view, to the side in one inside of it, and up again', async () => {
    expect(await stage.find({ text: 'Bottom' })).toEqual([]);
    expect(await scrolled({ text: 'Bottom' })).toMatchObject({ node: { visible: true } });
    const right = await scrolled({ text: 'Far right' });
    expect(right?.center[0]).toBeLessThan(1080);
    const add = await scrolled({ resourceId: 'add' });
    expect(add?.center[1]).toBeGreaterThan(0);
    await stage.tap({ resourceId: 'add' });
    await expect.poll(async () => (await everywhere({ text: 'Count: 1' })).length).toBe(1);
  });

  test('in a list, to a row that there is no view for yet, and back to one that is gone', async () => {
    expect(await everywhere({ text: 'Name 17' })).toEqual([]);
    expect(await scrolled({ text: 'Name 17' })).toMatchObject({ node: { text: 'Name 17', visible: true } });
    expect(await scrolled({ text: 'Name 2' })).toMatchObject({ node: { text: 'Name 2', visible: true } });
  });

  test('what is nowhere ends by itself', async () => {
    expect(await scrolled({ text: 'Nobody' })).toBeUndefined();
  });
});
