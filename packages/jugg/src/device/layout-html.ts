import { layoutPageScript, layoutPageStyle } from './layout-page.ts';
import { toDp } from './locate.ts';
import type { ViewNode, ViewTree } from './tree.ts';

/** Text for HTML, also inside of double quotes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

function shortClass(node: ViewNode): string {
  return node.className.slice(node.className.lastIndexOf('.') + 1);
}

function label(node: ViewNode): string {
  const id =
    node.resourceId === null ? '' : ` #${node.resourceId.slice(node.resourceId.lastIndexOf('/') + 1)}`;
  const text = node.text || node.contentDesc || '';
  return `${node.ref} ${shortClass(node)}${id}${text === '' ? '' : ` "${text.slice(0, 60)}"`}`;
}

function details(node: ViewNode, density: number): Readonly<Record<string, unknown>> {
  const { children: _children, ...own } = node;
  return { ...own, boundsDp: toDp(node.boundsPx, density) };
}

function boxes(node: ViewNode, percent: (px: number, of: 'width' | 'height') => string): string {
  const [left, top, right, bottom] = node.boundsPx;
  const own = node.visible
    ? `<div class="box${node.clickable ? ' clickable' : ''}" data-ref="${node.ref}" style="left:${percent(left, 'width')};top:${percent(top, 'height')};width:${percent(right - left, 'width')};height:${percent(bottom - top, 'height')}">${node.children.length === 0 && node.text ? `<span>${escapeHtml(node.text.slice(0, 200))}</span>` : ''}</div>`
    : '';
  return own + node.children.map((child) => boxes(child, percent)).join('');
}

function branch(node: ViewNode): string {
  const text = escapeHtml(label(node));
  const row = `<span class="row${node.visible ? '' : ' hidden'}" data-ref="${node.ref}" tabindex="0">${text}</span>`;
  if (node.children.length === 0) return `<li>${row}</li>`;
  return `<li><details open><summary>${row}</summary><ul>${node.children.map(branch).join('')}</ul></details></li>`;
}

function nodesOf(node: ViewNode, density: number): [string, unknown][] {
  return [[node.ref, details(node, density)], ...node.children.flatMap((child) => nodesOf(child, density))];
}

/**
 * One self-contained page: the screen as boxes beside a searchable tree, and the properties of the node that was
 * picked. Texts of the app are escaped; nothing is loaded from anywhere.
 */
export function layoutHtml(tree: ViewTree): string {
  const { width, height, density } = tree.screen;
  const percent = (px: number, of: 'width' | 'height'): string =>
    `${((px * 100) / (of === 'width' ? width : height)).toFixed(3)}%`;
  const data = Object.fromEntries(tree.windows.flatMap((window) => nodesOf(window.root, density)));
  // "<" must not end the script element.
  const json = JSON.stringify(data).replaceAll('<', String.raw`\u003c`);
  const notes = [...(tree.fallbackReason === null ? [] : [tree.fallbackReason]), ...tree.notes];
  const windows = tree.windows.map(
    (window) =>
      `<li><b>${window.type}</b> ${escapeHtml(window.title)}${window.focused ? ' (focused)' : ''}<ul>${branch(window.root)}</ul></li>`,
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>Layout of ${escapeHtml(tree.packageName)}</title>
<style>${layoutPageStyle}</style>
<header><h1>${escapeHtml(tree.packageName)}</h1>
<p>${width}x${height} px, ${density} dpi, ${tree.nodes} nodes, source ${tree.source}${tree.truncated ? ', truncated' : ''}</p>
${notes.map((note) => `<p class="note">${escapeHtml(note)}</p>`).join('')}
<input id="search" type="search" placeholder="Search text, id, class, ref" aria-label="Search"></header>
<main><div id="screen" style="aspect-ratio:${width}/${height}">${tree.windows.map((window) => boxes(window.root, percent)).join('')}</div>
<ul id="tree">${windows.join('')}</ul>
<pre id="details">Pick a node.</pre></main>
<script id="nodes" type="application/json">${json}</script>
<script>${layoutPageScript}</script>
</html>
`;
}
