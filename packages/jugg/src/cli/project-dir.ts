import { access } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

const SETTINGS_FILES = ['settings.gradle', 'settings.gradle.kts'];

/** The nearest folder upwards that holds a Gradle settings file; `null` when there is none. */
export async function nearestProject(from: string): Promise<string | null> {
  for (let dir = resolve(from); ; dir = dirname(dir)) {
    for (const name of SETTINGS_FILES) {
      try {
        await access(join(dir, name));
        return dir;
      } catch {
        // Not here.
      }
    }
    if (dirname(dir) === dir) return null;
  }
}
