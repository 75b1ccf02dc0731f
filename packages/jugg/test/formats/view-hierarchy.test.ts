import { expect, test } from 'vitest';
import { parseViewHierarchy } from '../../src/formats/view-hierarchy.ts';

const output = `TASK com.other id=2 userId=0
  ACTIVITY com.other/.Main 9a38704 pid=2268
    View Hierarchy:
      DecorView@1[Main]
TASK a.b id=61 userId=0
  ACTIVITY a.b/.Main 5d58b8c pid=18599
    Local Activity 77aa0c1 State:
      mResumed=true mStopped=false mFinished=false
    View Hierarchy:
      DecorView@b0d2f1[Main]
        android.widget.LinearLayout{2ad3b55 V.E...... ........ 0,0-1080,2400}
          android.widget.TextView{77aa0c1 G.ED..... ........ 0,63-1080,200 #7f0a0001 app:id/title}
          com.google.android.material.button.MaterialButton{3c 8 V}
          android.widget.Button{3c203df VFED..CL. .FS..... -10,200-540,320 #1020019 android:id/button1 aid=1073741825}
    Looper (main, tid 2) {7fbc105}
      android.widget.Fake{3c203df VFED..CL. .F...... 0,200-540,320}
`;

test('the tree of the app, with ids, flags and signed bounds', () => {
  const root = parseViewHierarchy(output, 'a.b');
  expect(root).toMatchObject({
    className: 'DecorView',
    children: [{ className: 'android.widget.LinearLayout' }],
  });
  const [title] = root?.children[0]?.children ?? [];
  expect(title).toMatchObject({ visibility: 'gone', resourceId: 'app:id/title', clickable: false });
});

test('nothing of other apps', () => {
  expect(parseViewHierarchy(output, 'com.other')).toMatchObject({ hash: '1', children: [] });
  expect(parseViewHierarchy(output, 'c.d')).toBeNull();
});

test('flags of a button', () => {
  const [, button] = parseViewHierarchy(output, 'a.b')?.children[0]?.children ?? [];
  expect(button).toMatchObject({
    hash: '3c203df',
    visibility: 'visible',
    enabled: true,
    clickable: true,
    longClickable: true,
    focusable: true,
    focused: true,
    selected: true,
    bounds: [-10, 200, 540, 320],
    resourceId: 'android:id/button1',
  });
});
