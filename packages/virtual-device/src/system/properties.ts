/** The property service: `ro.*` is written at boot only, the shell may write some others. */
export class Properties {
  readonly #values: Map<string, string>;

  constructor(boot: ReadonlyMap<string, string>) {
    this.#values = new Map(boot);
  }

  get(name: string): string {
    return this.#values.get(name) ?? '';
  }

  /** False where a phone refuses the shell. */
  setByShell(name: string, value: string): boolean {
    const allowed = /^(debug\.|log\.|persist\.log\.|persist\.debug\.|persist\.jugg\.|jugg\.)/.test(name);
    if (!allowed || value.length > 91) return false;
    this.#values.set(name, value);
    return true;
  }

  set(name: string, value: string): void {
    this.#values.set(name, value);
  }

  /** Sorted by name. */
  all(): readonly (readonly [string, string])[] {
    return [...this.#values].sort(([a], [b]) => (a < b ? -1 : 1));
  }
}
