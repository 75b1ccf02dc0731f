import { createHash } from 'node:crypto';
import { screenshot } from '../services/screencap.ts';
import type { Services } from '../services/services.ts';

/** A picture of the screen. */
export interface Frame {
  readonly sequence: number;
  readonly png: Buffer;
}

/** How often is looked whether the tree of views has changed: costs some ms of the app. */
const LOOK_MS = 250;
/** What draws without changing a view is seen by a picture; these get rarer while nothing happens. */
const FIRST_PICTURE_MS = 1000;
const LAST_PICTURE_MS = 8000;

/** Notices when the screen changes, while somebody watches; without a viewer it does nothing. */
export class ScreenWatch {
  readonly #services: Services;
  readonly #viewers = new Set<(frame: Frame) => void>();
  #frame: Frame | null = null;
  #wake: (() => void) | null = null;
  #poked = false;
  #looking = false;

  constructor(services: Services) {
    this.#services = services;
  }

  /** The newest frame is told at once, if there is one. Returns how to stop. */
  subscribe(viewer: (frame: Frame) => void): () => void {
    this.#viewers.add(viewer);
    if (this.#frame) viewer(this.#frame);
    this.poke();
    if (!this.#looking) void this.#look();
    return () => {
      this.#viewers.delete(viewer);
      this.#wake?.();
    };
  }

  /** Something was done that may change the screen: look now. */
  poke(): void {
    this.#poked = true;
    this.#wake?.();
  }

  get frame(): Frame | null {
    return this.#frame;
  }

  async #look(): Promise<void> {
    this.#looking = true;
    let seen = '';
    let pictureMs = FIRST_PICTURE_MS;
    let nextPicture = 0;
    while (this.#viewers.size > 0) {
      const poked = this.#poked;
      this.#poked = false;
      const state = await this.#state();
      if (poked || state !== seen) pictureMs = FIRST_PICTURE_MS;
      if (poked || state !== seen || performance.now() >= nextPicture) {
        const changed = await this.#picture();
        pictureMs = changed ? FIRST_PICTURE_MS : Math.min(pictureMs * 2, LAST_PICTURE_MS);
        nextPicture = performance.now() + pictureMs;
      }
      seen = state;
      await this.#pause();
    }
    this.#looking = false;
  }

  /** What the screen shows, as far as it can be known without drawing it. */
  async #state(): Promise<string> {
    const { apps, display, power } = this.#services;
    const dumped = power.interactive ? await apps.front?.port.request('viewDump', {}) : undefined;
    return digest(
      JSON.stringify([
        power.awake,
        power.lockShown,
        display.current,
        apps.front?.pid,
        dumped?.ok ? dumped.value : null,
      ]),
    );
  }

  async #picture(): Promise<boolean> {
    const png = await screenshot(this.#services);
    if (this.#frame?.png.equals(png)) return false;
    this.#frame = { sequence: (this.#frame?.sequence ?? 0) + 1, png };
    for (const viewer of this.#viewers) viewer(this.#frame);
    return true;
  }

  async #pause(): Promise<void> {
    if (this.#poked || this.#viewers.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, LOOK_MS);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = null;
  }
}

function digest(text: string): string {
  return createHash('sha1').update(text).digest('base64');
}
