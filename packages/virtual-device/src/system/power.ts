/** What a lock screen asks for; `null` is a swipe. */
export interface Credential {
  readonly kind: 'pin' | 'password';
  readonly secret: string;
}

/** What apps know of the screen. */
export interface ScreenState {
  readonly awake: boolean;
  /** The lock screen (keyguard) is there, seen or with an activity over it. */
  readonly locked: boolean;
  /** It asks for a PIN or a password. */
  readonly secure: boolean;
}

/** What became of the wish to be rid of the lock screen, in the words of `KeyguardDismissCallback`. */
export type Dismissal = 'succeeded' | 'cancelled' | 'error';

export type ScreenBroadcast = 'SCREEN_OFF' | 'SCREEN_ON' | 'USER_PRESENT';

interface PowerHost {
  /** The state of the screen is another one; resolves when apps are hidden or shown accordingly. */
  changed(): Promise<void>;
  /** Whether what is in front may be seen over a lock screen. */
  occludes(): boolean;
  broadcast(action: ScreenBroadcast): void;
}

/** The screen, on or off, and the lock screen over the apps. */
export class Power {
  readonly #host: PowerHost;
  #awake = true;
  #locked = false;
  /** The lock screen asks for its credential, over everything (the "bouncer"). */
  #asking = false;
  #typed = '';
  #lockDisabled = true;
  #credential: Credential | null = null;
  #waiting: ((outcome: Dismissal) => void)[] = [];

  constructor(host: PowerHost) {
    this.#host = host;
  }

  get awake(): boolean {
    return this.#awake;
  }

  /** The lock screen is there. */
  get locked(): boolean {
    return this.#locked;
  }

  get secure(): boolean {
    return this.#credential !== null;
  }

  get state(): ScreenState {
    return { awake: this.awake, locked: this.locked, secure: this.secure };
  }

  /** An activity is seen instead of the lock screen. */
  get occluded(): boolean {
    return this.#locked && !this.#asking && this.#host.occludes();
  }

  /** The lock screen is what is seen, and what gets touches. */
  get lockShown(): boolean {
    return this.#locked && !this.occluded;
  }

  /** Apps are seen and get touches. */
  get interactive(): boolean {
    return this.#awake && !this.lockShown;
  }

  /** `locksettings set-disabled`: as most devices for tests are set up. */
  get lockDisabled(): boolean {
    return this.#lockDisabled;
  }

  get credential(): Credential | null {
    return this.#credential;
  }

  async setLockDisabled(disabled: boolean): Promise<void> {
    this.#lockDisabled = disabled;
    await this.#host.changed();
  }

  async setCredential(credential: Credential | null): Promise<void> {
    this.#credential = credential;
    if (credential) this.#lockDisabled = false;
    await this.#host.changed();
  }

  async sleep(): Promise<void> {
    const was = this.#awake;
    this.#awake = false;
    this.#lock();
    this.#answer('cancelled');
    await this.#host.changed();
    if (was) this.#host.broadcast('SCREEN_OFF');
  }

  async wake(): Promise<void> {
    const was = this.#awake;
    this.#awake = true;
    await this.#host.changed();
    if (was) return;
    this.#host.broadcast('SCREEN_ON');
    // Without a lock screen there is nothing that could go away later (AOSP `maybeSendUserPresentBroadcast`).
    if (!this.#locked) this.#host.broadcast('USER_PRESENT');
    else if (this.#waiting.length > 0) await this.ask();
  }

  /** After a reboot: awake, and locked if there is a lock. */
  async boot(): Promise<void> {
    this.#awake = true;
    this.#lock();
    await this.#host.changed();
  }

  /** A swipe up, the menu key, `wm dismiss-keyguard`: enough where nothing secret is asked for. */
  async dismiss(): Promise<void> {
    if (this.#awake && this.#locked && !this.secure) await this.#unlock();
  }

  /** The lock screen asks for its credential; one that has none goes away. */
  async ask(): Promise<void> {
    this.#asking = this.#locked && this.secure;
    await this.dismiss();
  }

  /** An app wants the lock screen away; a screen that is off waits for that until it is on. */
  async requestDismiss(): Promise<Dismissal> {
    if (!this.#locked) return 'error';
    const outcome = new Promise<Dismissal>((resolve) => this.#waiting.push(resolve));
    if (this.#awake) await this.ask();
    return outcome;
  }

  /** BACK at the lock screen: it asks no more. */
  back(): void {
    this.#asking = false;
    this.#typed = '';
    this.#answer('cancelled');
  }

  /** Keys typed at the lock screen. */
  type(text: string): void {
    if (this.lockShown) this.#typed += text;
  }

  /** ENTER at the lock screen; what was typed is forgotten. */
  async enter(): Promise<void> {
    const typed = this.#typed;
    this.#typed = '';
    if (this.#awake && this.#locked && this.#credential?.secret === typed) await this.#unlock();
  }

  #lock(): void {
    this.#locked = this.secure || !this.#lockDisabled;
    this.#asking = false;
    this.#typed = '';
  }

  async #unlock(): Promise<void> {
    this.#locked = false;
    this.#asking = false;
    await this.#host.changed();
    this.#answer('succeeded');
    this.#host.broadcast('USER_PRESENT');
  }

  #answer(outcome: Dismissal): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve(outcome);
  }
}
