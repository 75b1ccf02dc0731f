import { expect, test } from 'vitest';
import { judgeDump } from '../../src/formats/uiautomator.ts';
import { parseUiHierarchy, type UiNode } from '../../src/formats/uiautomator-xml.ts';
import { parseWindowFocus } from '../../src/formats/window-focus.ts';
import { differences, fieldCases, text, type FieldCase } from './field-case.ts';

function flat(nodes: readonly UiNode[]): UiNode[] {
  return nodes.flatMap((node) => [node, ...flat(node.children)]);
}

function answer(of: FieldCase): unknown {
  const file = of.input['file'];
  const focus = of.input['currentFocus'] ? parseWindowFocus(text(of, 'currentFocus')) : undefined;
  const judged = judgeDump({
    compressed: text(of, 'command').includes('--compressed'),
    attempt: typeof of.input['attempt'] === 'number' ? of.input['attempt'] : 1,
    stdout: text(of, 'stdout'),
    stderr: text(of, 'stderr'),
    exitCode: Number(of.input['exitCode']),
    file: typeof file === 'string' ? file : file === null ? null : undefined,
    focus,
    wantedPackage: text(of, 'wantedPackage') || undefined,
  });
  const common = { focusedPackage: focus?.packageName, windowMismatch: false };
  if (!judged.ok) return { ...common, ...judged };
  const { hierarchy, dialog } = judged;
  return {
    ...common,
    ...judged,
    error: null,
    rotation: hierarchy.rotation,
    nodeCount: hierarchy.nodeCount,
    nodes: flat(hierarchy.roots),
    dialog: dialog && { kind: dialog.kind, package: dialog.packageName },
  };
}

test.each(fieldCases('uiautomator-dump'))('%s', (_, of) => {
  expect(differences(answer(of), of.expect)).toEqual([]);
});

test('a second idle error with --compressed is final', () => {
  const attempt = {
    attempt: 2,
    stdout: '',
    stderr: 'ERROR: could not get idle state.',
    exitCode: 0,
    file: null,
  };
  expect(judgeDump({ ...attempt, compressed: true })).toMatchObject({ error: 'UI_NOT_IDLE', next: 'none' });
});

test('half a file is no tree', () => {
  expect(
    parseUiHierarchy('<?xml version="1.0"?><hierarchy rotation="1"><node bounds="[0,0][1,1]">'),
  ).toBeNull();
});

test('several windows and rotation', () => {
  const xml =
    '<hierarchy rotation="3"><node class="a.A" bounds="[0,0][1,1]" enabled="true"/><node class="a.B" bounds="[0,0][1,1]"/></hierarchy>';
  const hierarchy = parseUiHierarchy(xml);
  expect(hierarchy).toMatchObject({ rotation: 3, nodeCount: 2 });
  expect([...(hierarchy?.roots[0]?.flags ?? [])]).toEqual(['enabled']);
});
