import { join } from 'node:path';

/** A file in a Maven repository. */
export interface Coordinates {
  readonly group: string;
  readonly artifact: string;
  readonly version: string;
  /** `jar` unless named. */
  readonly extension: string;
  readonly classifier: string | null;
}

/** Letters that occur in names of artifacts: nothing that could leave the repository or end an XML text. */
const PART = /^[A-Za-z0-9_][A-Za-z0-9_.+-]*$/;

/** Reads `g:a:v`, `g:a:v:ext` or `g:a:v:ext:classifier`; null for anything else. */
export function parseCoordinates(gav: string): Coordinates | null {
  const parts = gav.split(':');
  if (
    parts.length < 3 ||
    parts.length > 5 ||
    !parts.every((part) => PART.test(part) && !part.includes('..'))
  ) {
    return null;
  }
  const [group = '', artifact = '', version = '', extension = 'jar', classifier = null] = parts;
  return { group, artifact, version, extension, classifier };
}

export function fileName({ artifact, version, classifier, extension }: Coordinates): string {
  return `${artifact}-${version}${classifier === null ? '' : `-${classifier}`}.${extension}`;
}

/** The folder of a version below the root of a repository. */
export function versionFolder({ group, artifact, version }: Coordinates): string {
  return join(...group.split('.'), artifact, version);
}

/** Path of the file below the root of a repository, in the layout that Maven calls `default`. */
export function repositoryPath(coordinates: Coordinates): string {
  return join(versionFolder(coordinates), fileName(coordinates));
}
