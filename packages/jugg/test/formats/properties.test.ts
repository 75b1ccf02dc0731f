import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseActivities } from '../../src/formats/activities.ts';
import { parseDeviceList } from '../../src/formats/adb-devices.ts';
import { findCrashes, findDeaths } from '../../src/formats/crash.ts';
import { installFailure } from '../../src/formats/install.ts';
import { createLogcatParser, parseLogcat, type LogEntry } from '../../src/formats/logcat.ts';
import { parsePackageDump } from '../../src/formats/package-dump.ts';
import { unwrap } from '../../src/formats/terminal.ts';
import { inputSteps } from '../../src/formats/text-input.ts';
import { judgeDump } from '../../src/formats/uiautomator.ts';
import { parseViewHierarchy } from '../../src/formats/view-hierarchy.ts';
import { fieldCases, text } from './field-case.ts';

interface Printed {
  readonly timeMs: number;
  readonly pid: number;
  readonly tid: number;
  readonly level: string;
  readonly tag: string;
  readonly message: string;
}

const line = fc.string({ unit: 'grapheme', maxLength: 60 }).map((one) => one.replaceAll(/\p{Cc}/gu, ' '));

describe('logcat', () => {
  const entry = fc.record({
    timeMs: fc.integer({ min: 1_000_000_000_000, max: 2_000_000_000_000 }),
    pid: fc.integer({ min: 1, max: 99_999 }),
    tid: fc.integer({ min: 1, max: 99_999 }),
    level: fc.constantFrom('V', 'D', 'I', 'W', 'E', 'F'),
    tag: fc.stringMatching(/^[\w.$-]{0,30}$/),
    message: line,
  });
  /** As liblog prints `-v threadtime -v epoch`. */
  const print = ({ timeMs, pid, tid, level, tag, message }: Printed): string =>
    `${(timeMs / 1000).toFixed(3).padStart(19)} ${String(pid).padStart(5)} ${String(tid).padStart(5)} ${level} ${tag.padEnd(8)}: ${message}\n`;
  const fields = ({ timeMs, pid, tid, level, tag, message }: LogEntry): unknown => ({
    timeMs,
    pid,
    tid,
    level,
    tag,
    message,
  });

  test('what was printed is read, wherever the stream is cut', () => {
    fc.assert(
      fc.property(
        fc.array(entry, { maxLength: 8 }),
        fc.array(fc.nat(), { maxLength: 6 }),
        (entries, cuts) => {
          const bytes = Buffer.from(entries.map(print).join(''));
          const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort(
            (a, b) => a - b,
          );
          const parser = createLogcatParser();
          const parts = places.slice(1).map((end, i) => parser.push(bytes.subarray(places[i], end)));
          const read = [...parts, parser.end()];
          expect(read.flatMap((part) => part.unknown)).toEqual([]);
          expect(read.flatMap((part) => part.entries).map(fields)).toEqual(entries);
        },
      ),
    );
  });
});

describe('text for the input tool', () => {
  /** What the tool types: its own rule, then the keys. */
  const typed = (steps: readonly ({ text: string } | { key: string })[]): string =>
    steps
      .map((step) =>
        'text' in step ? step.text.replaceAll('%s', ' ') : step.key === 'KEYCODE_ENTER' ? '\n' : '\t',
      )
      .join('');

  test('arrives exactly, or nothing is typed', () => {
    const letters = fc.string({
      unit: fc.constantFrom('%', 's', 'S', ' ', "'", '"', '\\', '$', '\n', '\t', 'a', 'é'),
    });
    fc.assert(
      fc.property(letters, (wanted) => {
        const steps = inputSteps(wanted);
        if (wanted.includes('é')) expect(steps).toMatchObject({ fault: { code: 'TEXT_NOT_ASCII' } });
        else expect(steps.ok && typed(steps.value)).toBe(wanted);
      }),
    );
  });
});

test('a text that a terminal wrapped is joined again', () => {
  const row = fc.stringMatching(/^ {2,6}[a-z]{1,200}$/);
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 10 }), (rows) => {
      const wrapped = rows.flatMap((one) => one.match(/.{1,80}/g) ?? []).join('\n');
      expect(unwrap(wrapped, (start) => start.startsWith('  '))).toBe(rows.join('\n'));
    }),
  );
});

test('a device line is read from its right end', () => {
  const serial = fc.stringMatching(/^[A-Za-z0-9.:_()-]{1,40}( \(\d\))?$/);
  const state = fc.constantFrom(
    'device',
    'offline',
    'unauthorized',
    'recovery',
    'no permissions (missing; rules)',
  );
  fc.assert(
    fc.property(serial, state, fc.nat(), (name, word, id) => {
      const [device] = parseDeviceList(`${name.padEnd(22)} ${word} product:a model:B_c transport_id:${id}\n`);
      expect(device).toMatchObject({
        serial: name,
        state: word.replace(/ \(.*/, ''),
        transportId: id,
        model: 'B_c',
      });
    }),
  );
});

describe('broken output', () => {
  const dumps = fieldCases('activity-dump').map(([, of]) => text(of, 'stdout'));
  const damaged = fc
    .tuple(fc.constantFrom(...dumps), fc.nat(), fc.nat(), line)
    .map(([dump, from, length, put]) => {
      const at = from % dump.length;
      return dump.slice(0, at) + put + dump.slice(at + (length % 200));
    });

  test('no reader throws, whatever it is given', () => {
    fc.assert(
      fc.property(fc.oneof(damaged, line, fc.string({ maxLength: 300 })), (output) => {
        parseActivities(output);
        parsePackageDump(output, 'com.example.shop');
        parseViewHierarchy(output, 'com.example.shop');
        installFailure(output);
        const { entries } = parseLogcat(output);
        findCrashes(entries);
        findDeaths(entries);
        const attempt = { compressed: false, attempt: 1, stdout: output, stderr: '', exitCode: 0 };
        expect(judgeDump({ ...attempt, file: output }).ok).toBe(false);
      }),
      { numRuns: 300 },
    );
  });
});
