import { nearestFirst } from './nearest-server.ts';
import { readRecords, removeRecord, type ServerRecord } from './discovery.ts';
import { rpc } from './rpc.ts';

/** A server of this user that answered, and how to call it. */
export interface ServerLink {
  readonly record: ServerRecord;
  readonly token: string;
}

const PROBE_TIMEOUT_MS = 1500;

/**
 * A live server of this user: the one that works on the project around `folder` if there is one, else the first. Stale
 * discovery files are removed on the way.
 */
export async function findServer(
  stateDir: string,
  token: string,
  folder: string = process.cwd(),
): Promise<ServerLink | undefined> {
  for (const record of nearestFirst(await readRecords(stateDir), folder)) {
    if (await isAlive(record, token)) return { record, token };
    await removeRecord(stateDir, record.pid);
  }
  return undefined;
}

/**
 * Asks a server to make room for a newer one; whether it does. One that is busy stays: its jobs belong to somebody. Nor
 * does one that does not know the question.
 */
export async function asksToStopWhenIdle({ record, token }: ServerLink): Promise<boolean> {
  try {
    const target = { port: record.port, token };
    const { result } = await rpc(target, 'jugg/stop', { ifIdle: true }, { timeoutMs: PROBE_TIMEOUT_MS });
    return path(result, ['stopping']) === true;
  } catch {
    return false;
  }
}

/** Asks it who it is: a pid or a port alone may belong to somebody else by now. */
async function isAlive(record: ServerRecord, token: string): Promise<boolean> {
  try {
    const reply = await rpc(
      { port: record.port, token },
      'tools/call',
      { name: 'version', arguments: {} },
      { timeoutMs: PROBE_TIMEOUT_MS },
    );
    const runtime = path(reply.result, ['structuredContent', 'data', 'runtime']);
    return path(runtime, ['pid']) === record.pid && path(runtime, ['startedAt']) === record.startedAt;
  } catch {
    return false;
  }
}

function path(value: unknown, keys: readonly string[]): unknown {
  let at = value;
  for (const key of keys) at = typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined;
  return at;
}
