import { describe, expect, test } from 'vitest';
import type { CliEnvelope } from '../../src/cli/envelope.ts';
import { formatPlain } from '../../src/cli/print.ts';
import { styleFor } from '../../src/cli/style.ts';

const plain = styleFor({ isTTY: false }, true, {});

function envelope(data: CliEnvelope['data'], more: Partial<CliEnvelope> = {}): CliEnvelope {
  return { status: 'OK', message: 'Done.', data, artifacts: [], errorCode: null, ...more };
}

describe('answers for people', () => {
  test('the message, then one line a value; what is absent or empty is left out', () => {
    const data = { serial: 'a', total: 3, top: null, none: [], nothing: {}, on: false, ids: ['x', 'y'] };
    expect(formatPlain(envelope(data), plain, '/p')).toBe(
      'Done.\nserial: a\ntotal: 3\non: false\nids: x, y\n',
    );
  });

  test('files are named from the folder one is in, others whole', () => {
    const data = { file: '/p/app/A.kt', log: '/home/u/log', here: '/p', beside: '/pq/B.kt' };
    expect(formatPlain(envelope(data), plain, '/p')).toBe(
      'Done.\nfile: app/A.kt\nlog: /home/u/log\nhere: /p\nbeside: /pq/B.kt\n',
    );
  });

  test('a long list says how many more there are', () => {
    const compiled = Array.from({ length: 30 }, (_, i) => `/p/module/src/main/kotlin/Class${i}.kt`);
    const said = formatPlain(envelope({ files: { compiled, total: 30 } }), plain, '/p');
    expect(said.split('\n')).toEqual([
      'Done.',
      'files:',
      '  compiled:',
      ...compiled.slice(0, 8).map((file) => `    - ${file.slice(3)}`),
      '    … and 22 more (--json has all)',
      '  total: 30',
      '',
    ]);
  });

  test('objects in a list have a line each, with the beginning of their lists', () => {
    const device = {
      serial: 'a',
      timings: { install: 5, launch: 7 },
      lines: [1, 2, 3, 4, 5],
      apps: [{ pid: 1 }],
    };
    expect(formatPlain(envelope({ devices: [device] }), plain, '/p')).toBe(
      'Done.\ndevices:\n  - serial=a  timings={install=5, launch=7}  lines=[1, 2, 3, 4, … and 1 more (--json has all)]  apps=[{pid=1}]\n',
    );
  });

  test('records are what was asked for: many of them are shown', () => {
    const checks = Array.from({ length: 60 }, (_, at) => ({ at }));
    const lines = formatPlain(envelope({ checks }), plain, '/p').split('\n');
    expect(lines.at(-3)).toBe('  - at=49');
    expect(lines.at(-2)).toBe('  … and 10 more (--json has all)');
  });

  test('compiler messages come first, as editors read them; a failure has its code', () => {
    const diagnostics = [
      { severity: 'error', file: '/p/A.java', line: 3, column: 7, message: 'expected' },
      { severity: 'warning', message: 'old' },
    ];
    const failed = envelope(
      { jobId: 'j', diagnostics },
      { status: 'ERROR', errorCode: 'COMPILE_FAILED', message: 'It failed.' },
    );
    expect(formatPlain(failed, plain, '/p')).toBe(
      'COMPILE_FAILED: It failed.\nA.java:3:7: error: expected\nwarning: old\njobId: j\n',
    );
  });

  test('an artifact is named once', () => {
    const artifacts: CliEnvelope['artifacts'] = [
      { type: 'image', path: '/a/s.png' },
      { type: 'log', path: '/a/l.txt' },
    ];
    expect(formatPlain(envelope({ file: '/a/s.png' }, { artifacts }), plain, '/p')).toBe(
      'Done.\nfile: /a/s.png\nlog: /a/l.txt\n',
    );
  });

  test.each([
    [{ isTTY: true }, true, {}, true],
    [{ isTTY: false }, true, {}, false],
    [{ isTTY: true }, false, {}, false],
    [{ isTTY: true }, true, { NO_COLOR: '1' }, false],
    [{ isTTY: true }, true, { NO_COLOR: '' }, true],
    [{ isTTY: true }, true, { TERM: 'dumb' }, false],
  ])('colours for %j, --color %j, %j: %j', (stream, color, env, colored) => {
    expect(styleFor(stream, color, env).red('x') !== 'x').toBe(colored);
  });
});
