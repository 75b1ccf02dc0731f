/** `granted` or `denied` as the package manager lists it; `unlisted` when it names the permission nowhere. */
export type PermissionState = 'granted' | 'denied' | 'unlisted';

/**
 * The state of a permission in `dumpsys package <name>`: granted at install for all users, or at run time for one.
 * Lines are `    android.permission.X: granted=true, flags=[ … ]` below "install permissions:" and, for each
 * "User n:", "runtime permissions:" (AOSP `Settings.dumpPackageLPr`).
 */
export function permissionState(
  dump: string,
  packageName: string,
  user: number,
  permission: string,
): PermissionState {
  const start = dump.indexOf(`  Package [${packageName}] (`);
  if (start < 0) return 'unlisted';
  const [part = ''] = dump
    .slice(start)
    .replaceAll('\r\n', '\n')
    .split(/\n(?= {0,2}\S)/, 1);
  let section: number | null = null;
  let found: PermissionState = 'unlisted';
  for (const line of part.split('\n')) {
    const header = /^\s+User (\d+):/.exec(line);
    if (header) section = Number(header[1]);
    const listed = /^\s+([\w.]+): granted=(true|false)/.exec(line);
    if (listed?.[1] !== permission || (section !== null && section !== user)) continue;
    if (listed[2] === 'true') return 'granted';
    found = 'denied';
  }
  return found;
}

/** Why `pm grant` or `pm revoke` said no, as a sentence; `null` when it did not. */
export function permissionRefusal(output: string): string | null {
  const said = /(?:SecurityException|IllegalArgumentException): ([^\n]*)/.exec(output)?.[1];
  if (said !== undefined) return said.trim();
  const other = /^(?:Operation not allowed|Error|Bad argument|Exception occurred)[^\n]*/m.exec(output)?.[0];
  return other?.trim() ?? null;
}

/** `CAMERA` as people say it; anything with a dot is a full name. */
export function fullPermission(name: string): string {
  return name.includes('.') ? name : `android.permission.${name}`;
}
