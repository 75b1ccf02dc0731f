import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AdbDevice } from '../../src/device/adb-device.ts';
import { createDevice } from '../../src/device/index.ts';
import { layoutText } from '../../src/device/layout-text.ts';
import { waitUntilOnline } from '../../src/device/online.ts';
import { classFileOf } from '../../src/engine/class-file.ts';
import { watchChange } from '../../src/device/screen-change.ts';
import { walk } from '../../src/device/tree-walk.ts';
import type { Device, LogEntry } from '../../src/device/types.ts';
import { systemClock, type Clock } from '../../src/shared/clock.ts';
import { shippedFile } from '../../src/shared/paths.ts';
import { APP_JAVA, MAIN, RES, valueOf } from '../engine/support.ts';
import { APP, never, Stage } from './stage.ts';

let stage: Stage;
let device: Device;
beforeAll(async () => {
  stage = await Stage.open('device-test');
  ({ device } = stage);
  await stage.deploy();
});
afterAll(() => stage?.close());

describe('what the device is', () => {
  test('facts and screen', async () => {
    const facts = valueOf(await device.facts(never));
    expect(facts).toMatchObject({ api: 35, kind: 'virtual', name: 'device-test' });
    expect(facts.abis).not.toEqual([]);
    expect(valueOf(await device.screen(never))).toEqual({
      width: 1080,
      height: 2400,
      rotation: 0,
      density: 420,
    });
    expect(valueOf(await device.interactivity(never))).toMatchObject({ interactive: true });
    expect(valueOf(await device.user(never))).toBe(0);
  });
  test('its clock is this machine’s', async () => {
    expect(Math.abs(valueOf(await device.now(never)) - Date.now())).toBeLessThan(1_000);
  });
});

describe('the app on it', () => {
  test('package, process and activities', async () => {
    expect(valueOf(await device.app(APP, never))).toMatchObject({ debuggable: true, installedFor: [0] });
    expect(valueOf(await device.app('no.such.app', never))).toBeNull();
    const [process] = valueOf(await device.processes(APP, never));
    expect(process?.name).toBe(APP);
    expect(valueOf(await device.launcher(APP, never))).toBe(`${APP}/.MainActivity`);
    const stack = valueOf(await device.activities(never));
    expect(stack.top).toMatchObject({
      component: `${APP}/.MainActivity`,
      state: 'RESUMED',
      pid: process?.pid,
    });
    expect(stack.focusedWindow).toMatchObject({ kind: 'app', packageName: APP });
  });

  test('its views, by the inspector', async () => {
    const tree = await stage.tree();
    expect(tree).toMatchObject({ source: 'inspector', fallbackReason: null, truncated: false, notes: [] });
    expect(layoutText(tree)).toContain('TextView #count "Count: 0"');
    const virtual = await stage.find({ contentDesc: 'Step 5' });
    expect(virtual).toMatchObject([{ node: { kind: 'virtual', clickable: true } }]);
  });

  test('touches: what they change, and what not', async () => {
    const before = await stage.tree();
    await stage.tap({ text: 'Add' });
    expect(valueOf(await watchChange(device, APP, before, never))).toBe(true);
    await stage.see({ text: 'Count: 1' });
    const still = await stage.tree();
    await stage.tap({ resourceId: 'steps_label' });
    expect(valueOf(await watchChange(device, APP, still, never))).toBe(false);
  });

  test('virtual nodes take touches', async () => {
    await stage.tap({ contentDesc: 'Step 5' });
    await stage.tap({ text: 'Add' });
    await stage.see({ text: 'Count: 6' });
  });

  test('refs stay with their views', async () => {
    const [first] = await stage.find({ resourceId: 'count' });
    await stage.tap({ text: 'Add' });
    const [again] = await stage.find({ ref: first?.node.ref });
    expect(again?.node.resourceId).toBe(`${APP}:id/count`);
  });

  test('a dialog is a window of its own, in front', async () => {
    await stage.tap({ text: 'Reset' });
    const button = await stage.see({ resourceId: 'android:id/button2' });
    expect(button.window.type).toBe('dialog');
    await stage.tap({ ref: button.node.ref });
    const end = Date.now() + 2_000;
    while ((await stage.tree()).windows.length > 1) expect(Date.now()).toBeLessThan(end);
  });

  test('a picture of it', async () => {
    const { width, height, black } = valueOf(await device.screenshot(never));
    expect({ width, height, black }).toEqual({ width: 1080, height: 2400, black: false });
  });

  test('another activity, and the way to HOME', async () => {
    await stage.tap({ text: 'History' });
    await stage.see({ resourceId: 'entries' });
    const { top, tasks, topTaskId } = valueOf(await device.activities(never));
    expect(top?.component).toBe(`${APP}/.HistoryActivity`);
    const own = tasks.find(({ id }) => id === topTaskId);
    expect(own?.activities.map(({ component, isRoot }) => [component, isRoot])).toEqual([
      [`${APP}/.HistoryActivity`, false],
      [`${APP}/.MainActivity`, true],
    ]);
    valueOf(await device.home(never));
    expect(valueOf(await device.activities(never)).top?.packageName).not.toBe(APP);
    expect(valueOf(await device.start({ packageName: APP }, never)).component).toBe(
      `${APP}/.HistoryActivity`,
    );
  });

  test('what cannot be started is told', async () => {
    expect(await device.start({ packageName: APP, activity: '.Nope' }, never)).toMatchObject({
      fault: { code: 'ACTIVITY_NOT_STARTED' },
    });
    expect(await device.start({ packageName: APP, activity: '.HistoryActivity' }, never)).toMatchObject({
      fault: { code: 'ACTIVITY_NOT_STARTED', data: { reason: 'notExported' } },
    });
    expect(await device.start({ packageName: APP, activity: 'a b' }, never)).toMatchObject({
      fault: { code: 'INVALID_PARAMS' },
    });
  });
});

test('refs of an ended process find nothing in the next one', async () => {
  valueOf(await device.start({ packageName: APP, stopFirst: true }, never));
  const old = new Set([...walk(await stage.tree())].map(({ node }) => node.ref));
  valueOf(await device.start({ packageName: APP, stopFirst: true }, never));
  for (const { node } of walk(await stage.tree())) expect(old).not.toContain(node.ref);
});

test('the inspector of another version of Jugg makes room', async () => {
  const jar = await readFile(shippedFile('jars/inspector.jar'));
  // A comment of one letter at the end of the archive makes it another file with the same classes.
  jar.writeUInt16LE(1, jar.length - 2);
  const inspectorJar = join(stage.bench.folder, 'other-inspector.jar');
  await writeFile(inspectorJar, Buffer.concat([jar, Buffer.from('x')]));
  const { connection } = stage;
  const ref = { kind: 'virtual' as const, name: null };
  const other = new AdbDevice({ connection, ref, inspectorJar, nonce: 'other', clock: systemClock });
  expect(valueOf(await device.ping(APP, never)).inspector).toBe(true);
  expect(valueOf(await other.ping(APP, never)).inspector).toBe(true);
  expect(valueOf(await other.tree(APP, { includeGone: false }, never)).source).toBe('inspector');
  await other.close();
});

describe('without an inspector', () => {
  test('uiautomator and the input tool do', async () => {
    const plain = createDevice(stage.connection, { kind: 'usb', name: null });
    const tree = valueOf(await plain.tree(APP, { includeGone: false }, never));
    expect(tree.source).toBe('uiautomator');
    expect(tree.fallbackReason).toContain('inspector');
    expect(layoutText(tree)).toContain('TextView #count "Count: 0"');
    const gesture = { action: 'tap', x: 500, y: 600 } as const;
    expect(valueOf(await plain.gesture(APP, gesture, never))).toEqual({ injected: 'input', handled: null });
    expect(valueOf(await plain.ping(APP, never))).toMatchObject({ inspector: false });
    await plain.close();
  });
});

describe('what an app may do to us', () => {
  test('a class of another shape is refused, and nothing changes', async () => {
    const { state } = await stage.bench.build();
    await stage.bench.replace(`${MAIN}/CountText.kt`, 'fun countText', 'fun other() = 1\n\nfun countText');
    const next = (await stage.bench.build()).state;
    const classes = [...next.classes]
      .filter(([name, { bytes }]) => state.classes.get(name)?.bytes !== bytes)
      .map(([name, { dex }]) => ({ name, code: classFileOf(dex) }));
    expect(classes).toHaveLength(1);
    expect(await device.redefine(APP, classes, never)).toMatchObject({ fault: { code: 'DEPLOY_FAILED' } });
    expect(valueOf(await device.ping(APP, never)).inspector).toBe(true);
  });

  test('views that throw cost their own fields, nothing more', async () => {
    await stage.bench.write(`${APP_JAVA}/OddView.java`, ODD_VIEW);
    await stage.bench.replace(`${RES}/layout/actions.xml`, '</LinearLayout>', ODD_ELEMENT);
    expect(await stage.deploy()).toMatchObject({ deployType: 'EMBEDDED' });
    const [odd] = await stage.find({ className: 'OddView' });
    expect(odd?.node).toMatchObject({ resourceId: `${APP}:id/odd`, text: null, visible: true });
    const { notes } = await stage.tree();
    expect(notes.join()).toContain('no description');
    expect(notes.join()).toContain('no nodes');
  });
});

describe('logs', () => {
  const ready = (entries: readonly LogEntry[]): boolean =>
    entries.some(({ tag, message }) => tag === 'Counter' && message === 'COUNTER_READY');

  test('what is there, from a time on', async () => {
    expect(ready(valueOf(await device.logs({ sinceMs: null }, never)))).toBe(true);
    const now = valueOf(await device.now(never));
    expect(valueOf(await device.logs({ sinceMs: now + 1_000 }, never))).toEqual([]);
  });

  test('what comes, until told to stop', async () => {
    const stop = new AbortController();
    const seen: LogEntry[] = [];
    const sinceMs = valueOf(await device.now(never));
    const following = device.followLogs(
      { sinceMs },
      (entries) => {
        seen.push(...entries);
        if (ready(seen)) stop.abort();
      },
      AbortSignal.any([stop.signal, AbortSignal.timeout(50_000)]),
    );
    valueOf(await device.start({ packageName: APP, stopFirst: true }, never));
    expect(await following).toEqual({ ok: true, value: undefined });
    expect(ready(seen)).toBe(true);
    expect(seen.every(({ timeMs }) => timeMs !== null && timeMs >= sinceMs)).toBe(true);
  });
});

describe('an app that does not run', () => {
  const waited = async (
    startedByUsAtMs: number | null,
    clock: Clock = systemClock,
  ): Promise<{ ms: number; code: string }> => {
    const began = Date.now();
    const result = await waitUntilOnline(device, APP, { startedByUsAtMs, signal: never, clock });
    return { ms: Date.now() - began, code: result.ok ? 'online' : result.fault.code };
  };

  test('is waited for 3 s, or until it comes', async () => {
    valueOf(await device.forceStop(APP, never));
    const { ms, code } = await waited(null);
    expect(code).toBe('APP_NOT_RUNNING');
    expect(ms).toBeGreaterThan(2_900);
    expect(ms).toBeLessThan(4_500);
    // A start may take longer than the limit on a machine that runs other tests: here ten seconds last for three minutes.
    const slow: Clock = { ...systemClock, now: () => Date.now() / 20 };
    const coming = waited(slow.now(), slow);
    valueOf(await device.start({ packageName: APP }, never));
    expect((await coming).code).toBe('online');
  });

  test('is told apart from one that is not installed', async () => {
    const result = await waitUntilOnline(device, 'no.such.app', { startedByUsAtMs: null, signal: never });
    expect(result).toMatchObject({ fault: { code: 'APP_NOT_INSTALLED' } });
  });
});

const ODD_VIEW = `package dev.jugg.sample.counter;

import android.content.Context;
import android.util.AttributeSet;
import android.view.View;
import android.view.accessibility.AccessibilityNodeProvider;

public class OddView extends View {
    public OddView(Context context, AttributeSet attributes) {
        super(context, attributes);
    }

    @Override
    public CharSequence getContentDescription() {
        throw new IllegalStateException("no description");
    }

    @Override
    public AccessibilityNodeProvider getAccessibilityNodeProvider() {
        throw new UnsupportedOperationException("no nodes");
    }
}
`;
const ODD_ELEMENT = `
    <dev.jugg.sample.counter.OddView
        android:id="@+id/odd"
        android:layout_width="20dp"
        android:layout_height="20dp" />
</LinearLayout>`;
