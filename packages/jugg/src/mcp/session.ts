/** What a stdio session brings along; a call need not repeat it. */
export interface Session {
  /** The folder it was started in, where that is a project. */
  readonly projectDir: string | null;
  /** The standard variable of adb, in the environment that the agent gave the session. */
  readonly serial: string | undefined;
}

/** The names of a tool's arguments. */
export type ArgumentNames = ReadonlySet<string>;

/** Tools that take a serial to look at one device; without it they look at all. */
const LOOK_AT_ALL: ReadonlySet<string> = new Set(['devices', 'doctor']);

/** The arguments of a call with what the session knows filled in. */
export function withSession(
  tool: string,
  args: unknown,
  names: ArgumentNames,
  { projectDir, serial }: Session,
): Record<string, unknown> {
  const given = typeof args === 'object' && args !== null ? args : {};
  const addsProject = projectDir !== null && names.has('projectDir') && !('projectDir' in given);
  const addsSerial =
    serial !== undefined &&
    names.has('serial') &&
    !LOOK_AT_ALL.has(tool) &&
    !('serial' in given) &&
    !('serials' in given);
  return { ...(addsProject ? { projectDir } : {}), ...(addsSerial ? { serial } : {}), ...given };
}

/**
 * Whether a call is about the session's own folder: that one its user trusts, by having started the session there. For
 * any other the call goes without the token, as anybody's: an agent must not say yes for its user.
 */
export function isOwnProject(args: Readonly<Record<string, unknown>>, { projectDir }: Session): boolean {
  const { projectDir: asked } = args;
  return asked === undefined || asked === projectDir;
}

/** Names of the arguments of each tool, from the list. */
export function argumentNames(
  tools: readonly {
    readonly name: string;
    readonly inputSchema: { readonly properties?: Readonly<Record<string, unknown>> | undefined };
  }[],
): ReadonlyMap<string, ArgumentNames> {
  return new Map(tools.map((tool) => [tool.name, new Set(Object.keys(tool.inputSchema.properties ?? {}))]));
}
