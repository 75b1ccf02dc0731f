import type { ViewNode } from '../app-process/view-node.ts';
import { strerror } from '../fs/errno.ts';
import { LAUNCHER } from '../packages/system-packages.ts';
import { pathOf } from '../shell/command.ts';
import type { Command } from '../shell/command.ts';
import type { Services } from './services.ts';

/** `uiautomator dump [--compressed] [FILE]` */
export function uiautomatorCommand(services: Services): Command {
  return async (context) => {
    const [command = '', ...args] = context.args;
    if (command !== 'dump') {
      await context.stderr.write(`uiautomator: only dump is supported by the Jugg virtual device\n`);
      return 1;
    }
    const compressed = args.includes('--compressed');
    const file = args.find((arg) => !arg.startsWith('--')) ?? '/sdcard/window_dump.xml';
    const root = await activeWindow(services);
    if (!root) {
      await context.stderr.write('ERROR: null root node returned by UiTestAutomationBridge.\n');
      return 0;
    }
    const xml = `<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation="${services.display.rotation}">${nodeXml(root, 0, compressed)}</hierarchy>`;
    if (file === '/dev/tty') {
      await context.stdout.write(`${xml}UI hierchary dumped to: /dev/tty\n`);
      return 0;
    }
    const written = await context.fs.writeFile(pathOf(context, file), Buffer.from(xml));
    if (!written.ok) {
      await context.stderr.write(`java.io.FileNotFoundException: ${file}: ${strerror(written.errno)}\n`);
      return 1;
    }
    await context.stdout.write(`UI hierchary dumped to: ${file}\n`);
    return 0;
  };
}

/** The root of the focused window, as UiAutomation gives it. */
async function activeWindow({ apps, display, power }: Services): Promise<ViewNode | null> {
  if (!power.awake) return null;
  if (power.lockShown) return emptyWindow(display.current, 'com.android.systemui');
  const front = apps.front;
  if (!front) return emptyWindow(display.current, LAUNCHER.packageName);
  const [shown, dumped] = await Promise.all([
    front.port.request('activities', {}),
    front.port.request('viewDump', {}),
  ]);
  if (!dumped.ok) return null;
  // Small windows that take no focus, such as text handles, may be on top of the focused one.
  const focused = shown.ok ? shown.value.windows.findLast((window) => window.focused) : undefined;
  const { windows } = dumped.value;
  const same = windows.findLast(
    ({ type, root }) => type === focused?.type && String(root.boundsPx) === String(focused.boundsPx),
  );
  return (same ?? windows.findLast(({ type }) => type === 'activity' || type === 'dialog'))?.root ?? null;
}

function emptyWindow([width, height]: readonly [number, number], packageName: string): ViewNode {
  return {
    className: 'android.widget.FrameLayout',
    boundsPx: [0, 0, width, height],
    visible: true,
    enabled: true,
    clickable: false,
    longClickable: false,
    checkable: false,
    checked: false,
    focusable: false,
    focused: false,
    scrollable: false,
    selected: false,
    password: false,
    package: packageName,
    children: [],
  };
}

/** AOSP AccessibilityNodeInfoDumper: only what the user can see, attributes in this order. */
function nodeXml(node: ViewNode, index: number, compressed: boolean): string {
  const children = shownChildren(node, compressed).map((child, at) => nodeXml(child, at, compressed));
  const attributes = Object.entries({
    index,
    text: node.text ?? '',
    'resource-id': node.resourceId ?? '',
    class: node.className,
    package: node.package,
    'content-desc': node.contentDesc ?? '',
    checkable: node.checkable,
    checked: node.checked,
    clickable: node.clickable,
    enabled: node.enabled,
    focusable: node.focusable,
    focused: node.focused,
    scrollable: node.scrollable,
    'long-clickable': node.longClickable,
    password: node.password,
    selected: node.selected,
    bounds: `[${node.boundsPx[0]},${node.boundsPx[1]}][${node.boundsPx[2]},${node.boundsPx[3]}]`,
  });
  const text = attributes.map(([name, value]) => ` ${name}="${escape(String(value))}"`).join('');
  return children.length === 0 ? `<node${text} />` : `<node${text}>${children.join('')}</node>`;
}

/** Compressed: views that only lay out others are left out, and what is in them moves up. */
function shownChildren(node: ViewNode, compressed: boolean): ViewNode[] {
  return node.children
    .filter(({ visible }) => visible)
    .flatMap((child) => (compressed && !important(child) ? shownChildren(child, compressed) : [child]));
}

function important(node: ViewNode): boolean {
  const says = (node.text ?? '') !== '' || (node.contentDesc ?? '') !== '';
  return says || node.clickable || node.longClickable || node.focusable || node.scrollable || node.checkable;
}

/** Characters that XML 1.0 cannot hold become `.`, as in `stripInvalidXMLChars`. */
function escape(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '.')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;')
    .replaceAll('\r', '&#13;')
    .replaceAll('\t', '&#9;');
}
