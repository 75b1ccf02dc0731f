/** What a device says about itself in CNXN (AOSP adb.cpp `get_connection_string`). */
export interface Banner {
  /** `device`, `recovery`, `sideload`, … */
  readonly state: string;
  readonly props: ReadonlyMap<string, string>;
  readonly features: ReadonlySet<string>;
}

/** Features of the protocol that this client makes use of. */
export const CLIENT_FEATURES = ['shell_v2', 'cmd', 'stat_v2', 'ls_v2', 'fixed_push_mkdir'] as const;

/** `<state>:<serial, unused>:<key>=<value>;…;features=a,b` */
export function parseBanner(text: string): Banner {
  const [state = '', , ...rest] = text.split(':');
  const props = new Map<string, string>();
  for (const pair of rest.join(':').split(';')) {
    const at = pair.indexOf('=');
    if (at > 0) props.set(pair.slice(0, at), pair.slice(at + 1));
  }
  const features = new Set((props.get('features') ?? '').split(',').filter((name) => name !== ''));
  return { state, props, features };
}

export function formatBanner(
  state: string,
  props: Readonly<Record<string, string>>,
  features: readonly string[],
): string {
  const pairs = Object.entries({ ...props, features: features.join(',') });
  return `${state}::${pairs.map(([key, value]) => `${key}=${value}`).join(';')}`;
}
