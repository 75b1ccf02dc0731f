import { execFile, spawn } from 'node:child_process';
import { createServer } from 'node:net';

export interface AdbResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly raw: Buffer;
}

const PROGRAM = 'adb';

/** Debian's adb with a server of its own on a private port; the server on 5037 is never touched. */
export class RealAdb {
  readonly port: number;

  constructor(port: number) {
    this.port = port;
  }

  run(
    args: readonly string[],
    options: { stdin?: string; env?: Record<string, string> } = {},
  ): Promise<AdbResult> {
    return new Promise((resolve) => {
      const child = spawn(PROGRAM, args, {
        env: { ...process.env, ANDROID_ADB_SERVER_PORT: String(this.port), ...options.env },
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      const out: Buffer[] = [];
      const err: Buffer[] = [];
      child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
      child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
      // A command that reads nothing ends before its input does.
      child.stdin.on('error', () => {});
      child.stdin.end(options.stdin ?? '');
      child.on('close', (code) => {
        const raw = Buffer.concat(out);
        resolve({
          code: code ?? -1,
          stdout: raw.toString('utf8'),
          stderr: Buffer.concat(err).toString('utf8'),
          raw,
        });
      });
    });
  }

  /** Ends our own server. */
  async stop(): Promise<void> {
    await this.run(['-P', String(this.port), 'kill-server']);
  }
}

/** Why the real adb cannot take part, or `null` when it can. */
export function adbMissing(): Promise<string | null> {
  return new Promise((resolve) => {
    execFile(PROGRAM, ['--version'], (error) => {
      resolve(error ? 'adb is not installed (Debian: apt-get install adb)' : null);
    });
  });
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen({ host: '127.0.0.1', port: 0 }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

export async function startRealAdb(env: Record<string, string> = {}): Promise<RealAdb> {
  const adb = new RealAdb(await freePort());
  await adb.run(['start-server'], { env });
  return adb;
}
