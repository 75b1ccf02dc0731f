import { stat } from 'node:fs/promises';
import type { Coordinates } from './coordinates.ts';

export interface ArtifactSpec {
  /** `g:a:v` or `g:a:v:ext:classifier`. */
  readonly gav: string;
  /** Size in bytes where it is known beforehand, for the progress lines. */
  readonly bytes?: number;
}

/** An artifact that is wanted, with its place in the local repository. */
export interface WantedArtifact extends ArtifactSpec {
  readonly coordinates: Coordinates;
  readonly path: string;
}

/** Those that are not in the local repository. */
export async function missingOf(artifacts: readonly WantedArtifact[]): Promise<WantedArtifact[]> {
  const present = await Promise.all(
    artifacts.map(({ path }) =>
      stat(path).then(
        (found) => found.isFile() && found.size > 0,
        () => false,
      ),
    ),
  );
  return artifacts.filter((_, index) => !present[index]);
}
