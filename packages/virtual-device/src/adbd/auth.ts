import { createPublicKey, publicDecrypt, constants, randomBytes } from 'node:crypto';
import { appendFile, readFile } from 'node:fs/promises';
import { AUTH_PUBLIC_KEY, AUTH_SIGNATURE, AUTH_TOKEN } from '../../../jugg/src/adb/mux.ts';

/**
 * Who may use the device: anyone who reaches the port (`none`, as an emulator), anyone with a key (`accept`), who is
 * said yes to (`ask`), or nobody (`refuse`).
 */
export const AUTH_MODES = ['none', 'accept', 'ask', 'refuse'] as const;
export type AuthMode = (typeof AUTH_MODES)[number];

/** Keys that were said yes to, one a line, as in `/data/misc/adb/adb_keys`. */
export class KeyStore {
  readonly #file: string;
  readonly #waiting = new Set<() => void>();
  readonly #pending = new Set<string>();

  constructor(file: string) {
    this.#file = file;
  }

  async keys(): Promise<readonly string[]> {
    const text = await readFile(this.#file, 'utf8').catch(() => '');
    return text.split('\n').filter((line) => line !== '');
  }

  async remember(key: string): Promise<void> {
    if (!(await this.keys()).includes(key)) await appendFile(this.#file, `${key}\n`, { mode: 0o600 });
  }

  /** What the dialog on a phone shows: the keys that ask to be let in. */
  get pending(): readonly string[] {
    return [...this.#pending];
  }

  /** Says yes to all keys that ask now; the number of them. */
  async authorizeAll(): Promise<number> {
    const keys = this.pending;
    for (const key of keys) await this.remember(key);
    this.#pending.clear();
    for (const wake of this.#waiting) wake();
    return keys.length;
  }

  /** Waits until somebody says yes. Returns how to stop waiting. */
  ask(key: string, yes: () => void): () => void {
    this.#pending.add(key);
    this.#waiting.add(yes);
    return () => {
      this.#waiting.delete(yes);
      if (this.#waiting.size === 0) this.#pending.delete(key);
    };
  }
}

/** The device's side of AUTH on one connection (AOSP daemon/auth.cpp): a token, signatures of it, then a public key. */
export class Authenticator {
  readonly #keys: KeyStore;
  readonly #mode: () => AuthMode;
  readonly #send: (kind: number, payload: Buffer) => void;
  readonly #accepted: () => void;
  #token = Buffer.alloc(0);
  #stopAsking = (): void => {};

  constructor(
    keys: KeyStore,
    mode: () => AuthMode,
    send: (kind: number, payload: Buffer) => void,
    accepted: () => void,
  ) {
    this.#keys = keys;
    this.#mode = mode;
    this.#send = send;
    this.#accepted = accepted;
  }

  /** A new token; each one is signed once. */
  challenge(): void {
    this.#token = randomBytes(20);
    this.#send(AUTH_TOKEN, this.#token);
  }

  async answered(kind: number, payload: Buffer): Promise<void> {
    const mode = this.#mode();
    if (kind === AUTH_SIGNATURE) {
      const known = mode === 'refuse' ? [] : await this.#keys.keys();
      const token = this.#token;
      if (known.some((key) => signedBy(key, token, payload))) this.#accepted();
      else this.challenge();
      return;
    }
    if (kind !== AUTH_PUBLIC_KEY) return;
    const key = payload.toString('utf8').replace(/\0+$/, '').trim();
    if (mode === 'accept' && decodeAdbKey(key)) {
      await this.#keys.remember(key);
      this.#accepted();
    } else if (mode === 'ask') {
      this.#stopAsking = this.#keys.ask(key, this.#accepted);
    }
  }

  close(): void {
    this.#stopAsking();
  }
}

const MODULUS_BYTES = 256;
/** DigestInfo of SHA-1 (RFC 8017 §9.2): adb signs the token as if it were a SHA-1 digest. */
const SHA1_PREFIX = Buffer.from('3021300906052b0e03021a05000414', 'hex');

function signedBy(line: string, token: Buffer, signature: Buffer): boolean {
  const key = decodeAdbKey(line);
  if (!key) return false;
  try {
    const plain = publicDecrypt({ key, padding: constants.RSA_PKCS1_PADDING }, signature);
    return plain.equals(Buffer.concat([SHA1_PREFIX, token]));
  } catch {
    return false;
  }
}

/** `base64(RSAPublicKey) user@host` (libcrypto_utils android_pubkey.c): length, n0inv, modulus, rr, exponent; little-endian. */
function decodeAdbKey(line: string): ReturnType<typeof createPublicKey> | null {
  const bytes = Buffer.from(line.split(' ')[0] ?? '', 'base64');
  if (bytes.length !== 4 + 4 + 2 * MODULUS_BYTES + 4 || bytes.readUInt32LE(0) !== MODULUS_BYTES / 4)
    return null;
  const modulus = Buffer.from(bytes.subarray(8, 8 + MODULUS_BYTES)).reverse();
  const exponent = Buffer.from(bytes.subarray(-4)).reverse();
  try {
    return createPublicKey({
      key: { kty: 'RSA', n: modulus.toString('base64url'), e: exponent.toString('base64url') },
      format: 'jwk',
    });
  } catch {
    return null;
  }
}
