import { chmod, link, mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { fail, ok } from '../shared/outcome.ts';
import type { Result } from '../shared/outcome.ts';
import { runChild } from './child.ts';
import { javaEnvironment } from './java-environment.ts';
import type { Jdk } from './jdk.ts';

export interface Keystore {
  /** Absolute path of a PKCS#12 file. */
  readonly keystore: string;
  readonly alias: string;
  readonly password: string;
}

/** The name and the password that every Android tool gives its debug key: it protects nothing. */
const ALIAS = 'androiddebugkey';
const PASSWORD = 'android';

/**
 * Jugg's debug key for this user in `<stateDir>/debug.keystore`, made at first use and readable by the user only. All of a
 * user's projects share it, so that an app installed yesterday can be updated today.
 */
export async function debugKey(stateDir: string, jdk: Jdk, signal: AbortSignal): Promise<Result<Keystore>> {
  const keystore = join(stateDir, 'debug.keystore');
  const key: Keystore = { keystore, alias: ALIAS, password: PASSWORD };
  if (await isFile(keystore)) return ok(key);
  const part = join(stateDir, `.debug-${randomUUID()}.keystore`);
  try {
    await mkdir(dirname(keystore), { recursive: true, mode: 0o700 });
    const made = await runChild(jdk.keytool, keytoolArguments(part), {
      signal,
      env: javaEnvironment(process.env),
    });
    if (made.canceled) return fail('CANCELED', 'The call was cancelled.');
    if (made.exitCode !== 0) {
      const detail = made.startFailure ?? (made.stdout + made.stderr).trim();
      return fail('ENVIRONMENT_ERROR', `The debug key cannot be made with ${jdk.keytool}: ${detail}`);
    }
    await chmod(part, 0o600);
    await place(part, keystore);
    return ok(key);
  } catch (error) {
    return fail('ENVIRONMENT_ERROR', `The debug key cannot be written to ${keystore}: ${String(error)}`);
  } finally {
    await rm(part, { force: true });
  }
}

/** Another Jugg may have been faster: then its key stays, since apps may already be signed with it. */
async function place(part: string, keystore: string): Promise<void> {
  try {
    await link(part, keystore);
  } catch {
    // A file system without links, or the file is there.
    if (!(await isFile(keystore))) await rename(part, keystore);
  }
}

function keytoolArguments(keystore: string): string[] {
  return [
    '-genkeypair',
    '-keystore',
    keystore,
    '-storetype',
    'PKCS12',
    '-storepass',
    PASSWORD,
    '-alias',
    ALIAS,
    '-keyalg',
    'RSA',
    '-keysize',
    '2048',
    // Thirty years, as Android Studio's.
    '-validity',
    '10950',
    '-dname',
    'C=US, O=Android, CN=Android Debug',
  ];
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile() && found.size > 0,
    () => false,
  );
}
