import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { writeFileAtomic } from '../../../jugg/src/shared/files.ts';
import type { PackageDatabase } from '../packages/database.ts';
import { contentUri, mayUse, pathMatches, providerOf } from '../packages/providers.ts';
import type { PackageRecord } from '../packages/record.ts';

/** `Intent.FLAG_GRANT_*`: read, write, for good, for all that begins so. */
export const READ = 1;
export const WRITE = 2;
const PERSISTABLE = 0x40;
const PREFIX = 0x80;

const grantSchema = z.object({
  uri: z.string(),
  prefix: z.boolean(),
  /** Package that has the provider, and the one that may use the URI. */
  source: z.string(),
  target: z.string(),
  /** Came with an intent: until the app's processes have ended. */
  owned: z.int(),
  /** Given by `grantUriPermission`: until it is revoked. */
  global: z.int(),
  /** What the target may take for good, and what it has taken. */
  persistable: z.int(),
  persisted: z.int(),
  persistedMs: z.number(),
});
type Grant = z.infer<typeof grantSchema>;

export interface PersistedGrant {
  readonly uri: string;
  readonly flags: number;
  readonly timeMs: number;
}

/** What single URIs of content providers apps may use; AOSP `UriGrantsManagerService`, whose words the messages are. */
export class UriGrants {
  readonly #database: PackageDatabase;
  readonly #file: string;
  readonly #now: () => number;
  #grants: Grant[] = [];
  #stored: Promise<void> = Promise.resolve();

  constructor(database: PackageDatabase, file: string, now: () => number) {
    this.#database = database;
    this.#file = file;
    this.#now = now;
  }

  /** Reads what was taken for good in an earlier run. */
  async load(): Promise<void> {
    const text = await readFile(this.#file, 'utf8').catch(() => '[]');
    const stored = z.array(grantSchema).safeParse(parsed(text));
    this.#grants = stored.success ? stored.data : [];
  }

  /** Why a package may not give these; `null` when it may. `target` null: nobody knows yet who gets them. */
  trouble(
    from: PackageRecord,
    target: PackageRecord | null,
    uris: readonly string[],
    flags: number,
  ): string | null {
    for (const uri of uris) {
      const trouble = this.#trouble(from, target, uri, flags);
      if (trouble !== null) return trouble;
    }
    return null;
  }

  #trouble(from: PackageRecord, target: PackageRecord | null, uri: string, flags: number): string | null {
    const found = this.#provider(uri);
    if (!found || (flags & (READ | WRITE)) === 0) return null;
    const { record, component, path } = found;
    if (target && this.#holds(target, uri, flags)) return null;
    const named = `${uri} [user 0]${(flags & PREFIX) === 0 ? '' : ' [prefix]'}`;
    const provider = `Provider ${record.manifest.packageName}/${component.name}`;
    if (!component.grantUris) return `${provider} does not allow granting of Uri permissions (uri ${named})`;
    const { grantPaths } = component;
    if (grantPaths.length > 0 && !grantPaths.some((rule) => pathMatches(rule, path)))
      return `${provider} does not allow granting of permission to path of Uri ${named}`;
    if (!this.#holds(from, uri, flags) && !this.#isGranted(from, uri, flags))
      return `UID ${from.uid} does not have permission to ${named}`;
    return null;
  }

  /** Gives them; what the target may use anyway needs no grant. `owned`: with an intent. */
  give(target: PackageRecord, uris: readonly string[], flags: number, owned: boolean): void {
    for (const uri of uris) {
      const found = this.#provider(uri);
      if (!found || this.#holds(target, uri, flags)) continue;
      const grant = this.#grantFor(uri, (flags & PREFIX) !== 0, found.record, target);
      const modes = flags & (READ | WRITE);
      if (owned) grant.owned |= modes;
      else grant.global |= modes;
      if ((flags & PERSISTABLE) !== 0) grant.persistable |= modes;
    }
  }

  /** `owner`: takes them from everybody, else only what the asking package itself was given. */
  revoke(asking: PackageRecord, target: string | null, uri: string, flags: number): void {
    const owner = this.#holds(asking, uri, flags);
    const modes = ~(flags & (READ | WRITE));
    for (const grant of this.#grants) {
      if (!begins(grant.uri, uri) || (target !== null && grant.target !== target)) continue;
      if (!owner && grant.target !== asking.manifest.packageName) continue;
      grant.global &= modes;
      if (target === null || !owner) grant.owned &= modes;
      if (owner && target === null) {
        grant.persistable &= modes;
        grant.persisted &= modes;
      }
    }
    this.#tidy();
  }

  /** Whether an app of this uid may use a URI: its own, by permissions, or by a grant. */
  allows(uid: number, uri: string, flags: number): boolean {
    return this.#database
      .all()
      .some(
        (each) => each.uid === uid && (this.#holds(each, uri, flags) || this.#isGranted(each, uri, flags)),
      );
  }

  /** What a package was granted of a URI, or of anything of its provider. */
  of(
    target: PackageRecord,
    authority: string,
    uri: string | undefined,
  ): { read: boolean; write: boolean; any: boolean } {
    return {
      read: uri !== undefined && this.#isGranted(target, uri, READ),
      write: uri !== undefined && this.#isGranted(target, uri, WRITE),
      any: this.#grants.some(
        (grant) =>
          grant.target === target.manifest.packageName &&
          modesOf(grant) !== 0 &&
          contentUri(grant.uri)?.authority === authority,
      ),
    };
  }

  /** `takePersistableUriPermission`; what is wrong, or `null`. */
  take(target: PackageRecord, uri: string, flags: number): string | null {
    const modes = flags & (READ | WRITE);
    const grants = this.#held(target, uri).filter((grant) => (grant.persistable & modes) === modes);
    if (modes === 0 || grants.length === 0)
      return `No persistable permission grants found for UID ${target.uid} and Uri ${uri} [user 0]`;
    for (const grant of grants) {
      grant.persisted |= modes;
      grant.persistedMs = this.#now();
    }
    this.#store();
    return null;
  }

  /** `releasePersistableUriPermission`; what is wrong, or `null`. */
  release(target: PackageRecord, uri: string, flags: number): string | null {
    const grants = this.#held(target, uri);
    if (grants.length === 0)
      return `No permission grants found for UID ${target.uid} and Uri ${uri} [user 0]`;
    for (const grant of grants) grant.persisted &= ~(flags & (READ | WRITE));
    this.#tidy();
    return null;
  }

  /** What a package has taken for good; `outgoing`: what others have of it. The newest last. */
  persisted({ manifest }: PackageRecord, outgoing: boolean): PersistedGrant[] {
    return this.#grants
      .filter(
        ({ persisted, source, target }) =>
          persisted !== 0 && (outgoing ? source : target) === manifest.packageName,
      )
      .toSorted((a, b) => a.persistedMs - b.persistedMs)
      .map(({ uri, persisted, persistedMs }) => ({ uri, flags: persisted, timeMs: persistedMs }));
  }

  /** The processes of a package have ended: what came with intents is over. */
  ended(packageName: string): void {
    for (const grant of this.#grants) if (grant.target === packageName) grant.owned = 0;
    this.#tidy();
  }

  /** A package, or all that it kept, is gone. */
  forget(packageName: string): void {
    this.#grants = this.#grants.filter(
      ({ source, target }) => source !== packageName && target !== packageName,
    );
    this.#store();
  }

  /** After a reboot only what was taken for good is left. */
  rebooted(): void {
    for (const grant of this.#grants) Object.assign(grant, { owned: 0, global: 0 });
    this.#tidy();
  }

  /** Resolves when all is on disk. */
  stored(): Promise<void> {
    return this.#stored;
  }

  #provider(uri: string) {
    const parts = contentUri(uri);
    const found = parts && providerOf(parts.authority, this.#database.all());
    return found ? { ...found, path: parts.path } : null;
  }

  /** By permissions alone (AOSP `checkHoldingPermissionsUnlocked`). */
  #holds(who: PackageRecord, uri: string, flags: number): boolean {
    const found = this.#provider(uri);
    if (!found) return false;
    const { record, component, path } = found;
    if (record.uid === who.uid) return true;
    const holds = (permission: string): boolean =>
      who.granted.includes(permission) || this.#declares(who, permission);
    return (
      component.exported &&
      ((flags & READ) === 0 || mayUse(component, path, false, holds)) &&
      ((flags & WRITE) === 0 || mayUse(component, path, true, holds))
    );
  }

  /** Asked for and given at install: Android's own dangerous ones, which are not, guard no provider here. */
  #declares(who: PackageRecord, permission: string): boolean {
    const owner = this.#database
      .all()
      .find(({ manifest }) => manifest.declaredPermissions.some(({ name }) => name === permission));
    const signature = owner?.manifest.declaredPermissions.find(({ name }) => name === permission)?.signature;
    return (
      who.manifest.permissions.includes(permission) && (signature !== true || owner?.signer === who.signer)
    );
  }

  #isGranted(who: PackageRecord, uri: string, flags: number): boolean {
    const modes = flags & (READ | WRITE);
    const all = this.#held(who, uri).reduce((sum, grant) => sum | modesOf(grant), 0);
    return modes !== 0 && (all & modes) === modes;
  }

  #held({ manifest }: PackageRecord, uri: string): Grant[] {
    return this.#grants.filter(
      (grant) =>
        grant.target === manifest.packageName && (grant.prefix ? begins(uri, grant.uri) : grant.uri === uri),
    );
  }

  #grantFor(uri: string, prefix: boolean, source: PackageRecord, target: PackageRecord): Grant {
    const to = target.manifest.packageName;
    const known = this.#grants.find(
      (each) => each.uri === uri && each.prefix === prefix && each.target === to,
    );
    if (known) return known;
    const names = { source: source.manifest.packageName, target: to };
    const made = { uri, prefix, ...names, owned: 0, global: 0, persistable: 0, persisted: 0, persistedMs: 0 };
    this.#grants.push(made);
    return made;
  }

  #tidy(): void {
    this.#grants = this.#grants.filter((grant) => modesOf(grant) !== 0);
    this.#store();
  }

  #store(): void {
    const kept = this.#grants
      .filter(({ persisted }) => persisted !== 0)
      .map((grant) => ({ ...grant, owned: 0, global: 0 }));
    this.#stored = this.#stored.then(() => writeFileAtomic(this.#file, JSON.stringify(kept))).catch(() => {});
  }
}

function modesOf({ owned, global, persisted }: Grant): number {
  return owned | global | persisted;
}

/** Whether a URI is the other one, or below it in whole segments. */
function begins(uri: string, prefix: string): boolean {
  return uri === prefix || uri.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
