import { readFile } from 'node:fs/promises';
import { adbConnection } from '../../../jugg/src/adb/connection.ts';
import { connectDirect } from '../../../jugg/src/adb/direct.ts';
import { value } from './direct.ts';
import { startRealAdb } from './real-adb.ts';

/** What the device suite asks of a client, so that it runs the same through ours and through the real adb. */
export interface Tool {
  shell(command: string): Promise<{ stdout: string; stderr: string; exitCode: number }>;
  execOut(command: string): Promise<Buffer>;
  push(local: string, remote: string): Promise<void>;
  pull(remote: string, local: string): Promise<void>;
  /** What is printed, all of it. */
  install(apk: string): Promise<string>;
  close(): Promise<void>;
}

/** Long enough for a first start on a busy machine. */
const timeoutMs = 120_000;

export async function ownTool(port: number): Promise<Tool> {
  const transport = value(await connectDirect({ host: '127.0.0.1', port }));
  const adb = adbConnection(transport);
  return {
    shell: async (command) => value(await adb.shell(command, { timeoutMs })),
    execOut: async (command) => value(await adb.exec(command, { timeoutMs })),
    push: async (local, remote) => value(await adb.push({ file: local }, remote)),
    pull: async (remote, local) => value(await adb.pullFile(remote, local)),
    install: async (apk) => value(await adb.install({ file: apk }, ['-r'], { timeoutMs })).output,
    close: async () => transport.close(),
  };
}

export async function realTool(port: number): Promise<Tool> {
  const adb = await startRealAdb();
  const serial = `127.0.0.1:${port}`;
  await adb.run(['connect', serial]);
  const on = (...args: string[]): ReturnType<typeof adb.run> => adb.run(['-s', serial, ...args]);
  return {
    shell: async (command) => {
      const { stdout, stderr, code } = await on('shell', command);
      return { stdout, stderr, exitCode: code };
    },
    execOut: async (command) => (await on('exec-out', command)).raw,
    push: async (local, remote) => {
      const done = await on('push', local, remote);
      if (done.code !== 0) throw new Error(done.stderr);
    },
    pull: async (remote, local) => {
      const done = await on('pull', remote, local);
      if (done.code !== 0) throw new Error(done.stderr);
    },
    install: async (apk) => {
      const done = await on('install', '-r', apk);
      return done.stdout + done.stderr;
    },
    close: () => adb.stop(),
  };
}

export async function sameContent(a: string, b: string): Promise<boolean> {
  return (await readFile(a)).equals(await readFile(b));
}
