import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** So much passes between two looks; each leaves about as much behind. */
const SWEEP_BYTES = 8 * 1024 * 1024;
/** How long nothing passes before a transfer counts as over; also of the start. */
const QUIET_MS = 1000;

type Collect = (options?: { readonly type: 'minor' }) => void;

/**
 * Buffers of transfers are outside of V8's heap, which so grows slowly and is collected too late: 30 MB lie about after
 * 100 that passed. Here somebody counts, and has them collected: a young collection takes less than a millisecond, one
 * of everything some 20, when nothing has happened for a second.
 */
export class Litter {
  readonly #collect: Collect;
  #bytes = 0;
  #quiet: NodeJS.Timeout | null = null;

  /** What the start has left counts as well. */
  constructor(collect: Collect = collector()) {
    this.#collect = collect;
    this.#whenQuiet();
  }

  passed(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes >= SWEEP_BYTES) {
      this.#bytes = 0;
      this.#collect({ type: 'minor' });
      this.#whenQuiet();
    } else this.#quiet?.refresh();
  }

  #whenQuiet(): void {
    if (this.#quiet) {
      this.#quiet.refresh();
      return;
    }
    this.#quiet = setTimeout(() => {
      this.#quiet = null;
      // The first finds what the second frees: what has a finaliser, code that was compiled and is not used.
      this.#collect();
      this.#collect();
    }, QUIET_MS);
    this.#quiet.unref();
  }
}

/** V8's own, which Node hides unless it is asked for; what it answers is not used. */
function collector(): Collect {
  setFlagsFromString('--expose-gc');
  const found: unknown = runInNewContext('gc');
  return typeof found === 'function'
    ? (options) => void Reflect.apply(found, undefined, options ? [options] : [])
    : () => {};
}
