import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { parseManifest } from '../apk/manifest.ts';
import type { Manifest } from '../apk/manifest.ts';
import { readSignature } from '../apk/signature.ts';
import type { Signature } from '../apk/signature.ts';
import { openApk } from '../apk/zip.ts';
import type { ApkZip } from '../apk/zip.ts';
import type { Profile } from '../system/profile.ts';
import { refuse } from './failure.ts';
import type { InstallResult } from './failure.ts';

export interface ParsedApk {
  readonly manifest: Manifest;
  readonly signature: Signature;
  /** SHA-256 of the file, hex. */
  readonly digest: string;
}

/**
 * Reads what the package manager needs of an APK and refuses what it would refuse, with its words (AOSP
 * `ParsingPackageUtils`, `InstallPackageHelper`). `shown` is the device path that the messages name.
 */
export async function parseApk(
  path: string,
  shown: string,
  profile: Profile,
): Promise<InstallResult<ParsedApk>> {
  const zip = await openApk(path);
  if (!zip) {
    return refuse(
      'INSTALL_PARSE_FAILED_NOT_APK',
      `Failed to parse ${shown}: Failed to load asset path ${shown}`,
    );
  }
  try {
    const file = await zip.read('AndroidManifest.xml');
    const manifest = file ? parseManifest(file) : null;
    if (!manifest) {
      return refuse(
        'INSTALL_PARSE_FAILED_BAD_MANIFEST',
        `Failed to parse ${shown}: ${file ? 'Corrupt XML binary file' : 'AndroidManifest.xml'}`,
      );
    }
    const refusal =
      manifestRefusal(manifest, shown, profile) ?? archiveRefusal(manifest, zip) ?? abiRefusal(zip, profile);
    if (refusal) return refusal;
    const signature = await readSignature(path, zip);
    if (!signature) {
      return refuse(
        'INSTALL_PARSE_FAILED_NO_CERTIFICATES',
        `Failed to collect certificates from ${shown}: Attempt to get length of null array`,
      );
    }
    if (
      manifest.targetSdk >= 30 &&
      profile.api >= 30 &&
      !signature.schemes.some((scheme) => scheme !== 'v1')
    ) {
      return refuse(
        'INSTALL_PARSE_FAILED_NO_CERTIFICATES',
        `No signature found in package of version 2 or newer for package ${manifest.packageName}`,
      );
    }
    return { ok: true, value: { manifest, signature, digest: await digestOf(path) } };
  } finally {
    zip.close();
  }
}

type Refusal = ReturnType<typeof refuse>;

function manifestRefusal(manifest: Manifest, shown: string, profile: Profile): Refusal | null {
  const { packageName, minSdk, targetSdk } = manifest;
  if (!/^[A-Za-z]\w*(\.[A-Za-z]\w*)+$/.test(packageName)) {
    return refuse(
      'INSTALL_PARSE_FAILED_BAD_PACKAGE_NAME',
      `Invalid manifest package: bad name ${packageName}`,
    );
  }
  if (minSdk > profile.api) {
    return refuse(
      'INSTALL_FAILED_OLDER_SDK',
      `${shown} (at Binary XML file line #1): Requires newer sdk version #${minSdk} (current version is #${profile.api})`,
    );
  }
  if (targetSdk < profile.minTargetSdk) {
    return refuse(
      'INSTALL_FAILED_DEPRECATED_SDK_VERSION',
      `App package must target at least SDK version ${profile.minTargetSdk}, but found ${targetSdk}`,
    );
  }
  const vague = manifest.components.find(
    ({ kind, filters, exportedGiven }) => kind !== 'provider' && filters.length > 0 && !exportedGiven,
  );
  if (vague && targetSdk >= 31 && profile.api >= 31) {
    return refuse(
      'INSTALL_PARSE_FAILED_MANIFEST_MALFORMED',
      `Failed parse during installPackageLI: ${shown} (at Binary XML file line #1): ${vague.name}: Targeting S+ (version 31 and above) requires that an explicit value for android:exported be defined when intent filters are present`,
    );
  }
  return null;
}

function archiveRefusal(manifest: Manifest, zip: ApkZip): Refusal | null {
  if (manifest.targetSdk < 30) return null;
  const table = zip.entries.find(({ name }) => name === 'resources.arsc');
  if (!table || (!table.compressed && table.dataStart % 4 === 0)) return null;
  return refuse(
    'INSTALL_PARSE_FAILED_RESOURCES_ARSC_COMPRESSED',
    'Failed parse during installPackageLI: Targeting R+ (version 30 and above) requires the resources.arsc of installed APKs to be stored uncompressed and aligned on a 4-byte boundary',
  );
}

/** Native code for other processors only (AOSP `NativeLibraryHelper`; -113 is its word for that). */
function abiRefusal(zip: ApkZip, profile: Profile): Refusal | null {
  const abis = new Set(zip.entries.flatMap(({ name }) => /^lib\/([^/]+)\/[^/]+\.so$/.exec(name)?.[1] ?? []));
  if (abis.size === 0 || abis.has(profile.abi)) return null;
  return refuse('INSTALL_FAILED_NO_MATCHING_ABIS', 'Failed to extract native libraries, res=-113');
}

export async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
