import { randomBytes } from 'node:crypto';
import { chmod, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DeviceFs } from '../fs/device-fs.ts';
import type { Profile } from '../system/profile.ts';
import type { PackageDatabase } from './database.ts';
import { refuse } from './failure.ts';
import type { InstallFailure, InstallResult } from './failure.ts';
import { parseApk } from './parse-apk.ts';
import type { ParsedApk } from './parse-apk.ts';
import { dataDir } from './record.ts';
import type { PackageRecord } from './record.ts';
import type { Session } from './sessions.ts';

export interface InstallerHost {
  readonly files: DeviceFs;
  readonly database: PackageDatabase;
  readonly profile: Profile;
  now(): number;
  /** Ends the package's processes, as every install and uninstall does. */
  stopPackage(packageName: string, why: string): Promise<void>;
  /** What others were allowed of a package, and it of them, is over. */
  forgotten(packageName: string): void;
  /** A package is on the device now; `apks` are paths of the host. */
  installed(apks: readonly string[]): void;
  log(message: string): void;
  /** Why no package can be installed now, if so. */
  refusal(): InstallFailure | null;
}

/** Commits install sessions and removes packages. One at a time, as the package manager's handler thread does. */
export class Installer {
  readonly #host: InstallerHost;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(host: InstallerHost) {
    this.#host = host;
  }

  commit(session: Session): Promise<InstallResult<PackageRecord>> {
    return this.#inOrder(() => this.#commit(session));
  }

  /** False when the package is not there. */
  uninstall(packageName: string, keepData: boolean): Promise<boolean> {
    return this.#inOrder(() => this.#uninstall(packageName, keepData));
  }

  /** Removes the app's data, as `pm clear`; false when the package is not there. */
  clear(packageName: string): Promise<boolean> {
    return this.#inOrder(async () => {
      if (!this.#host.database.get(packageName)) return false;
      await this.#host.stopPackage(packageName, 'clear data');
      this.#host.forgotten(packageName);
      await this.#removeData(packageName);
      await this.#makeData(packageName);
      return true;
    });
  }

  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work);
    this.#queue = result.catch(() => {});
    return result;
  }

  async #commit(session: Session): Promise<InstallResult<PackageRecord>> {
    const refused = this.#host.refusal();
    if (refused) return { ok: false, failure: refused };
    const parsed = await this.#parseAll(session);
    if (!parsed.ok) return parsed;
    const { base, splits } = parsed.value;
    const { packageName } = base.manifest;
    const { database } = this.#host;
    const old = database.get(packageName);
    const refusal = this.#refusal(session, base, old);
    if (refusal) return refusal;

    if (old && !session.params.dontKill) await this.#host.stopPackage(packageName, 'installPackageLI');
    // A folder of a random name around it since Android 11, so that paths of apps cannot be guessed.
    const outer = this.#host.profile.api >= 30 ? `~~${random()}/` : '';
    const codePath = `/data/app/${outer}${packageName}-${random()}`;
    const folder = this.#host.files.hostPath(codePath);
    await mkdir(folder, { recursive: true, mode: 0o755 });
    const named = [{ name: 'base.apk', apk: base }, ...splits];
    for (const { name, apk } of named) {
      await rename(apk.path, join(folder, name));
      await chmod(join(folder, name), 0o644);
    }
    await this.#makeData(packageName);
    const now = this.#host.now();
    const record: PackageRecord = {
      manifest: base.manifest,
      uid: database.uidFor(packageName),
      codePath,
      apks: named.map(({ name }) => name),
      digests: named.map(({ apk }) => apk.digest),
      signer: base.signature.certificate,
      schemes: [...base.signature.schemes],
      firstInstallMs: old?.firstInstallMs ?? now,
      lastUpdateMs: now,
      installer: session.params.installer,
      stopped: old?.stopped ?? true,
      states: old?.states ?? {},
      refusals: old?.refusals ?? {},
      permissionFlags: old?.permissionFlags ?? {},
      granted: session.params.grantAll ? base.manifest.permissions : (old?.granted ?? []),
    };
    await database.put(record);
    if (old) await this.#removeCode(old);
    this.#host.installed(record.apks.map((name) => join(folder, name)));
    this.#host.log(`Package ${packageName} ${old ? 'updated' : 'installed'}: ${codePath}`);
    return { ok: true, value: record };
  }

  async #parseAll(session: Session): Promise<
    InstallResult<{
      readonly base: ParsedApk & { readonly path: string };
      readonly splits: { readonly name: string; readonly apk: ParsedApk & { readonly path: string } }[];
    }>
  > {
    let base: (ParsedApk & { readonly path: string }) | null = null;
    const splits: { name: string; apk: ParsedApk & { readonly path: string } }[] = [];
    for (const file of session.files) {
      const path = join(session.folder, file);
      const parsed = await parseApk(path, `${session.shownFolder}/${file}`, this.#host.profile);
      if (!parsed.ok) return parsed;
      const apk = { ...parsed.value, path };
      const { split } = apk.manifest;
      if (split === null) base = apk;
      else splits.push({ name: `split_${split}.apk`, apk });
    }
    if (!base) return refuse('INSTALL_FAILED_INVALID_APK', 'Full install must include a base package');
    const { packageName, versionCode, splitRequired } = base.manifest;
    if (splitRequired && splits.length === 0)
      return refuse('INSTALL_FAILED_MISSING_SPLIT', `Missing split for ${packageName}`);
    for (const { apk } of splits) {
      const { manifest, signature } = apk;
      if (manifest.packageName !== packageName) {
        return refuse(
          'INSTALL_FAILED_INVALID_APK',
          `${apk.path.slice(session.folder.length + 1)} package ${manifest.packageName} inconsistent with ${packageName}`,
        );
      }
      if (manifest.versionCode !== versionCode || signature.certificate !== base.signature.certificate) {
        return refuse(
          'INSTALL_FAILED_INVALID_APK',
          'Split APKs have inconsistent version codes or signatures',
        );
      }
    }
    return { ok: true, value: { base, splits } };
  }

  #refusal(
    session: Session,
    base: ParsedApk,
    old: PackageRecord | undefined,
  ): ReturnType<typeof refuse> | null {
    const { manifest, signature } = base;
    const { packageName, versionCode } = manifest;
    const { params } = session;
    if (manifest.testOnly && !params.allowTest) {
      return refuse('INSTALL_FAILED_TEST_ONLY', 'Failed to install test-only apk. Did you forget to add -t?');
    }
    if (old && !params.replace) {
      return refuse(
        'INSTALL_FAILED_ALREADY_EXISTS',
        `Attempt to re-install ${packageName} without first uninstalling.`,
      );
    }
    if (old && old.signer !== signature.certificate) {
      return refuse(
        'INSTALL_FAILED_UPDATE_INCOMPATIBLE',
        `Existing package ${packageName} signatures do not match newer version; ignoring!`,
      );
    }
    // Only a debuggable app may go back, and only when asked for.
    if (
      old &&
      versionCode < old.manifest.versionCode &&
      !(params.allowDowngrade && old.manifest.debuggable)
    ) {
      return refuse(
        'INSTALL_FAILED_VERSION_DOWNGRADE',
        `Downgrade detected: Update version code ${versionCode} is older than current ${old.manifest.versionCode}`,
      );
    }
    for (const other of this.#host.database.all()) {
      if (other.manifest.packageName === packageName) continue;
      const taken = authorities(other.manifest).find((name) => authorities(manifest).includes(name));
      if (taken === undefined) continue;
      return refuse(
        'INSTALL_FAILED_CONFLICTING_PROVIDER',
        `Scanning Failed.: Can't install because provider name ${taken} (in package ${packageName}) is already used by ${other.manifest.packageName}`,
      );
    }
    return null;
  }

  async #uninstall(packageName: string, keepData: boolean): Promise<boolean> {
    const record = this.#host.database.get(packageName);
    if (!record) return false;
    await this.#host.stopPackage(packageName, 'uninstall pkg');
    await this.#host.database.remove(packageName);
    this.#host.forgotten(packageName);
    await this.#removeCode(record);
    if (!keepData) await this.#removeData(packageName);
    this.#host.log(`Package ${packageName} removed`);
    return true;
  }

  async #removeCode(record: PackageRecord): Promise<void> {
    // The random folder around it holds nothing else.
    const outer = /^\/data\/app\/~~[^/]+/.exec(record.codePath)?.[0] ?? record.codePath;
    await rm(this.#host.files.hostPath(outer), { recursive: true, force: true });
  }

  /** The folders that installd makes for a new app. An update empties the code cache. */
  async #makeData(packageName: string): Promise<void> {
    const data = this.#host.files.hostPath(dataDir(packageName));
    await rm(join(data, 'code_cache'), { recursive: true, force: true });
    for (const name of ['', 'cache', 'code_cache', 'files']) {
      await mkdir(join(data, name), { recursive: true, mode: 0o700 });
    }
    const external = this.#host.files.hostPath(`/storage/emulated/0/Android/data/${packageName}`);
    for (const name of ['files', 'cache']) await mkdir(join(external, name), { recursive: true });
  }

  async #removeData(packageName: string): Promise<void> {
    for (const folder of [dataDir(packageName), `/storage/emulated/0/Android/data/${packageName}`]) {
      await rm(this.#host.files.hostPath(folder), { recursive: true, force: true });
    }
  }
}

function authorities(manifest: PackageRecord['manifest']): string[] {
  return manifest.components.flatMap((component) => component.authorities);
}

function random(): string {
  return `${randomBytes(16).toString('base64url').slice(0, 22)}==`;
}
