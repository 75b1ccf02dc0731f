import { readdir, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { z } from 'zod';
import { readJson, writeFileAtomic } from '../shared/files.ts';
import { fail, ok, type Result } from '../shared/outcome.ts';

const recordSchema = z.object({
  projectDir: z.string(),
  initializedAt: z.string(),
  selectedSerial: z.string().optional(),
});
const fileSchema = z.object({ version: z.literal(1), projects: z.array(recordSchema) });
type ProjectRecord = z.output<typeof recordSchema>;

/** The projects whose user said yes (contract §2), one small file for all servers of the user. */
export class Projects {
  readonly #file: string;
  /** Writes of this process, one after the other. */
  #writing: Promise<unknown> = Promise.resolve();

  constructor(stateDir: string) {
    this.#file = join(stateDir, 'projects.json');
  }

  async list(): Promise<readonly ProjectRecord[]> {
    const parsed = fileSchema.safeParse(await readJson(this.#file));
    return parsed.success ? parsed.data.projects : [];
  }

  async find(projectDir: string): Promise<ProjectRecord | undefined> {
    return (await this.list()).find((project) => project.projectDir === projectDir);
  }

  /** Says that this project's build scripts and processors may run as this user. */
  async initialize(projectDir: string, now: Date): Promise<void> {
    await this.#update(projectDir, (known) => known ?? { projectDir, initializedAt: now.toISOString() });
  }

  async select(projectDir: string, serial: string | null): Promise<void> {
    await this.#update(projectDir, (known) => {
      if (!known) return undefined;
      const { selectedSerial: _, ...rest } = known;
      return serial === null ? rest : { ...rest, selectedSerial: serial };
    });
  }

  async #update(
    projectDir: string,
    change: (known: ProjectRecord | undefined) => ProjectRecord | undefined,
  ): Promise<void> {
    const next = this.#writing.then(async () => {
      const all = await this.list();
      const known = all.find((project) => project.projectDir === projectDir);
      const changed = change(known);
      if (changed === known) return;
      const others = all.filter((project) => project.projectDir !== projectDir);
      const projects = changed ? [...others, changed] : others;
      await writeFileAtomic(this.#file, JSON.stringify({ version: 1, projects }, null, 2));
    });
    this.#writing = next.catch(() => {});
    return next;
  }
}

/**
 * The one spelling of a project's folder: absolute, links resolved. On Windows the MSYS (`/d/x`) and Cygwin
 * (`/cygdrive/d/x`) spellings are understood, in WSL also `D:\x`; elsewhere a path is taken as it is.
 */
export async function normalizeProjectDir(
  projectDir: string,
  host: Host = { platform: process.platform, wsl: 'WSL_DISTRO_NAME' in process.env },
): Promise<Result<string>> {
  const spelled = translateSpelling(projectDir, host);
  if (!isAbsolute(spelled)) {
    return fail('INVALID_PARAMS', `projectDir: got "${projectDir}", expected an absolute path`);
  }
  try {
    const path = await realpath(resolve(spelled));
    if (!(await stat(path)).isDirectory()) {
      return fail('INVALID_PARAMS', `projectDir: "${projectDir}" is a file, expected the project's folder`);
    }
    return ok(path);
  } catch {
    return fail('INVALID_PARAMS', `projectDir: there is no folder "${projectDir}" on this machine`);
  }
}

/** Whether a folder is the root of a Gradle build. */
export async function hasSettingsFile(dir: string): Promise<boolean> {
  const names = await readdir(dir).catch((): string[] => []);
  return names.includes('settings.gradle') || names.includes('settings.gradle.kts');
}

export interface Host {
  readonly platform: NodeJS.Platform;
  /** Linux inside of Windows. */
  readonly wsl: boolean;
}

/** The spelling of that system for what another shell on the same machine writes. */
export function translateSpelling(path: string, host: Host): string {
  if (host.platform === 'win32') {
    const drive = /^\/(?:cygdrive\/)?([a-zA-Z])(\/.*)?$/.exec(path);
    return drive ? `${drive[1]?.toUpperCase()}:${(drive[2] ?? '/').replaceAll('/', '\\')}` : path;
  }
  if (host.wsl) {
    const drive = /^([a-zA-Z]):[\\/](.*)$/.exec(path);
    return drive ? `/mnt/${drive[1]?.toLowerCase()}/${drive[2]?.replaceAll('\\', '/')}` : path;
  }
  return path;
}
