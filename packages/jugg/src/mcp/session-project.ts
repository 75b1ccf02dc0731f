/** A stdio session belongs to the folder it was started in; a call need not repeat it. */
export function withProject(args: unknown, projectDir: string | null): Record<string, unknown> {
  const given = typeof args === 'object' && args !== null ? args : {};
  return projectDir === null || 'projectDir' in given ? { ...given } : { projectDir, ...given };
}

/**
 * Whether a call is about the session's own folder: that one its user trusts, by having started the session there. For
 * any other the call goes without the token, as anybody's: an agent must not say yes for its user.
 */
export function isOwnProject(args: Readonly<Record<string, unknown>>, projectDir: string | null): boolean {
  const { projectDir: asked } = args;
  return asked === undefined || asked === projectDir;
}
