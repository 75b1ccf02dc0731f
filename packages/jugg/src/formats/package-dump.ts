/** What `dumpsys package <name>` tells about an installed package. */
export interface PackageDump {
  readonly versionCode: number | null;
  readonly debuggable: boolean;
  /** Folder of the APKs, or the APK itself before Android 5. */
  readonly codePath: string | null;
  /** As printed. */
  readonly lastUpdateTime: string | null;
  /** Users that the package is installed for; other users of the device do not have it. */
  readonly installedFor: readonly number[];
  readonly minSdk: number | null;
}

/** `null` when the package is not on the device. Hidden system packages with the same name are left aside. */
export function parsePackageDump(output: string, packageName: string): PackageDump | null {
  const text = output.replaceAll('\r\n', '\n');
  const start = text.indexOf(`  Package [${packageName}] (`);
  if (start < 0) return null;
  const [part = ''] = text.slice(start).split(/\n(?= {0,2}\S)/, 1);
  const field = (form: RegExp): string | null => form.exec(part)?.[1] ?? null;
  const number = (form: RegExp): number | null => {
    const found = field(form);
    return found === null ? null : Number(found);
  };
  const users = [...part.matchAll(/^\s*User (\d+):.*?\binstalled=(true|false)/gm)];
  return {
    versionCode: number(/\bversionCode=(\d+)/),
    debuggable: /^\s*(?:pkgFlags|flags)=\[[^\]]*\bDEBUGGABLE\b/m.test(part),
    codePath: field(/^\s*codePath=(\S+)/m),
    lastUpdateTime: field(/^\s*lastUpdateTime=(.+)$/m),
    installedFor: users.filter((user) => user[2] === 'true').map((user) => Number(user[1])),
    minSdk: number(/\bminSdk=(\d+)/),
  };
}
