import { expect, test } from 'vitest';
import { crashSummary } from '../../src/formats/crash-summary.ts';
import { findCrashes } from '../../src/formats/crash.ts';

/** The summary of what `AndroidRuntime` logs. */
function summary(...lines: readonly string[]): string | undefined {
  const entries = ['FATAL EXCEPTION: main', 'Process: com.example.shop, PID: 7', ...lines].map((message) => ({
    time: null,
    timeMs: 0,
    pid: 7,
    tid: 7,
    level: 'E' as const,
    tag: 'AndroidRuntime',
    message,
    buffer: null,
    uid: null,
  }));
  const [crash] = findCrashes(entries);
  return crash && crashSummary(crash);
}

test('an exception of the app, where it was thrown', () => {
  expect(
    summary(
      'java.lang.IllegalStateException: empty cart',
      '\tat com.example.shop.Cart.pay(Cart.kt:12)',
      '\tat android.os.Handler.handleCallback(Handler.java:959)',
    ),
  ).toBe('java.lang.IllegalStateException: empty cart at com.example.shop.Cart.pay(Cart.kt:12)');
});

test('thrown by the platform: the frame of the app that called it', () => {
  expect(
    summary(
      'java.lang.NullPointerException',
      '\tat java.util.Objects.requireNonNull(Objects.java:203)',
      '\tat kotlin.collections.CollectionsKt.first(Collections.kt:1)',
      '\tat com.example.shop.Cart.pay(Cart.kt:12)',
    ),
  ).toBe('java.lang.NullPointerException at com.example.shop.Cart.pay(Cart.kt:12)');
});

test('the innermost cause, with the frame of the app that is nearest to it', () => {
  expect(
    summary(
      'java.lang.RuntimeException: Unable to start activity ComponentInfo{com.example.shop/.Main}: java.io.IOException: gone',
      '\tat android.app.ActivityThread.performLaunchActivity(ActivityThread.java:4206)',
      'Caused by: java.lang.IllegalStateException: no cart',
      '\tat com.example.shop.Main.onCreate(Main.kt:5)',
      '\t... 12 more',
      'Caused by: java.io.IOException: gone',
      '\tat java.io.FileInputStream.open0(Native Method)',
      '\t... 13 more',
    ),
  ).toBe('java.io.IOException: gone at com.example.shop.Main.onCreate(Main.kt:5)');
});

test('a view that cannot be made: its line in the layout', () => {
  const line = 'Binary XML file line #43 in com.example.shop:layout/main: Error inflating class Buttn';
  expect(
    summary(
      `java.lang.RuntimeException: Unable to start activity: android.view.InflateException: ${line}`,
      `Caused by: android.view.InflateException: ${line}`,
      'Caused by: java.lang.ClassNotFoundException: android.view.Buttn',
      '\tat java.lang.Class.classForName(Native Method)',
      '\tat com.example.shop.Main.onCreate(Main.kt:5)',
    ),
  ).toBe(
    `java.lang.ClassNotFoundException: android.view.Buttn (${line}) at com.example.shop.Main.onCreate(Main.kt:5)`,
  );
});

test('nothing of the app in it: where it was thrown', () => {
  expect(summary('android.app.RemoteServiceException: bad notification')).toBe(
    'android.app.RemoteServiceException: bad notification',
  );
  expect(summary('java.lang.OutOfMemoryError', '\tat android.graphics.Bitmap.create(Bitmap.java:1)')).toBe(
    'java.lang.OutOfMemoryError at android.graphics.Bitmap.create(Bitmap.java:1)',
  );
});
