/** A component as Android prints it, taken apart. */
export interface Component {
  /** As printed: `pkg/.Name` or `pkg/full.Name`. */
  readonly component: string;
  readonly packageName: string;
  /** Full class name. */
  readonly className: string;
}

/** `null` when it is not of the form `pkg/Class`. */
export function parseComponent(text: string): Component | null {
  const found = /^([\w.]+)\/([\w.$]+)$/.exec(text);
  if (!found) return null;
  const packageName = found[1] ?? '';
  const name = found[2] ?? '';
  return { component: text, packageName, className: name.startsWith('.') ? packageName + name : name };
}

/** The short form that `am` and the contract print: `pkg/.Name` when the class lies in the package. */
export function shortComponent(packageName: string, className: string): string {
  const inside = className.startsWith(`${packageName}.`);
  return `${packageName}/${inside ? className.slice(packageName.length) : className}`;
}

/** A component from what a person names: `pkg/.Name`, `pkg/full.Name`, `.Name`, `Name` or `full.Name`. */
export function resolveComponent(packageName: string, activity: string): Component | null {
  if (activity.includes('/')) return parseComponent(activity);
  if (!/^[\w.$]+$/.test(activity)) return null;
  const full = activity.startsWith('.')
    ? packageName + activity
    : activity.includes('.')
      ? activity
      : `${packageName}.${activity}`;
  return parseComponent(shortComponent(packageName, full));
}
