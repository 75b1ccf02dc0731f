import type { Refusal } from '../../project/model.ts';
import { resolveNames } from './names.ts';
import { withParts, type XmlElement } from './xml-tree.ts';

/** A parsed manifest with the namespace of its module. */
export interface ManifestInput {
  readonly root: XmlElement;
  readonly namespace: string;
}

/** Attributes of `<manifest>` that come from the build file, and what Gradle ignores in the file. */
const FROM_BUILD_FILE = new Set(['package', 'android:versionCode', 'android:versionName', 'split']);

/** Elements that may stand in a manifest more than once under one name, and elements without any name. */
const UNNAMED = new Set(['intent-filter', 'supports-screens', 'uses-configuration', 'compatible-screens']);

/**
 * Merges manifests, the first being the strongest: its `debug` source set, the app, then the libraries. Elements are
 * joined by tag and `android:name`; an attribute that only the weaker one has is added. What needs the rules of the
 * Android plug-in's merger (`tools:` markers other than hints for lint, different values of one attribute) is refused.
 */
export function mergeManifests(
  inputs: readonly ManifestInput[],
  applicationId: string,
): { readonly root: XmlElement; readonly refusals: readonly Refusal[] } {
  const refusals: Refusal[] = [];
  const refuse = (element: XmlElement, what: string): void => {
    refusals.push({ file: element.file, line: element.line, what });
  };
  const [first, ...others] = inputs.map(({ root, namespace }) => {
    const attributes = new Map([...root.attributes].filter(([name]) => !FROM_BUILD_FILE.has(name)));
    const named = resolveNames(withParts(root, { attributes }), namespace, applicationId, refuse);
    const children = named.children.filter((child) => child.name !== 'uses-sdk');
    return withoutTools(withParts(named, { children }), refuse);
  });
  if (first === undefined) throw new Error('no manifest to merge');
  let merged = first;
  for (const other of others) merged = join(merged, other, refuse);
  merged = ordered(merged);
  merged.attributes.set('package', applicationId);
  return { root: merged, refusals };
}

/** Lint's hints are dropped; every other `tools:` attribute changes the merge. */
function withoutTools(element: XmlElement, refuse: (element: XmlElement, what: string) => void): XmlElement {
  const attributes = new Map<string, string>();
  for (const [name, value] of element.attributes) {
    // Attributes are told by their usual prefixes; nobody uses others.
    if (/^xmlns:(?!android$|tools$)/.test(name) && /\/(apk\/res\/android|tools)$/.test(value)) {
      refuse(element, `the prefix \`${name.slice('xmlns:'.length)}\``);
    }
    if (!name.startsWith('tools:')) {
      if (name !== 'xmlns:tools') attributes.set(name, value);
    } else if (!['tools:ignore', 'tools:targetApi', 'tools:context'].includes(name)) {
      // `merge` is what happens anyway.
      if (name !== 'tools:node' || value !== 'merge') refuse(element, `\`${name}="${value}"\``);
    }
  }
  return withParts(element, {
    attributes,
    children: element.children.map((child) => withoutTools(child, refuse)),
  });
}

function join(
  strong: XmlElement,
  weak: XmlElement,
  refuse: (element: XmlElement, what: string) => void,
): XmlElement {
  const attributes = new Map(strong.attributes);
  for (const [name, value] of weak.attributes) {
    const own = attributes.get(name);
    if (own === undefined) attributes.set(name, value);
    else if (own !== value && name !== 'xmlns:tools') {
      refuse(weak, `\`${name}="${value}"\` of <${weak.name}>, where ${strong.file} has "${own}"`);
    }
  }
  const children = [...strong.children];
  for (const child of weak.children) {
    const same = children.findIndex((one) => one.name === child.name && keyOf(one) === keyOf(child));
    const known = children[same];
    if (known === undefined) children.push(child);
    else if (!equal(known, child)) {
      if (UNNAMED.has(child.name)) children.push(child);
      else children[same] = join(known, child, refuse);
    }
  }
  return withParts(strong, { attributes, children });
}

function keyOf(element: XmlElement): string {
  // A filter is told from another by its whole content only.
  if (UNNAMED.has(element.name)) return shapeOf(element);
  return element.attributes.get('android:name') ?? '';
}

function equal(a: XmlElement, b: XmlElement): boolean {
  return shapeOf(a) === shapeOf(b);
}

function shapeOf(element: XmlElement): string {
  return JSON.stringify([
    element.name,
    [...element.attributes].map(([name, value]) => `${name}=${value}`).sort(),
    element.children.map((child) => shapeOf(child)).sort(),
  ]);
}

/** The package manager of old releases wants `<application>` last among its siblings. */
function ordered(root: XmlElement): XmlElement {
  const application = root.children.filter((child) => child.name === 'application');
  const rest = root.children.filter((child) => child.name !== 'application');
  return withParts(root, { attributes: new Map(root.attributes), children: [...rest, ...application] });
}
