import type { XmlElement } from './xml-tree.ts';
import { withParts } from './xml-tree.ts';

/** Elements whose `android:name` is a class of the app. */
const CLASS_NAMED = new Set([
  'application',
  'activity',
  'activity-alias',
  'service',
  'receiver',
  'provider',
  'instrumentation',
]);

/** Other attributes that hold a class name. */
const CLASS_ATTRIBUTES = [
  'android:targetActivity',
  'android:parentActivityName',
  'android:backupAgent',
  'android:appComponentFactory',
  'android:manageSpaceActivity',
  'android:zygotePreloadName',
];

/** `.Main` and `Main` are meant within the namespace of the module (`<manifest package>` of old). */
export function qualifyName(name: string, namespace: string): string {
  if (name.startsWith('.')) return namespace + name;
  return name.includes('.') || name === '' ? name : `${namespace}.${name}`;
}

/** Writes out relative class names and replaces `${applicationId}`; other placeholders go to `refuse`. */
export function resolveNames(
  element: XmlElement,
  namespace: string,
  applicationId: string,
  refuse: (element: XmlElement, what: string) => void,
): XmlElement {
  const attributes = new Map<string, string>();
  for (const [name, raw] of element.attributes) {
    const value = raw
      .replaceAll('${applicationId}', applicationId)
      .replaceAll('${packageName}', applicationId);
    const placeholder = /\$\{[^}]*\}/.exec(value);
    if (placeholder) refuse(element, `the placeholder ${placeholder[0]}`);
    const isClass =
      (name === 'android:name' && CLASS_NAMED.has(element.name)) || CLASS_ATTRIBUTES.includes(name);
    attributes.set(name, isClass ? qualifyName(value, namespace) : value);
  }
  const children = element.children.map((child) => resolveNames(child, namespace, applicationId, refuse));
  return withParts(element, { attributes, children });
}
