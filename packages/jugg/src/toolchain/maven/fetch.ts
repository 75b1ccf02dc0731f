import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fail, ok } from '../../shared/outcome.ts';
import type { Result } from '../../shared/outcome.ts';
import { runChild } from '../child.ts';
import { javaEnvironment } from '../java-environment.ts';
import { fetchPom } from './fetch-pom.ts';
import { FetchProgress } from './progress.ts';
import { missingOf } from './wanted.ts';
import type { WantedArtifact } from './wanted.ts';

export interface FetchOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (line: string) => void;
  readonly env: NodeJS.ProcessEnv;
  readonly mvn: string;
  /** Root of the local repository; handed to Maven, so that both mean the same place. */
  readonly repository: string;
}

/** What Maven had to say of its last failure. */
export interface FetchReport {
  /** The first error that names a cause, or an empty text. */
  readonly reason: string;
  /** The last lines of its output. */
  readonly tail: string;
}

/** Networks fail for a moment: Maven is asked this many times in a row before an artifact counts as refused. */
const ATTEMPTS = 3;

/** With this many artifacts refused, the repository itself is out of reach. */
const MAX_REFUSED = 4;

/** What Maven says of an artifact that cannot be had: asking again is of no use. */
const FINAL = /Could not find artifact|status: 40[134]|status code: 40[134]|Forbidden|Unauthorized/i;

/**
 * Fetches into the local repository what is missing there; the caller looks again afterwards. Partial downloads are
 * Maven's own and are resumed by it. One artifact that is refused does not keep the others away.
 */
export async function fetchWithMaven(
  missing: readonly WantedArtifact[],
  options: FetchOptions,
): Promise<Result<FetchReport>> {
  const folder = await mkdtemp(join(tmpdir(), 'jugg-maven-'));
  const progress = new FetchProgress(missing, options.onProgress);
  const refused = new Set<string>();
  let report: FetchReport = { reason: '', tail: '' };
  let attempt = 1;
  try {
    for (;;) {
      const wanted = (await missingOf(missing)).filter(({ gav }) => !refused.has(gav));
      const [first] = wanted;
      if (first === undefined || refused.size >= MAX_REFUSED) return ok(report);
      const lines: string[] = [];
      const well = await runMaven(wanted, folder, options, (line) => {
        lines.push(line);
        progress.line(line);
      });
      if (!well.ok) return well;
      if (well.value) return ok(report);
      report = reportOf(lines);
      // They are fetched one after the other: Maven stopped at the first that is still missing.
      const [stopped] = (await missingOf(wanted)).map(({ gav }) => gav);
      if (stopped !== first.gav) attempt = 1;
      if (FINAL.test(lines.join('\n')) || attempt >= ATTEMPTS) {
        refused.add(stopped ?? first.gav);
        attempt = 1;
      } else {
        attempt++;
        options.onProgress(`Maven failed (${report.reason}); trying again.`);
      }
    }
  } finally {
    progress.end();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Answers whether Maven ended well. */
async function runMaven(
  wanted: readonly WantedArtifact[],
  folder: string,
  options: FetchOptions,
  onLine: (line: string) => void,
): Promise<Result<boolean>> {
  const pom = join(folder, 'pom.xml');
  await writeFile(pom, fetchPom(wanted.map(({ coordinates }) => coordinates)));
  const outcome = await runChild(options.mvn, mavenArguments(pom, options.repository), {
    signal: options.signal,
    cwd: folder,
    env: javaEnvironment(options.env),
    onLine,
  });
  if (outcome.canceled || options.signal.aborted) {
    return fail('CANCELED', 'The download was cancelled; what has arrived is kept.');
  }
  if (outcome.startFailure !== null) {
    return fail('ENVIRONMENT_ERROR', `${options.mvn} cannot be started: ${outcome.startFailure}`);
  }
  return ok(outcome.exitCode === 0);
}

function mavenArguments(pom: string, repository: string): string[] {
  return [
    '--batch-mode',
    // A failure of an earlier attempt is remembered by Maven for a day; the user asks now.
    '--update-snapshots',
    `-Dmaven.repo.local=${repository}`,
    '-Dmaven.wagon.http.retryHandler.count=3',
    '-Daether.connector.http.retryHandler.count=3',
    '-Dstyle.color=never',
    '--file',
    pom,
    'generate-resources',
  ];
}

function reportOf(lines: readonly string[]): FetchReport {
  const errors = lines.filter((line) => line.startsWith('[ERROR]')).map((line) => line.slice(8).trim());
  return { reason: errors.find((line) => line !== '') ?? '', tail: lines.slice(-30).join('\n') };
}
