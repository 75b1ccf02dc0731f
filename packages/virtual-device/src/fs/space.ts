import type { FileHandle } from 'node:fs/promises';

/** How much can still be written on the device. */
export interface Space {
  /** Takes room for `bytes`; false when there is not so much left. */
  take(bytes: number): boolean;
  /** Bytes; `null` when only the host's disk is the limit. */
  free(): number | null;
}

export const HOST_SPACE: Space = { take: () => true, free: () => null };

/** A file that is open for writing. */
export type OpenFile = Pick<FileHandle, 'writeFile' | 'close'>;

/** Refuses to write where there is no room, as the kernel does. */
export function limited(file: FileHandle, space: Space): OpenFile {
  return {
    async writeFile(data) {
      const size = typeof data === 'string' || ArrayBuffer.isView(data) ? Buffer.byteLength(data) : 0;
      if (!space.take(size)) throw new NoSpace();
      await file.writeFile(data);
    },
    close: () => file.close(),
  };
}

export class NoSpace extends Error {
  readonly code = 'ENOSPC';

  constructor() {
    super('No space left on device');
  }
}
