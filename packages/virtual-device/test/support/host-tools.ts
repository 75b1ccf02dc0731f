import { execFile, execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** toybox on the host, the program that Android has its commands from, and the host's own tools. */
export class HostTools {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static isThere(): boolean {
    try {
      execFileSync('toybox', ['true']);
      return true;
    } catch {
      return false;
    }
  }

  /** Its commands are links in a folder of their own; what it lacks comes from the host. */
  static async start(): Promise<HostTools> {
    const folder = await mkdtemp(join(tmpdir(), 'jugg-toybox-'));
    const bin = join(folder, 'bin');
    await mkdir(bin);
    const path = execFileSync('/bin/sh', ['-c', 'command -v toybox'], { encoding: 'utf8' }).trim();
    const names = execFileSync('toybox', { encoding: 'utf8' }).trim().split(/\s+/);
    for (const name of names) if (name !== '[' && name !== 'sh') await symlink(path, join(bin, name));
    return new HostTools(folder);
  }

  stop(): Promise<void> {
    return rm(this.#folder, { recursive: true });
  }

  /** Output and exit code of a command in a new folder with the files that `files` makes. */
  async run(whose: 'toybox' | 'gnu', files: string, line: string): Promise<string> {
    const folder = await mkdtemp(join(this.#folder, 'run-'));
    const host = '/usr/bin:/bin';
    const env = {
      PATH: whose === 'toybox' ? `${join(this.#folder, 'bin')}:${host}` : host,
      HOME: '/',
      LC_ALL: 'C.UTF-8',
    };
    await promised('/bin/bash', ['-c', `umask 022; ${files}`], folder, { ...env, PATH: host });
    return promised('/bin/bash', ['-c', `umask 022; ${line}`], folder, env);
  }
}

function promised(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  return new Promise((resolve) => {
    const child = execFile(program, args, { cwd, env, timeout: 10_000 }, (error, stdout) => {
      resolve(`${stdout}[${typeof error?.code === 'number' ? error.code : 0}]`);
    });
    child.stdin?.end();
  });
}
