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

function has(filter: XmlElement, tag: string, name: string): boolean {
  return filter.children.some((child) => child.name === tag && child.attributes.get('android:name') === name);
}
