import { describe, expect, test } from 'vitest';
import { LogWatch } from '../../src/device/log-watch.ts';
import { parseLogcat } from '../../src/formats/logcat.ts';

const APP = 'com.example.shop';
const START =
  '1700000000.000  100  101 I ActivityManager: Start proc 4000:com.example.shop/u0a1 for pre-top-activity';
const line = (pid: number, level: string, tag: string, message: string): string =>
  `1700000001.000 ${pid} ${pid} ${level} ${tag}: ${message}`;
const CRASH = [
  line(4000, 'E', 'AndroidRuntime', 'FATAL EXCEPTION: main'),
  line(4000, 'E', 'AndroidRuntime', `Process: ${APP}, PID: 4000`),
  line(4000, 'E', 'AndroidRuntime', 'java.lang.IllegalStateException: boom'),
  line(4000, 'E', 'AndroidRuntime', '\tat com.example.shop.Main.run(Main.kt:3)'),
];

function watched(
  lines: readonly string[],
  marker: RegExp | null = null,
  tags: readonly string[] | null = null,
): LogWatch {
  const watch = new LogWatch(APP, marker && ((message) => marker.test(message)), tags);
  for (const one of lines) watch.feed(parseLogcat(`${one}\n`).entries);
  return watch;
}

describe('a wait for logs', () => {
  test('ends at the marker in a line of the app, not of another', () => {
    expect(watched([START, line(5000, 'I', 'Other', 'READY')], /READY/).stopReason).toBeNull();
    expect(watched([START, line(4000, 'I', 'Shop', 'READY')], /READY/).stopReason).toBe('marker');
  });

  test('knows a line whose process is told of later', () => {
    const watch = watched([line(4000, 'I', 'Shop', 'READY')], /READY/);
    expect(watch.stopReason).toBeNull();
    watch.know([{ pid: 4000, name: APP, user: 'u0_a1' }]);
    expect(watch.stopReason).toBe('marker');
  });

  test('ends at a crash of the app, whose stack no tag hides', () => {
    const watch = watched([START, ...CRASH], /never/, ['Shop']);
    expect(watch.stopReason).toBe('crash');
    expect(watch.crash).toMatchObject({
      exception: 'java.lang.IllegalStateException',
      message: 'boom',
      process: APP,
    });
    expect(watch.lines).toHaveLength(4);
  });

  test('does not end at the crash or death of another process, or of one of its own beside the main one', () => {
    const other = CRASH.map((one) => one.replaceAll(APP, 'com.other').replaceAll('4000', '4001'));
    expect(watched([START, ...other], /never/).stopReason).toBeNull();
    const service = START.replace('4000:com.example.shop', '4002:com.example.shop:sync');
    const died = line(100, 'I', 'ActivityManager', 'Process com.example.shop:sync (pid 4002) has died: cch');
    const watch = watched([START, service, died], /never/);
    expect(watch.stopReason).toBeNull();
    expect(watch.processes).toMatchObject([
      { pid: 4000, state: 'running' },
      { pid: 4002, state: 'died' },
    ]);
  });

  test('ends when the main process dies, told in the log or gone from the list', () => {
    const died = line(100, 'I', 'ActivityManager', 'Process com.example.shop (pid 4000) has died: fg  TOP');
    expect(watched([START, died], /never/).stopReason).toBe('exit');
    const watch = watched([START], /never/);
    watch.gone([]);
    expect(watch.stopReason).toBe('exit');
  });

  test('that saw its marker before the crash is content', () => {
    expect(watched([START, line(4000, 'I', 'Shop', 'READY'), ...CRASH], /READY/).stopReason).toBe('marker');
  });
});
