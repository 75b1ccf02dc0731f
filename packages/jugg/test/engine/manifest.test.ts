import { describe, expect, test } from 'vitest';
import { launcherActivity } from '../../src/engine/manifest/facts.ts';
import { mergeManifests } from '../../src/engine/manifest/merge.ts';
import { printXml } from '../../src/engine/manifest/print.ts';
import { parseXml, type XmlElement } from '../../src/engine/manifest/xml-tree.ts';
import { toSourceManifest } from '../../src/engine/stages/manifest.ts';

const HEAD =
  '<manifest xmlns:android="http://schemas.android.com/apk/res/android" xmlns:tools="http://schemas.android.com/tools">';

function manifest(body: string, file = '/app.xml'): XmlElement {
  const parsed = parseXml(`${HEAD}${body}</manifest>`, file);
  if ('problem' in parsed) throw new Error(parsed.problem.message);
  return parsed.root;
}

function merge(...bodies: string[]): { lines: string[]; refusals: string[] } {
  const inputs = bodies.map((body, index) => ({
    root: manifest(body, index === 0 ? '/app.xml' : `/lib${index}.xml`),
    namespace: index === 0 ? 'my.app' : `my.lib${index}`,
  }));
  const { root, refusals } = mergeManifests(inputs, 'my.id');
  const { text } = printXml(root);
  return { lines: text.split('\n').map((line) => line.trim()), refusals: refusals.map(({ what }) => what) };
}

describe('merging', () => {
  test('the package is the application id, and class names are written out', () => {
    const { lines, refusals } = merge(
      '<application android:name=".App"><activity android:name="Main" android:parentActivityName=".Up"/><activity android:name="other.Full"/></application>',
    );
    expect(refusals).toEqual([]);
    expect(lines[1]).toContain('package="my.id"');
    expect(lines).toContain('<application android:name="my.app.App">');
    expect(lines).toContain('<activity android:name="my.app.Main" android:parentActivityName="my.app.Up" />');
    expect(lines).toContain('<activity android:name="other.Full" />');
  });

  test('what only a library has is added, with names in its own namespace', () => {
    const { lines, refusals } = merge(
      '<application android:label="A"/>',
      '<uses-permission android:name="p"/><uses-sdk android:minSdkVersion="21"/><application android:icon="i"><service android:name=".S"/></application>',
    );
    expect(refusals).toEqual([]);
    expect(lines).toContain('<uses-permission android:name="p" />');
    expect(lines).toContain('<application android:label="A" android:icon="i">');
    expect(lines).toContain('<service android:name="my.lib1.S" />');
    expect(lines.join()).not.toContain('uses-sdk');
  });

  test('the same element twice is one; its filters are collected', () => {
    const filter = (action: string): string =>
      `<intent-filter><action android:name="${action}"/></intent-filter>`;
    const { lines, refusals } = merge(
      `<uses-permission android:name="p"/><application><activity android:name="x.A">${filter('a')}</activity></application>`,
      `<uses-permission android:name="p"/><application><activity android:name="x.A">${filter('a')}${filter('b')}</activity></application>`,
    );
    expect(refusals).toEqual([]);
    expect(lines.filter((line) => line.startsWith('<uses-permission'))).toHaveLength(1);
    expect(lines.filter((line) => line.startsWith('<activity'))).toHaveLength(1);
    expect(lines.filter((line) => line.startsWith('<action'))).toHaveLength(2);
  });

  test('the application comes last', () => {
    const { lines } = merge('<application/>', '<uses-feature android:name="f"/>');
    expect(lines.findIndex((line) => line.startsWith('<uses-feature'))).toBeLessThan(
      lines.findIndex((line) => line.startsWith('<application')),
    );
  });

  test("lint's hints are dropped, the application id is filled in", () => {
    const { lines, refusals } = merge(
      '<application tools:ignore="x" tools:targetApi="31"><provider android:name=".P" android:authorities="${applicationId}.files"/></application>',
    );
    expect(refusals).toEqual([]);
    expect(lines).toContain('<provider android:name="my.app.P" android:authorities="my.id.files" />');
    expect(lines.join()).not.toContain('tools:');
  });

  test.each([
    ['a placeholder', ['<application android:label="${label}"/>'], 'the placeholder ${label}'],
    ['a marker', ['<application tools:replace="android:label"/>'], '`tools:replace="android:label"`'],
    ['a removal', ['<uses-permission android:name="p" tools:node="remove"/>'], '`tools:node="remove"`'],
    [
      'two values',
      ['<application android:label="A"/>', '<application android:label="B"/>'],
      '`android:label="B"`',
    ],
  ])('%s is refused', (_, bodies, what) => {
    expect(merge(...bodies).refusals.join()).toContain(what);
  });
});

test('the launcher is the first enabled activity or alias that says so', () => {
  const launches =
    '<intent-filter><action android:name="android.intent.action.MAIN"/><category android:name="android.intent.category.LAUNCHER"/></intent-filter>';
  const application = (inner: string): XmlElement => manifest(`<application>${inner}</application>`);
  expect(
    launcherActivity(
      application(`<activity android:name="x.A"/><activity android:name="x.B">${launches}</activity>`),
    ),
  ).toBe('x.B');
  expect(
    launcherActivity(
      application(
        `<activity android:name="x.A" android:enabled="false">${launches}</activity><activity-alias android:name="x.C">${launches}</activity-alias>`,
      ),
    ),
  ).toBe('x.C');
  expect(launcherActivity(application('<activity android:name="x.A"/>'))).toBeNull();
});

test('text is escaped, and lines lead back to their elements', () => {
  const root = manifest(
    '\n<application\n android:label="a &lt;&amp;&quot; b"\n>\n<activity android:name="x.A"/></application>',
  );
  const printed = printXml(root);
  expect(printed.text).toContain('android:label="a &lt;&amp;&quot; b"');
  const line = printed.text.split('\n').findIndex((one) => one.includes('x.A')) + 1;
  const error = { severity: 'error', tool: 'aapt2', column: null, message: 'm' } as const;
  expect(toSourceManifest([{ ...error, file: '/merged.xml', line }], '/merged.xml', printed)).toMatchObject([
    { tool: 'manifest', file: '/app.xml', line: 5 },
  ]);
  const other = { ...error, file: '/res.xml', line: 3 };
  expect(toSourceManifest([other], '/merged.xml', printed)).toEqual([other]);
});

test.each([
  ['<a><b></a>', 1],
  ['<a>\n<b x=1/></a>', 2],
  ['', 1],
  ['<a', 1],
])('%j is no XML, and the line is told', (text, line) => {
  expect(parseXml(text, '/x.xml')).toMatchObject({ problem: { line } });
});
