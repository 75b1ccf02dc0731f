import { relative, isAbsolute } from 'node:path';

/** Whether a folder is a project's folder or lies within it. */
function isInside(folder: string, projectDir: string): boolean {
  const way = relative(projectDir, folder);
  return way === '' || (!way.startsWith('..') && !isAbsolute(way));
}

/**
 * Servers in the order in which they should be asked: first the one that works on the project around `folder` (the
 * deepest one, where projects lie within each other), then as they came.
 */
export function nearestFirst<T extends { readonly projects: readonly string[] }>(
  servers: readonly T[],
  folder: string,
): readonly T[] {
  return servers
    .map((server) => ({ server, depth: depthOf(server.projects, folder) }))
    .sort((a, b) => b.depth - a.depth)
    .map(({ server }) => server);
}

/** Length of the project's path around the folder; 0 when none of them is. */
function depthOf(projects: readonly string[], folder: string): number {
  return Math.max(0, ...projects.filter((dir) => isInside(folder, dir)).map((dir) => dir.length));
}
