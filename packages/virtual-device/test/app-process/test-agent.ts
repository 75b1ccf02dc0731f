import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { exists, javaHome, testCache } from './local-tools.ts';

const run = promisify(execFile);

/** The jar of the test agent, compiled once; kept by the content of its source. */
export async function buildTestAgent(): Promise<string> {
  const source = join(dirname(fileURLToPath(import.meta.url)), 'agent', 'TestAgent.java');
  const hash = createHash('sha256').update(await readFile(source));
  const jar = join(testCache, `test-agent-${hash.digest('hex').slice(0, 16)}.jar`);
  if (await exists(jar)) return jar;
  const work = await mkdtemp(join(tmpdir(), 'jugg-agent-'));
  const bin = join(await javaHome(), 'bin');
  await run(join(bin, 'javac'), ['--release', '11', '-d', join(work, 'classes'), source]);
  const part = `${jar}.${process.pid}`;
  await mkdir(testCache, { recursive: true });
  await run(join(bin, 'jar'), ['--create', '--file', part, '-C', join(work, 'classes'), '.']);
  await rename(part, jar);
  await rm(work, { recursive: true, force: true });
  return jar;
}

/** The options string of `am attach-agent` for the test agent. */
export function agentOptions(jar: string, classNames: readonly string[], dexFile: string): string {
  const args = encodeURIComponent(`${classNames.join(',')}|${dexFile}`);
  return `jar=${jar},class=dev.jugg.testagent.TestAgent,args=${args}`;
}
