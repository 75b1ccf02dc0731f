import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Space } from '../fs/space.ts';
import type { ByteSource } from '../io/bytes.ts';

export interface InstallParams {
  readonly replace: boolean;
  readonly allowDowngrade: boolean;
  readonly allowTest: boolean;
  readonly grantAll: boolean;
  readonly dontKill: boolean;
  readonly installer: string | null;
  /** `-p`: only splits are added to what is there. */
  readonly inherit: string | null;
}

/** An install in progress: files are staged in `/data/app/vmdl<id>.tmp`. */
export interface Session {
  readonly id: number;
  readonly params: InstallParams;
  /** Host folder of the staged files. */
  readonly folder: string;
  /** The same, as the device names it. */
  readonly shownFolder: string;
  /** Names of the staged files in the order of writing. */
  readonly files: string[];
}

/** Install sessions by id. */
export class Sessions {
  readonly #appFolder: string;
  readonly #space: Space;
  readonly #open = new Map<number, Session>();
  #nextId: number;

  /** `appFolder` is `/data/app` on the host; `seed` makes ids differ from those of an earlier run. */
  constructor(appFolder: string, seed: number, space: Space) {
    this.#appFolder = appFolder;
    this.#space = space;
    this.#nextId = 100_000_000 + (seed % 800_000_000);
  }

  /** Whether an APK of so many bytes fits: the package manager looks before it takes one. */
  fits(bytes: number): boolean {
    const free = this.#space.free();
    return free === null || bytes <= free;
  }

  async create(params: InstallParams): Promise<Session> {
    const id = this.#nextId++;
    const name = `vmdl${id}.tmp`;
    const folder = join(this.#appFolder, name);
    await mkdir(folder, { recursive: true, mode: 0o775 });
    const session: Session = { id, params, folder, shownFolder: `/data/app/${name}`, files: [] };
    this.#open.set(id, session);
    return session;
  }

  get(id: number): Session | undefined {
    return this.#open.get(id);
  }

  /** Writes a file of exactly `size` bytes, or says what kept it. */
  async write(
    session: Session,
    name: string,
    source: ByteSource,
    size: number,
  ): Promise<'written' | 'short' | 'full'> {
    const file = await open(join(session.folder, name), 'w', 0o644);
    let left = size;
    try {
      while (left > 0) {
        const chunk = await source.read();
        if (chunk === null) break;
        const part = chunk.subarray(0, left);
        left -= part.length;
        if (!this.#space.take(part.length)) return 'full';
        await file.writeFile(part);
      }
    } finally {
      await file.close();
    }
    if (!session.files.includes(name)) session.files.push(name);
    return left === 0 ? 'written' : 'short';
  }

  /** Forgets the session and removes what is staged. */
  async abandon(session: Session): Promise<void> {
    this.#open.delete(session.id);
    await rm(session.folder, { recursive: true, force: true });
  }
}
