import { fail, type Result } from '../shared/outcome.ts';
import { systemErrorCode } from '../shared/files.ts';

/**
 * Runs work on files. What the file system refuses (no space, no permission, a folder that vanished) is an
 * `ENVIRONMENT_ERROR` with the system's own words, which name the path; every other exception is a bug and goes on.
 */
export async function guarded<T>(run: () => Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await run();
  } catch (error) {
    if (systemErrorCode(error) === undefined || !(error instanceof Error)) throw error;
    return fail('ENVIRONMENT_ERROR', `A file cannot be used: ${error.message}.`);
  }
}
