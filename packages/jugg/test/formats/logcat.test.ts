import { describe, expect, test } from 'vitest';
import { findCrashes, findDeaths } from '../../src/formats/crash.ts';
import { markerTest } from '../../src/formats/log-marker.ts';
import { createLogcatParser, hiddenLines, logcatEnd, parseLogcat } from '../../src/formats/logcat.ts';
import { differences, fieldCases, text, type FieldCase } from './field-case.ts';

function parse(of: FieldCase): unknown {
  const chunks = of.input['chunksBase64'];
  if (!Array.isArray(chunks)) return parsed(parseLogcat(text(of, 'stdout')), of);
  const parser = createLogcatParser();
  const parts = [...chunks.map((chunk) => parser.push(Buffer.from(String(chunk), 'base64'))), parser.end()];
  return parsed(
    {
      entries: parts.flatMap((part) => part.entries),
      dividers: parts.flatMap((part) => part.dividers),
      unknown: parts.flatMap((part) => part.unknown),
    },
    of,
  );
}

function parsed(output: ReturnType<typeof parseLogcat>, of: FieldCase): unknown {
  expect(output.unknown).toEqual([]);
  const { gap } = logcatEnd(text(of, 'stderr'));
  return {
    entries: output.entries,
    dividers: output.dividers,
    hiddenLines: hiddenLines(output.entries),
    gap,
    restart: gap,
  };
}

/** What the wait does with one line after the other: the marker counts in lines of the app, a crash ends it. */
function wait(of: FieldCase): unknown {
  const { marker, mode, pid, package: wanted } = Object(of.input['wait']);
  const lines: unknown = of.input['lines'];
  const carries = markerTest(String(marker), mode === 'literal');
  if (!carries.ok) return { error: carries.fault.code };
  const { entries } = parseLogcat((Array.isArray(lines) ? lines : []).join('\n'));
  for (const [index, entry] of entries.entries()) {
    const crash = findCrashes(entries).find((found) => found.process === wanted);
    if (crash) return { result: 'crashed', exception: crash.exception };
    if (entry.pid === pid && carries.value(entry.message)) return { result: 'matched', matchedIndex: index };
  }
  return { result: 'timeout' };
}

describe('field cases', () => {
  test.each(fieldCases('logcat'))('%s', (_, of) => {
    expect(differences(of.input['wait'] ? wait(of) : parse(of), of.expect)).toEqual([]);
  });
});

describe('time of an entry', () => {
  const time = (line: string): unknown => parseLogcat(`${line}\n`).entries[0]?.timeMs;

  test('epoch, with and without padding', () => {
    expect(time('         1584621960.001   788   865 V AlarmManager: x')).toBe(1584621960001);
    expect(time('1584621960.123456   788   865 V AlarmManager: x')).toBe(1584621960123);
  });
  test('year and zone', () => {
    expect(time('2026-02-06 12:48:19.406 +0100  2579  2813 D Shop    : x')).toBe(
      Date.parse('2026-02-06T11:48:19.406Z'),
    );
  });
  test('no year, no zone or a monotonic clock do not say it', () => {
    expect(time('02-06 12:48:19.406  2579  2813 D Shop    : x')).toBeNull();
    expect(time('2026-02-06 12:48:19.406  2579  2813 D Shop    : x')).toBeNull();
    expect(time('      8123.406  2579  2813 D Shop    : x')).toBeNull();
  });
});

describe('other forms', () => {
  test('colours and carriage returns', () => {
    const { entries, unknown } = parseLogcat(
      '\u001b[38;5;40m06-06 11:10:37.490  2830  3273 D WifiHAL : a\u001b[0m\r\n',
    );
    expect(unknown).toEqual([]);
    expect(entries[0]).toMatchObject({ tag: 'WifiHAL', message: 'a' });
  });
  test('time format', () => {
    expect(parseLogcat('06-06 11:10:37.490 D/Shop    (13066): a: b\n').entries[0]).toMatchObject({
      pid: 13066,
      tid: null,
      tag: 'Shop',
      message: 'a: b',
    });
  });
  test('a line of no known form is told', () => {
    expect(parseLogcat('logcat: waiting for device\n').unknown).toEqual(['logcat: waiting for device']);
  });
  test('an empty line inside a message of the long form', () => {
    const { entries } = parseLogcat('[ 06-06 11:10:37.490  2830: 3273 D/Shop ]\na\n\nb\n\n');
    expect(entries.map((entry) => entry.message)).toEqual(['a\n\nb']);
  });
});

describe('crashes', () => {
  const at = '06-06 11:10:41.101 13066 13070';

  test('message of several lines, cause and stack', () => {
    const [crash] = findCrashes(
      parseLogcat(
        [
          `${at} E AndroidRuntime: FATAL EXCEPTION: worker-1`,
          `${at} E AndroidRuntime: Process: com.example.shop:sync, PID: 13066`,
          `${at} E AndroidRuntime: java.lang.IllegalStateException: two`,
          '06-06 11:10:41.101   777   777 E AndroidRuntime: unrelated',
          `${at} E AndroidRuntime: lines`,
          `${at} E AndroidRuntime: \tat a.B.c(B.kt:1)`,
          `${at} E AndroidRuntime: Caused by: java.io.IOException`,
          `${at} E AndroidRuntime: \t... 3 more`,
        ].join('\n'),
      ).entries,
    );
    expect(crash).toMatchObject({
      kind: 'java',
      process: 'com.example.shop:sync',
      exception: 'java.lang.IllegalStateException',
      message: 'two\nlines',
      stack: ['at a.B.c(B.kt:1)', 'Caused by: java.io.IOException', '... 3 more'],
    });
  });
  test('a whole stack in one message', () => {
    const entry = parseLogcat(`${at} E AndroidRuntime: x`).entries[0];
    if (!entry) throw new Error('no entry');
    const message = 'FATAL EXCEPTION: main\nProcess: a.b, PID: 13066\njava.lang.Error\n\tat x.Y.z(Y.java)';
    expect(findCrashes([{ ...entry, message }])[0]).toMatchObject({
      process: 'a.b',
      exception: 'java.lang.Error',
      message: null,
      stack: ['at x.Y.z(Y.java)'],
    });
  });
  test('native crash with its tombstone', () => {
    const [crash] = findCrashes(
      parseLogcat(
        [
          `${at} F libc    : Fatal signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0 in tid 13070 (worker), pid 13066 (om.example.shop)`,
          '06-06 11:10:41.300 14000 14000 F DEBUG   : pid: 13066, tid: 13070, name: worker  >>> com.example.shop <<<',
          '06-06 11:10:41.300 14000 14000 F DEBUG   :       #00 pc 0000000000001234  /data/app/x/lib/arm64/libx.so (f+4)',
        ].join('\n'),
      ).entries,
    );
    expect(crash).toMatchObject({
      kind: 'native',
      process: 'com.example.shop',
      pid: 13066,
      exception: 'SIGSEGV',
    });
    expect(crash?.stack).toHaveLength(1);
  });
  test('ANR with process id and reason', () => {
    const am = '06-06 11:10:50.000  1852  1900 E ActivityManager:';
    const [crash] = findCrashes(
      parseLogcat(
        [
          `${am} ANR in com.example.shop (com.example.shop/.MainActivity)`,
          `${am} PID: 13066`,
          `${am} Reason: Input dispatching timed out`,
        ].join('\n'),
      ).entries,
    );
    expect(crash).toMatchObject({ kind: 'anr', pid: 13066, message: 'Input dispatching timed out' });
  });
  test('deaths', () => {
    const deaths = findDeaths(
      parseLogcat(
        [
          '06-06 11:10:50.000  1852  1900 I ActivityManager: Process com.example.shop (pid 13066) has died: fg  TOP',
          '06-06 11:10:50.000  1852  1900 I ActivityManager: Killing 13067:com.example.shop:sync/u0a133 (adj 900): stop com.example.shop',
          '06-06 11:10:50.000   400   400 I Zygote  : Process 13068 exited due to signal 9 (Killed)',
          '06-06 11:10:50.000   400   400 I Shop    : Process x (pid 1) has died: no',
        ].join('\n'),
      ).entries,
    );
    expect(deaths).toEqual([
      { pid: 13066, process: 'com.example.shop', reason: 'fg  TOP' },
      { pid: 13067, process: 'com.example.shop:sync', reason: 'stop com.example.shop' },
      { pid: 13068, process: '', reason: 'due to signal 9 (Killed)' },
    ]);
  });
});
