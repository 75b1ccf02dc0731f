/** Numbers of the inspector start at 1; those given here must never be taken for one of them. */
const FIRST = 1_000_001;

/**
 * Refs for trees of tools that know no identity: a node is the same as long as it stands at the same place with the
 * same class and id. A screen that was rebuilt otherwise gives other refs, so a stale one finds nothing.
 */
export class HostRefs {
  #known = new Map<string, number>();
  #now = new Map<string, number>();
  #last = FIRST - 1;

  /** Begins a new tree; places that the last one did not have are forgotten. */
  begin(): void {
    this.#known = this.#now;
    this.#now = new Map();
  }

  of(place: string): string {
    const number = this.#known.get(place) ?? (this.#last += 1);
    this.#now.set(place, number);
    return `e${number}`;
  }
}
