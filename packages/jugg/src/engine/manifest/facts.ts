import type { XmlElement } from './xml-tree.ts';

/** The first enabled activity (or alias) that the launcher would show; class name in full. */
export function launcherActivity(manifest: XmlElement): string | null {
  const application = manifest.children.find((child) => child.name === 'application');
  for (const component of application?.children ?? []) {
    if (component.name !== 'activity' && component.name !== 'activity-alias') continue;
    if (component.attributes.get('android:enabled') === 'false') continue;
    const launches = component.children.some(
      (filter) =>
        filter.name === 'intent-filter' &&
        has(filter, 'action', 'android.intent.action.MAIN') &&
        has(filter, 'category', 'android.intent.category.LAUNCHER'),
    );
    if (launches) return component.attributes.get('android:name') ?? null;
  }
  return null;
}

/** Since this level a component with an intent filter has to say whether others may start it; installers refuse it else. */
const EXPORTED_NEEDED = 31;

/** Components that an installer would refuse, each with why. */
export function refusedComponents(
  manifest: XmlElement,
  targetSdk: number,
): { readonly element: XmlElement; readonly message: string }[] {
  if (targetSdk < EXPORTED_NEEDED) return [];
  const application = manifest.children.find((child) => child.name === 'application');
  return (application?.children ?? [])
    .filter(
      ({ name, attributes, children }) =>
        /^(?:activity|activity-alias|service|receiver)$/.test(name) &&
        !attributes.has('android:exported') &&
        children.some((child) => child.name === 'intent-filter'),
    )
    .map((element) => ({
      element,
      message: `<${element.name} android:name="${element.attributes.get('android:name') ?? ''}"> has an intent filter and needs android:exported="true" or "false", since the app targets API ${targetSdk}.`,
    }));
}

function has(filter: XmlElement, tag: string, name: string): boolean {
  return filter.children.some((child) => child.name === tag && child.attributes.get('android:name') === name);
}
