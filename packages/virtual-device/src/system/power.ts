/** What a lock screen asks for; `null` is a swipe. */
export interface Credential {
  readonly kind: 'pin' | 'password';
  readonly secret: string;
}

/** The screen, on or off, and the lock screen (keyguard) over the apps. */
export class Power {
  readonly #showApps: (visible: boolean) => Promise<void>;
  #awake = true;
  #locked = false;
  #typed = '';
  /** `locksettings set-disabled`: as most devices for tests are set up. */
  lockDisabled = true;
  credential: Credential | null = null;

  /** @param showApps hears when apps are no longer seen, and when they are again */
  constructor(showApps: (visible: boolean) => Promise<void>) {
    this.#showApps = showApps;
  }

  get awake(): boolean {
    return this.#awake;
  }

  /** The lock screen hides what is in front. */
  get locked(): boolean {
    return this.#locked;
  }

  get secure(): boolean {
    return this.credential !== null;
  }

  /** Apps are seen and get touches. */
  get interactive(): boolean {
    return this.#awake && !this.#locked;
  }

  async sleep(): Promise<void> {
    this.#awake = false;
    this.#lock();
    await this.#showApps(false);
  }

  async wake(): Promise<void> {
    this.#awake = true;
    if (!this.#locked) await this.#showApps(true);
  }

  /** After a reboot: awake, and locked if there is a lock. */
  async boot(): Promise<void> {
    this.#awake = true;
    this.#lock();
    await this.#showApps(!this.#locked);
  }

  /** A swipe up, the menu key, `wm dismiss-keyguard`: enough where nothing secret is asked for. */
  async dismiss(): Promise<void> {
    if (this.#awake && this.#locked && !this.secure) await this.#unlock();
  }

  /** Keys typed at the lock screen. */
  type(text: string): void {
    if (this.#locked) this.#typed += text;
  }

  /** ENTER at the lock screen; what was typed is forgotten. */
  async enter(): Promise<void> {
    const typed = this.#typed;
    this.#typed = '';
    if (this.#awake && this.#locked && this.credential?.secret === typed) await this.#unlock();
  }

  #lock(): void {
    this.#locked = this.secure || !this.lockDisabled;
    this.#typed = '';
  }

  async #unlock(): Promise<void> {
    this.#locked = false;
    await this.#showApps(true);
  }
}
