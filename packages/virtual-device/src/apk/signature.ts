import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import type { ApkZip } from './zip.ts';

/** Who signed an APK, and by which schemes. Digests of the contents are not checked: the device runs no strangers' code unasked. */
export interface Signature {
  /** SHA-256 of the signer's certificate, hex. */
  readonly certificate: string;
  readonly schemes: readonly ('v1' | 'v2' | 'v3')[];
}

/** Ids in the APK signing block (AOSP docs, "APK Signature Scheme v2" and "v3"). */
const V2_BLOCK = 0x7109871a;
const V3_BLOCK = 0xf05368c0;
const V31_BLOCK = 0x1b93ad61;
const MAGIC = 'APK Sig Block 42';
const END_OF_DIRECTORY = 0x06054b50;
/** End record plus the longest comment. */
const TAIL = 22 + 65_535;

/** The signature of an APK; `null` when there is none. */
export async function readSignature(path: string, zip: ApkZip): Promise<Signature | null> {
  const schemes: ('v1' | 'v2' | 'v3')[] = [];
  let certificate: string | null = null;
  for (const [id, block] of await signingBlocks(path)) {
    if (id !== V2_BLOCK && id !== V3_BLOCK && id !== V31_BLOCK) continue;
    const found = firstCertificate(block);
    if (!found) continue;
    certificate ??= sha256(found);
    schemes.push(id === V2_BLOCK ? 'v2' : 'v3');
  }
  const v1 = await jarCertificate(zip);
  if (v1) {
    certificate ??= sha256(v1);
    schemes.unshift('v1');
  }
  return certificate === null ? null : { certificate, schemes };
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The id-value pairs of the signing block, which sits before the central directory. */
async function signingBlocks(path: string): Promise<Map<number, Buffer>> {
  const file = await open(path, 'r');
  try {
    const directory = await centralDirectoryStart(file);
    if (directory === null || directory < 32) return new Map();
    const footer = await readAt(file, directory - 24, 24);
    if (footer.toString('latin1', 8) !== MAGIC) return new Map();
    const size = Number(footer.readBigUInt64LE(0));
    if (size < 24 || size > directory - 8) return new Map();
    return pairs(await readAt(file, directory - size, size - 24));
  } finally {
    await file.close();
  }
}

async function centralDirectoryStart(file: FileHandle): Promise<number | null> {
  const { size } = await file.stat();
  const start = Math.max(0, size - TAIL);
  const tail = await readAt(file, start, size - start);
  for (let at = tail.length - 22; at >= 0; at--) {
    if (tail.readUInt32LE(at) === END_OF_DIRECTORY) return tail.readUInt32LE(at + 16);
  }
  return null;
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

function pairs(block: Buffer): Map<number, Buffer> {
  const found = new Map<number, Buffer>();
  for (let at = 0; at + 12 <= block.length;) {
    const length = Number(block.readBigUInt64LE(at));
    if (length < 4 || at + 8 + length > block.length) break;
    found.set(block.readUInt32LE(at + 8), block.subarray(at + 12, at + 8 + length));
    at += 8 + length;
  }
  return found;
}

/** signers → signer → signed data → (digests, certificates, …): the first certificate of the first signer, in DER. */
function firstCertificate(block: Buffer): Buffer | null {
  const signers = prefixed(block, 0);
  const signer = signers && prefixed(signers, 0);
  const signedData = signer && prefixed(signer, 0);
  const digests = signedData && prefixed(signedData, 0);
  const certificates = signedData && digests && prefixed(signedData, 4 + digests.length);
  return certificates ? prefixed(certificates, 0) : null;
}

/** Bytes behind their length. */
function prefixed(bytes: Buffer, at: number): Buffer | null {
  if (at + 4 > bytes.length) return null;
  const length = bytes.readUInt32LE(at);
  return at + 4 + length <= bytes.length ? bytes.subarray(at + 4, at + 4 + length) : null;
}

/** The first certificate in `META-INF/*.RSA` and the like: a PKCS #7 SignedData. */
async function jarCertificate(zip: ApkZip): Promise<Buffer | null> {
  const entry = zip.entries.find(({ name }) => /^META-INF\/[^/]+\.(RSA|DSA|EC)$/i.test(name));
  const file = entry ? await zip.read(entry.name) : null;
  if (!file) return null;
  // ContentInfo { oid, [0] { SignedData { version, digests, content, [0] certificates, … } } }
  const contentInfo = elements(file)[0];
  const wrapped = contentInfo && elements(contentInfo.body)[1];
  const signedData = wrapped && elements(wrapped.body)[0];
  const certificates = signedData && elements(signedData.body).find(({ tag }) => tag === 0xa0);
  return (certificates && elements(certificates.body)[0]?.whole) ?? null;
}

interface DerElement {
  readonly tag: number;
  readonly body: Buffer;
  readonly whole: Buffer;
}

/** The elements that follow each other in a piece of DER. */
function elements(bytes: Buffer): DerElement[] {
  const found: DerElement[] = [];
  for (let at = 0; at + 2 <= bytes.length;) {
    const tag = bytes.readUInt8(at);
    let length = bytes.readUInt8(at + 1);
    let start = at + 2;
    if (length & 0x80) {
      const size = length & 0x7f;
      if (size === 0 || size > 4 || start + size > bytes.length) break;
      length = bytes.readUIntBE(start, size);
      start += size;
    }
    if (start + length > bytes.length) break;
    found.push({
      tag,
      body: bytes.subarray(start, start + length),
      whole: bytes.subarray(at, start + length),
    });
    at = start + length;
  }
  return found;
}
