import { toDp } from './locate.ts';
import type { ViewNode, ViewTree } from './tree.ts';

/** Texts are cut here; the whole ones are in the json form. */
const TEXT = 80;

function quote(text: string): string {
  const cut = text.length > TEXT ? `${text.slice(0, TEXT)}…` : text;
  return JSON.stringify(cut);
}

/** What a reader must know beyond the usual (visible, enabled, not checkable …). */
function flags(node: ViewNode): string[] {
  const found: [boolean, string][] = [
    [!node.visible, node.visibility === 'visible' ? 'off-screen' : node.visibility],
    [!node.enabled, 'disabled'],
    [node.clickable, 'clickable'],
    [node.longClickable, 'long-clickable'],
    [node.checkable, node.checked ? 'checked' : 'unchecked'],
    [node.selected, 'selected'],
    [node.focused, 'focused'],
    [node.editable, 'editable'],
    [node.scrollable, 'scrollable'],
    [node.password, 'password'],
    [node.kind !== 'view', node.kind],
    [node.alpha < 1, `alpha=${Math.round(node.alpha * 100) / 100}`],
  ];
  return found.filter(([set]) => set).map(([, name]) => name);
}

function line(node: ViewNode, density: number): string {
  const parts = [node.ref, node.className.slice(node.className.lastIndexOf('.') + 1)];
  if (node.resourceId !== null) parts.push(`#${node.resourceId.slice(node.resourceId.lastIndexOf('/') + 1)}`);
  if (node.text !== null && node.text !== '') parts.push(quote(node.text));
  if (node.contentDesc !== null && node.contentDesc !== '') parts.push(`desc=${quote(node.contentDesc)}`);
  if (node.hint !== null && node.hint !== '') parts.push(`hint=${quote(node.hint)}`);
  if (node.testTag !== null) parts.push(`tag=${quote(node.testTag)}`);
  const [left, top, right, bottom] = toDp(node.boundsPx, density).map(Math.round);
  parts.push(`[${left},${top},${right},${bottom}]`, ...flags(node));
  return parts.join(' ');
}

function add(lines: string[], node: ViewNode, depth: number, density: number): void {
  lines.push(`${'  '.repeat(depth)}${line(node, density)}`);
  for (const child of node.children) add(lines, child, depth + 1, density);
}

/**
 * The tree as compact text: one node a line, indented, as `ref Class #id "text" [left,top,right,bottom] flags`, bounds
 * in whole dp. A line for each window above its nodes, the topmost window last.
 */
export function layoutText(tree: ViewTree): string {
  const { width, height, density, rotation } = tree.screen;
  const lines = [
    `screen ${width}x${height} px, ${density} dpi, rotation ${rotation}; bounds in dp; source ${tree.source}`,
  ];
  if (tree.fallbackReason !== null) lines.push(`note: ${tree.fallbackReason}`);
  if (tree.truncated) lines.push('note: the tree was cut at a limit of the reader');
  for (const note of tree.notes) lines.push(`note: ${note}`);
  for (const window of tree.windows) {
    lines.push(`window ${window.type} ${quote(window.title)}${window.focused ? ' focused' : ''}`);
    add(lines, window.root, 1, density);
  }
  return `${lines.join('\n')}\n`;
}
