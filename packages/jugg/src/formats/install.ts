import { fail, ok, type Result } from '../shared/outcome.ts';
import { unwrap } from './terminal.ts';

/** Why the package manager said no; numbers and names are taken out of the message where it has them. */
export interface InstallFailure {
  /** As printed: `INSTALL_FAILED_VERSION_DOWNGRADE`. */
  readonly reason: string;
  /** The text behind the colon. */
  readonly message?: string;
  readonly package?: string;
  readonly newVersion?: number;
  readonly currentVersion?: number;
  readonly requiredSdk?: number;
  readonly deviceSdk?: number;
  readonly provider?: string;
  readonly providerOwner?: string;
  readonly permission?: string;
  readonly path?: string;
}

// PackageManagerShellCommand: "Failure [REASON: text]"; Gradle and ddmlib drop the brackets.
const REASON = '(?<reason>(?:INSTALL|DELETE)_[A-Z_]*[A-Z])';
const BRACKETS = new RegExp(`Failure \\[${REASON}(?:: ?(?<message>.*))?\\]`);
const BARE = new RegExp(`(?:^|[\\s:])${REASON}(?:: ?(?<message>[^\\n]*))?`, 'm');
const OTHER = /^(?:adb: (?:error: )?)?(?:Failure|Error):? ?(?:\[(?<message>.*)\])?/m;

const PARTS: readonly RegExp[] = [
  /Package (?<package>[\w.]+) signatures do not match/,
  /Existing package (?<package>[\w.]+) signatures/,
  /Update version code (?<newVersion>\d+) is older than current (?<currentVersion>\d+)/,
  /Requires newer sdk version #(?<requiredSdk>\d+) \(current version is #(?<deviceSdk>\d+)\)/,
  /provider name (?<provider>[\w.]+) \(in package (?<package>[\w.]+)\) is already used by (?<providerOwner>[\w.]+)/,
  /Package (?<package>[\w.]+) attempting to redeclare permission (?<permission>[\w.]+)/,
  /Missing split for (?<package>[\w.]+)/,
  /re-install (?<package>[\w.]+) without/,
  /(?<path>\/data\/app\/\S+\.(?:apk|tmp))/,
];
const NUMBERS = new Set(['newVersion', 'currentVersion', 'requiredSdk', 'deviceSdk']);

/** `null` when the text holds no failure. */
export function installFailure(output: string): InstallFailure | null {
  const text = unwrap(output.replaceAll('\r\n', '\n'), (line) => /^(?:adb: |Performing |Success)/.test(line));
  const found = BRACKETS.exec(text)?.groups ?? BARE.exec(text)?.groups;
  if (!found) {
    const other = OTHER.exec(text);
    if (!other) return null;
    const message = other.groups?.['message'] ?? text.slice(other.index).split('\n')[0] ?? '';
    return { reason: 'UNKNOWN', message };
  }
  const message = found['message']?.trim();
  const parts: Record<string, string | number> = {};
  for (const form of PARTS)
    for (const [key, value] of Object.entries(form.exec(message ?? '')?.groups ?? {}))
      if (value !== undefined && !(key in parts)) parts[key] = NUMBERS.has(key) ? Number(value) : value;
  return { reason: found['reason'] ?? 'UNKNOWN', ...(message ? { message } : {}), ...parts };
}

const HINTS: Readonly<Record<string, string>> = {
  INSTALL_FAILED_UPDATE_INCOMPATIBLE:
    'An app with the same id, signed by somebody else, is installed; `clean-reinstall` removes it with its data.',
  INSTALL_FAILED_VERSION_DOWNGRADE:
    'The installed version is newer; raise versionCode, or use `clean-reinstall`, which removes it with its data.',
  INSTALL_FAILED_USER_RESTRICTED:
    'Accept the dialog on the phone, or allow installing over USB in the developer options.',
  INSTALL_FAILED_INSUFFICIENT_STORAGE: 'Free some space on the device.',
  INSTALL_FAILED_NO_MATCHING_ABIS: 'The app has native libraries for other processors only.',
  INSTALL_FAILED_OLDER_SDK: 'The device is older than minSdkVersion.',
  INSTALL_FAILED_TEST_ONLY: 'The APK is marked testOnly; build it without that mark.',
  INSTALL_PARSE_FAILED_NO_CERTIFICATES: 'The APK is not signed in a way that this device knows.',
};

/**
 * Judges the output of an install or an uninstall. The word of success counts, the exit code does not: adb ended with
 * 0 after failures for years. `INSTALL_FAILED` and `UNINSTALL_FAILED` carry the failure as `data`.
 */
export function packageCommandResult(kind: 'install' | 'uninstall', output: string): Result<void> {
  const failure = installFailure(output);
  const code = kind === 'install' ? 'INSTALL_FAILED' : 'UNINSTALL_FAILED';
  if (failure) {
    const hint = HINTS[failure.reason];
    const said = failure.message ? `${failure.reason}: ${failure.message}` : failure.reason;
    const nextStep = hint ? `${/[.!?]$/.test(said) ? '' : '.'} ${hint}` : '';
    return fail(code, `The device refused to ${kind}: ${said}${nextStep}`, {
      data: { ...failure, ...(hint ? { hint } : {}) },
    });
  }
  if (/^\s*Success\s*$/m.test(output)) return ok(undefined);
  return fail(code, `The device did not say whether the ${kind} worked: ${output.trim().slice(0, 300)}`, {
    data: { reason: 'UNKNOWN', message: output.trim().slice(0, 1000) },
  });
}
