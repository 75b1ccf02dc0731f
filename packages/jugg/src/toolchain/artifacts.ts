import { join } from 'node:path';
import { fail, ok } from '../shared/outcome.ts';
import type { Result } from '../shared/outcome.ts';
import { onPath } from './child.ts';
import { parseCoordinates, repositoryPath } from './maven/coordinates.ts';
import { fetchWithMaven } from './maven/fetch.ts';
import { defaultPlaces, localRepository } from './maven/local-repository.ts';
import { missingOf } from './maven/wanted.ts';
import type { ArtifactSpec, WantedArtifact } from './maven/wanted.ts';

export type { ArtifactSpec } from './maven/wanted.ts';

export interface ResolveOptions {
  readonly signal: AbortSignal;
  /** One line a step: what is fetched, its size, how many of how many. */
  readonly onProgress: (line: string) => void;
  /** Only look, fetch nothing. */
  readonly offline?: boolean;
  readonly env?: NodeJS.ProcessEnv;
  readonly platform?: NodeJS.Platform;
}

/**
 * Answers the path of each artifact in the user's local Maven repository. What is missing there is fetched by the user's
 * own `mvn`, so that their mirrors, proxies and credentials apply. `ENVIRONMENT_ERROR` when there is no Maven or an
 * artifact cannot be had (its name is in the message and in `data.missing`); `CANCELED`.
 */
export async function resolveArtifacts(
  specs: readonly ArtifactSpec[],
  options: ResolveOptions,
): Promise<Result<ReadonlyMap<string, string>>> {
  const env = options.env ?? process.env;
  const platform = options.platform ?? process.platform;
  const mvn = await onPath('mvn', env, platform);
  const repository = await localRepository(defaultPlaces(env, mvn));
  const wanted: WantedArtifact[] = [];
  for (const spec of specs) {
    const coordinates = parseCoordinates(spec.gav);
    if (coordinates === null) {
      return fail('INVALID_PARAMS', `${JSON.stringify(spec.gav)} is not of the form group:artifact:version.`);
    }
    wanted.push({ ...spec, coordinates, path: join(repository, repositoryPath(coordinates)) });
  }
  const missing = await missingOf(wanted);
  if (missing.length > 0) {
    const fetched = await fetchMissing(missing, { ...options, env, platform, mvn, repository });
    if (!fetched.ok) return fetched;
  }
  return ok(new Map(wanted.map((artifact) => [artifact.gav, artifact.path])));
}

interface FetchContext extends ResolveOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
  readonly mvn: string | null;
  readonly repository: string;
}

async function fetchMissing(
  missing: readonly WantedArtifact[],
  context: FetchContext,
): Promise<Result<null>> {
  const names = missing.map((artifact) => artifact.gav);
  const data = { missing: names };
  if (context.offline) {
    return fail(
      'ENVIRONMENT_ERROR',
      `Not in the local Maven repository (${context.repository}), and Jugg is offline: ${listed(names)}. Run \`jugg prefetch\` with a network.`,
      { data },
    );
  }
  if (context.mvn === null) {
    return fail(
      'ENVIRONMENT_ERROR',
      `Jugg fetches ${listed(names)} through Maven, and there is no \`mvn\` on the path. ${howToInstall(context.platform)}`,
      { data },
    );
  }
  const fetched = await fetchWithMaven(missing, { ...context, mvn: context.mvn });
  if (!fetched.ok) return fetched;
  const still = await missingOf(missing);
  if (still.length === 0) return ok(null);
  const refused = still.map((artifact) => artifact.gav);
  return fail(
    'ENVIRONMENT_ERROR',
    `Maven could not get ${listed(refused)}. ${fetched.value.reason}`.trimEnd(),
    { data: { missing: refused, detail: fetched.value.tail } },
  );
}

function howToInstall(platform: NodeJS.Platform): string {
  if (platform === 'darwin') return 'Install it with `brew install maven`.';
  if (platform === 'win32') return 'Install it with `choco install maven` or `scoop install maven`.';
  return 'Install it with `apt install maven` (Debian, Ubuntu) or your system’s package manager.';
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(', ');
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}
