/** Apps on devices that are remembered; whichever was not looked at for longest is forgotten. */
const KEPT = 50;

/** The last dump of each app on each device, as compact text: what `diff` compares with. */
export class LastDumps {
  readonly #texts = new Map<string, string>();

  /** Remembers this dump; the one before it, if there was one. */
  exchange(serial: string, packageName: string, text: string): string | undefined {
    const key = `${serial}\n${packageName}`;
    const before = this.#texts.get(key);
    this.#texts.delete(key);
    this.#texts.set(key, text);
    const [oldest] = this.#texts.keys();
    if (this.#texts.size > KEPT && oldest !== undefined) this.#texts.delete(oldest);
    return before;
  }
}
