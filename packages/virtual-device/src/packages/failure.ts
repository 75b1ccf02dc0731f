/** Why a package cannot be installed: the reason's name and the text behind it, as `pm` prints them. */
export interface InstallFailure {
  readonly reason: string;
  readonly text: string;
}

export type InstallResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: InstallFailure };

export function refuse(
  reason: string,
  text: string,
): { readonly ok: false; readonly failure: InstallFailure } {
  return { ok: false, failure: { reason, text } };
}

export function failureLine({ reason, text }: InstallFailure): string {
  return `Failure [${reason}${text === '' ? '' : `: ${text}`}]\n`;
}
