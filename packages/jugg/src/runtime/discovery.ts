import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readJson, writeFileAtomic } from '../shared/files.ts';

/** What a server says of itself in its discovery file. */
export interface ServerRecord {
  readonly port: number;
  readonly pid: number;
  readonly version: string;
  readonly startedAt: string;
  /** Projects that it has worked on. */
  readonly projects: readonly string[];
}

function folder(stateDir: string): string {
  return join(stateDir, 'servers');
}

export async function writeRecord(stateDir: string, record: ServerRecord): Promise<void> {
  await writeFileAtomic(join(folder(stateDir), `${record.pid}.json`), JSON.stringify(record));
}

export async function removeRecord(stateDir: string, pid: number): Promise<void> {
  await rm(join(folder(stateDir), `${pid}.json`), { force: true });
}

/** Servers that left a file; whether one still lives is for asking it, as pids are used again. */
export async function readRecords(stateDir: string): Promise<readonly ServerRecord[]> {
  const names = await readdir(folder(stateDir)).catch(() => []);
  const records = await Promise.all(
    names.filter((name) => name.endsWith('.json')).map((name) => readJson(join(folder(stateDir), name))),
  );
  return records.filter(isRecord).sort((a, b) => a.port - b.port);
}

function isRecord(value: unknown): value is ServerRecord {
  if (typeof value !== 'object' || value === null) return false;
  return (
    'port' in value &&
    typeof value.port === 'number' &&
    'pid' in value &&
    typeof value.pid === 'number' &&
    'startedAt' in value &&
    typeof value.startedAt === 'string' &&
    'version' in value &&
    typeof value.version === 'string' &&
    'projects' in value &&
    Array.isArray(value.projects)
  );
}
