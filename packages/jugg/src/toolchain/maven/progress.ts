import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileName, versionFolder } from './coordinates.ts';
import type { WantedArtifact } from './wanted.ts';

/** Large files say how far they are this often. */
const TICK_MS = 2000;

/** Turns Maven's transfer lines into lines about the artifacts that were asked for. */
export class FetchProgress {
  readonly #wanted: readonly WantedArtifact[];
  readonly #tell: (line: string) => void;
  readonly #done = new Set<string>();
  #current: WantedArtifact | null = null;
  #ticker: NodeJS.Timeout | null = null;

  constructor(wanted: readonly WantedArtifact[], tell: (line: string) => void) {
    this.#wanted = wanted;
    this.#tell = tell;
    const bytes = wanted.reduce((sum, artifact) => sum + (artifact.bytes ?? 0), 0);
    tell(`Fetching ${wanted.length} files through Maven${bytes > 0 ? `, ${megabytes(bytes)}` : ''}.`);
  }

  /** Takes one line of Maven's output. */
  line(line: string): void {
    // Maven 3 and 4, batch mode: "Downloading from <repository>: <url>", "Downloaded from <repository>: <url> (<size> at <speed>)".
    const match = /(Downloading|Downloaded) from [^:]+: (\S+)(?: \(([^)]*)\))?/.exec(line);
    const url = match?.[2];
    if (url === undefined) return;
    const artifact = this.#wanted.find((candidate) => url.endsWith(urlPath(candidate)));
    if (artifact === undefined) return;
    if (match?.[1] === 'Downloading') this.#start(artifact);
    else this.#finish(artifact, match?.[3]);
  }

  end(): void {
    if (this.#ticker !== null) clearInterval(this.#ticker);
    this.#ticker = null;
  }

  #start(artifact: WantedArtifact): void {
    this.#current = artifact;
    const size = artifact.bytes === undefined ? '' : ` (${megabytes(artifact.bytes)})`;
    this.#tell(`${this.#done.size + 1} of ${this.#wanted.length}: ${fileName(artifact.coordinates)}${size}`);
    this.#ticker ??= setInterval(() => void this.#tick(), TICK_MS).unref();
  }

  #finish(artifact: WantedArtifact, transfer: string | undefined): void {
    this.#done.add(artifact.gav);
    this.#current = null;
    const rate = transfer === undefined ? '' : `, ${transfer}`;
    this.#tell(
      `${this.#done.size} of ${this.#wanted.length}: ${fileName(artifact.coordinates)} is here${rate}`,
    );
  }

  /** Maven writes to a file with another name beside the target and says nothing in between. */
  async #tick(): Promise<void> {
    const artifact = this.#current;
    if (artifact === null) return;
    const folder = dirname(artifact.path);
    const name = fileName(artifact.coordinates);
    const names = await readdir(folder).catch(() => []);
    const sizes = await Promise.all(
      names
        .filter((candidate) => candidate.includes(name) && candidate !== name)
        .map((candidate) =>
          stat(join(folder, candidate)).then(
            ({ size }) => size,
            () => 0,
          ),
        ),
    );
    const arrived = Math.max(0, ...sizes);
    if (arrived > 0 && this.#current === artifact) {
      const whole = artifact.bytes === undefined ? '' : ` of ${megabytes(artifact.bytes)}`;
      this.#tell(`   ${name}: ${megabytes(arrived)}${whole}`);
    }
  }
}

function urlPath(artifact: WantedArtifact): string {
  const folder = versionFolder(artifact.coordinates).replaceAll('\\', '/');
  return `/${folder}/${fileName(artifact.coordinates)}`;
}

function megabytes(bytes: number): string {
  return bytes < 1e5 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
