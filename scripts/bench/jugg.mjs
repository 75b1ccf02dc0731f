import { spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Jugg as a user has it: the bundled command and its server, in a state folder of its own. */
export class Jugg {
  constructor({ root, home, cache }) {
    this.entry = join(root, 'packages/jugg/dist/jugg.mjs');
    this.home = home;
    this.env = { ...process.env, JUGG_HOME: home, JUGG_CACHE_DIR: cache, JUGG_ADB_SERVER: 'false' };
    delete this.env.ANDROID_SERIAL;
  }

  /** Runs the command to its end; its envelope. */
  cli(...args) {
    return new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [this.entry, ...args, '--json'], {
        env: this.env,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const chunks = [];
      child.stdout.on('data', (chunk) => chunks.push(chunk));
      child.on('error', reject);
      child.on('close', () => {
        try {
          resolve(JSON.parse(Buffer.concat(chunks).toString('utf8')));
        } catch {
          reject(new Error(`jugg ${args.join(' ')} printed no envelope`));
        }
      });
    });
  }

  async ok(...args) {
    const envelope = await this.cli(...args);
    if (envelope.status !== 'OK')
      throw new Error(`jugg ${args.join(' ')}: ${envelope.errorCode}: ${envelope.message}`);
    return envelope;
  }

  /** Starts a server of its own and resolves when it answers; a function that stops it. */
  async serve() {
    const child = spawn(process.execPath, [this.entry, 'serve'], {
      env: this.env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await new Promise((resolve, reject) => {
      child.stderr.on('data', (chunk) => String(chunk).includes('is ready') && resolve());
      child.on('exit', (code) => reject(new Error(`serve ended with ${code}`)));
    });
    return () =>
      new Promise((resolve) => {
        child.removeAllListeners('exit');
        child.on('exit', resolve);
        child.kill('SIGTERM');
      });
  }

  /** Where the running server is, and the token that it takes. */
  async address() {
    const dir = join(this.home, 'state', 'servers');
    const [file] = await readdir(dir);
    const { port, pid } = JSON.parse(await readFile(join(dir, file), 'utf8'));
    const token = (await readFile(join(this.home, 'state', 'token'), 'utf8')).trim();
    return { port, pid, token };
  }

  /** Calls a tool of the running server over HTTP; its envelope. */
  async call(name, args) {
    const { port, token } = await this.address();
    const response = await fetch(`http://127.0.0.1:${port}/jugg-mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: args },
      }),
    });
    return (await response.json()).result.structuredContent;
  }

  async close() {
    await this.cli('stop').catch(() => {});
  }
}
