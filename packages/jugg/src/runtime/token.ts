import { randomBytes } from 'node:crypto';
import { chmod, link, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { systemErrorCode, writeFileAtomic } from '../shared/files.ts';

/**
 * The user's token: what shows that a call comes from a program of this user. One for all servers, lasting, in a file
 * that only this user can read; made at first use.
 */
export async function userToken(stateDir: string): Promise<string> {
  const file = join(stateDir, 'token');
  const known = await read(file);
  if (known) return known;
  const candidate = join(stateDir, `token.${randomBytes(4).toString('hex')}`);
  await writeFileAtomic(candidate, `${randomBytes(32).toString('base64url')}\n`);
  try {
    // Linking fails when another process was first: then its token counts, for both.
    await link(candidate, file);
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw error;
  } finally {
    await rm(candidate, { force: true });
  }
  const made = await read(file);
  if (!made) throw new Error(`the token file ${file} cannot be read`);
  return made;
}

async function read(file: string): Promise<string | undefined> {
  try {
    const token = (await readFile(file, 'utf8')).trim();
    // A file that others can read (restored from a backup, say) is put right, not trusted to stay so.
    await chmod(file, 0o600);
    return token === '' ? undefined : token;
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
