import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { z } from 'zod';
import { systemErrorCode } from '../shared/files.ts';
import { digest } from './changes.ts';

export type Stored<T> =
  | { readonly ok: true; readonly value: T }
  /** Why there is nothing to use; `missing` when nothing was ever stored. */
  | { readonly ok: false; readonly reason: string; readonly missing: boolean };

/**
 * A value in a file: one line with format number and digest, then JSON. Written whole or not at all; what is cut short,
 * changed by hand or written by another version of Jugg is not used, with the reason.
 */
export class StoredJson<T> {
  readonly path: string;
  readonly #format: number;
  readonly #schema: z.ZodType<T>;

  constructor(path: string, format: number, schema: z.ZodType<T>) {
    this.path = path;
    this.#format = format;
    this.#schema = schema;
  }

  /** Answers the stamp of what was written, whatever somebody else writes meanwhile. */
  async save(value: T): Promise<string> {
    const body = JSON.stringify(value);
    const head = JSON.stringify({ format: this.#format, sha256: digest(body) });
    // Without a sync, which takes longer than a compile at times: what a power failure cuts short is seen by its digest.
    const part = `${this.path}.${randomUUID()}.tmp`;
    try {
      await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
      await writeFile(part, `${head}\n${body}`, { mode: 0o600 });
      const written = stampOf(await stat(part));
      await rename(part, this.path);
      return written;
    } finally {
      await rm(part, { force: true });
    }
  }

  async load(): Promise<Stored<T>> {
    const broken = (reason: string): Stored<T> => ({ ok: false, reason, missing: false });
    let text: string;
    try {
      text = await readFile(this.path, 'utf8');
    } catch (error) {
      return systemErrorCode(error) === 'ENOENT'
        ? { ok: false, reason: 'nothing was built yet', missing: true }
        : broken(`${this.path} cannot be read: ${String(error)}`);
    }
    const end = text.indexOf('\n');
    const head = text.slice(0, Math.max(end, 0));
    const body = text.slice(end + 1);
    const format = /^\{"format":(\d+),"sha256":"([0-9a-f]{64})"\}$/.exec(head);
    if (format === null) return broken(`${this.path} is damaged`);
    if (Number(format[1]) !== this.#format)
      return broken(`${this.path} was written by another version of Jugg`);
    if (format[2] !== digest(body)) return broken(`${this.path} is damaged`);
    const parsed = this.#schema.safeParse(JSON.parse(body));
    return parsed.success ? { ok: true, value: parsed.data } : broken(`${this.path} has another shape`);
  }
}

/** Tells one content of a file from another; a file keeps it when it is renamed. */
export function stampOf({ ino, mtimeMs, size }: Stats): string {
  return `${ino}:${mtimeMs}:${size}`;
}
