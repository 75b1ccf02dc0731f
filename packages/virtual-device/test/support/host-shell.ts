import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The referee of the device's shell: what the host's own POSIX shell prints for a script, and its exit code behind that. */
export function hostShell(script: string): Promise<string> {
  return run('/bin/sh', script, '/usr/bin:/bin');
}

/** mksh on the host, the program that is Android's shell; `sh` is it, too. */
export class Mksh {
  readonly #bin: string;

  private constructor(bin: string) {
    this.#bin = bin;
  }

  static isThere(): boolean {
    try {
      execFileSync('mksh', ['-c', 'true']);
      return true;
    } catch {
      return false;
    }
  }

  static async start(): Promise<Mksh> {
    const bin = await mkdtemp(join(tmpdir(), 'jugg-mksh-bin-'));
    const path = execFileSync('mksh', ['-c', 'whence -p mksh'], { encoding: 'utf8' }).trim();
    await symlink(path, join(bin, 'sh'));
    return new Mksh(bin);
  }

  stop(): Promise<void> {
    return rm(this.#bin, { recursive: true });
  }

  /** As {@link hostShell}; the script runs in a new folder, `$T`. */
  async run(script: string): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'jugg-mksh-'));
    try {
      return await run('mksh', `T=${folder}; ${script}`, `${this.#bin}:/usr/bin:/bin`);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

function run(shell: string, script: string, path: string): Promise<string> {
  return new Promise((resolve) => {
    const env = { PATH: path, HOME: '/' };
    const child = execFile(shell, ['-c', script], { cwd: '/', env }, (error, stdout) => {
      resolve(`${stdout}[${typeof error?.code === 'number' ? error.code : 0}]`);
    });
    child.stdin?.end();
  });
}
