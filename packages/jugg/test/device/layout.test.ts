import { describe, expect, test } from 'vitest';
import { layoutHtml } from '../../src/device/layout-html.ts';
import { countNodes, selectWindows } from '../../src/device/layout-select.ts';
import { layoutText } from '../../src/device/layout-text.ts';
import { fingerprint } from '../../src/device/screen-change.ts';
import { group, SCREEN, text, tree, view, window } from './trees.ts';

describe('text', () => {
  test('one node a line, with what a reader must know', () => {
    const field = view({
      ref: 'e3',
      className: 'android.widget.EditText',
      resourceId: 'a.b:id/name',
      hint: 'Name',
      editable: true,
      clickable: true,
      enabled: false,
      boundsPx: [0, 30, 300, 120],
    });
    const label = text('He said "hi"\nand left', { ref: 'e2', boundsPx: [0, 0, 300, 30] });
    const root = group([label, field], { ref: 'e1' });
    expect(layoutText({ ...tree(window(root)), notes: ['odd'] }).split('\n')).toEqual([
      'screen 1080x2400 px, 480 dpi, rotation 0; bounds in dp; source inspector',
      'note: odd',
      'window activity "a.b/a.b.Main" focused',
      '  e1 LinearLayout [0,0,360,800]',
      String.raw`    e2 TextView "He said \"hi\"\nand left" [0,0,100,10]`,
      '    e3 EditText #name hint="Name" [0,10,100,40] disabled clickable editable',
      '',
    ]);
  });

  test('long texts are cut', () => {
    expect(layoutText(tree(window(text('x'.repeat(500)))))).toContain(`"${'x'.repeat(80)}…"`);
  });
});

describe('html', () => {
  const html = layoutHtml(tree(window(group([text('</script><img src=x onerror=alert(1)>')]))));

  test('texts of the app cannot become markup or code', () => {
    expect(html).not.toContain('<img');
    expect(html.match(/<\/script>/g)).toHaveLength(2);
    expect(html).toContain(String.raw`\u003c/script>`);
  });
  test('loads nothing', () => {
    expect(html).toContain("default-src 'none'");
    expect(html).not.toMatch(/https?:/);
  });
});

describe('windows', () => {
  const below = window(group([text('old')]), { title: 'a.b/a.b.First', focused: false });
  const activity = window(
    group([view({ resourceId: 'a.b:id/list', children: [text('row', { clickable: true })] })]),
  );
  const dialog = window(group([text('OK')]), { type: 'dialog', title: 'Sure?' });
  const screen = tree(below, activity, dialog);
  const select = (options: Parameters<typeof selectWindows>[1]): ReturnType<typeof selectWindows> =>
    selectWindows(screen, options);

  test('from the topmost activity on, or all', () => {
    expect(select({ allWindows: false, rootId: undefined })).toMatchObject({
      value: { windows: [{ title: 'a.b/a.b.Main' }, { title: 'Sure?' }] },
    });
    expect(select({ allWindows: true, rootId: undefined })).toMatchObject({
      value: { windows: { length: 3 } },
    });
  });
  test('only below an id', () => {
    const selected = select({ allWindows: false, rootId: 'list' });
    expect(selected).toMatchObject({ ok: true, value: { nodes: 2 } });
    expect(selected.ok && countNodes(selected.value)).toEqual({ nodes: 2, clickable: 1 });
  });
  test('an unknown id offers those that are there', () => {
    expect(select({ allWindows: false, rootId: 'nope' })).toMatchObject({
      fault: { code: 'ELEMENT_NOT_FOUND', data: { candidates: ['list'] } },
    });
  });
});

describe('fingerprint', () => {
  const screen = (...given: Parameters<typeof view>): string =>
    fingerprint(tree(window(group([view(...given)]))));
  const base = screen({ text: 'a' });

  test('refs, focus and drawing do not count', () => {
    expect(screen({ text: 'a', focused: true, alpha: 0.5, ref: 'e999' })).toBe(base);
  });
  test.each([
    ['text', { text: 'b' }],
    ['visibility', { text: 'a', visible: false }],
    ['bounds', { text: 'a', boundsPx: [0, 0, 101, 50] as const }],
    ['enabled', { text: 'a', enabled: false }],
    ['checked', { text: 'a', checked: true }],
  ])('%s counts', (_, given) => {
    expect(screen(given)).not.toBe(base);
  });
  test('another window counts', () => {
    const root = group([]);
    const toast = window(root, { type: 'toast', boundsPx: SCREEN });
    expect(fingerprint(tree(window(root), toast))).not.toBe(fingerprint(tree(window(root))));
  });
});
