import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fail, ok } from '../../shared/outcome.ts';
import type { Result } from '../../shared/outcome.ts';
import type { WantedArtifact } from '../artifacts.ts';
import { runChild } from '../child.ts';
import { fetchPom } from './fetch-pom.ts';
import { FetchProgress } from './progress.ts';

export interface FetchOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (line: string) => void;
  readonly env: NodeJS.ProcessEnv;
  readonly mvn: string;
  /** Root of the local repository; handed to Maven, so that both mean the same place. */
  readonly repository: string;
}

/** What Maven had to say when something is still missing afterwards. */
export interface FetchReport {
  /** The first error that names a cause, or an empty text. */
  readonly reason: string;
  /** The last lines of its output. */
  readonly tail: string;
}

/** Networks fail for a moment: Maven is asked this many times before an artifact counts as refused. */
const ATTEMPTS = 3;

/** What Maven says of an artifact that does exist nowhere: asking again is of no use. */
const FINAL = /Could not find artifact|status: 40[134]|Forbidden|Unauthorized/i;

/** Fetches into the local repository what is missing there. Partial downloads are Maven's own and are resumed by it. */
export async function fetchWithMaven(
  missing: readonly WantedArtifact[],
  options: FetchOptions,
): Promise<Result<FetchReport>> {
  const folder = await mkdtemp(join(tmpdir(), 'jugg-maven-'));
  const progress = new FetchProgress(missing, options.onProgress);
  try {
    const pom = join(folder, 'pom.xml');
    await writeFile(pom, fetchPom(missing.map((artifact) => artifact.coordinates)));
    let report: FetchReport = { reason: '', tail: '' };
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const lines: string[] = [];
      const outcome = await runChild(options.mvn, mavenArguments(pom, options.repository), {
        signal: options.signal,
        cwd: folder,
        env: options.env,
        onLine: (line) => {
          lines.push(line);
          progress.line(line);
        },
      });
      if (outcome.canceled || options.signal.aborted) {
        return fail('CANCELED', 'The download was cancelled; what has arrived is kept.');
      }
      if (outcome.startFailure !== null) {
        return fail('ENVIRONMENT_ERROR', `${options.mvn} cannot be started: ${outcome.startFailure}`);
      }
      report = reportOf(lines);
      if (outcome.exitCode === 0 || FINAL.test(lines.join('\n'))) break;
      if (attempt < ATTEMPTS) options.onProgress(`Maven failed (${report.reason}); trying again.`);
    }
    return ok(report);
  } finally {
    progress.end();
    await rm(folder, { recursive: true, force: true });
  }
}

function mavenArguments(pom: string, repository: string): string[] {
  return [
    '--batch-mode',
    // A failure of an earlier attempt is remembered by Maven for a day; the user asks now.
    '--update-snapshots',
    '--fail-at-end',
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
  const reason = errors.find(
    (line) => line !== '' && !line.startsWith('To see') && !line.startsWith('Re-run'),
  );
  return { reason: reason ?? '', tail: lines.slice(-30).join('\n') };
}
