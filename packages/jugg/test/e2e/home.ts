import { spawn, type ChildProcess } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isEnvelope, type CliEnvelope } from '../../src/cli/envelope.ts';
import { juggDirs, shippedFile } from '../../src/shared/paths.ts';

const SAMPLE = new URL('../../../../samples/counter', import.meta.url);

export interface CliRun {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A user's Jugg of its own: state, server and devices apart; only what is slow to make is shared, through the cache. */
export class TestHome {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** A copy of the sample, in a folder with blanks and other letters. */
  readonly project: string;

  private constructor(folder: string, env: NodeJS.ProcessEnv) {
    this.folder = folder;
    this.env = { ...process.env, JUGG_HOME: join(folder, 'home'), JUGG_CACHE_DIR: juggDirs().cache, ...env };
    delete this.env['ANDROID_SERIAL'];
    this.project = join(folder, 'Mein Zähler 计数');
  }

  static async make(env: NodeJS.ProcessEnv = {}): Promise<TestHome> {
    const home = new TestHome(await realpath(await mkdtemp(join(tmpdir(), 'jugg-e2e-'))), env);
    await cp(SAMPLE, home.project, { recursive: true });
    return home;
  }

  spawn(args: readonly string[], cwd = this.folder): ChildProcess {
    return spawn(process.execPath, [shippedFile('jugg.mjs'), ...args], {
      cwd,
      env: this.env,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  }

  run(args: readonly string[], cwd = this.folder): Promise<CliRun> {
    const child = this.spawn(args, cwd);
    child.stdin?.end();
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout?.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => err.push(chunk));
    return new Promise((resolve) => {
      child.on('close', (exitCode) =>
        resolve({ exitCode, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() }),
      );
    });
  }

  /** Runs a command with `--json`; its envelope and exit code. */
  async json(args: readonly string[], cwd = this.folder): Promise<CliEnvelope & { exitCode: number | null }> {
    const done = await this.run([...args, '--json'], cwd);
    const envelope: unknown = done.stdout === '' ? undefined : JSON.parse(done.stdout);
    if (!isEnvelope(envelope))
      throw new Error(`jugg ${args.join(' ')}: exit ${done.exitCode}: ${done.stdout}${done.stderr}`);
    return { ...envelope, exitCode: done.exitCode };
  }

  async startDevice(name: string, more: readonly string[] = []): Promise<string> {
    const started = await this.json(['vd', 'start', '--name', name, ...more]);
    if (started.status !== 'OK') throw new Error(started.message);
    return String(started.data['serial']);
  }

  get state(): string {
    return join(this.folder, 'home', 'state');
  }

  async port(): Promise<number> {
    const dir = join(this.state, 'servers');
    const [file] = await readdir(dir);
    return JSON.parse(await readFile(join(dir, file ?? ''), 'utf8')).port;
  }

  async token(): Promise<string> {
    return (await readFile(join(this.state, 'token'), 'utf8')).trim();
  }

  /** Stops what runs, and removes all of it; fails when something is left. */
  async close(): Promise<void> {
    const listed = await this.json(['vd', 'list']);
    const devices: unknown = listed.data['devices'];
    for (const device of Array.isArray(devices) ? devices : [])
      await this.run(['vd', 'stop', String(device.name)]);
    await this.run(['stop']);
    await rm(this.folder, { recursive: true, force: true });
  }
}
