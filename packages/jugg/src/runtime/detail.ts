const HEAD_BYTES = 4096;
const TAIL_BYTES = 4096;

/**
 * Keeps the first and the last 4 KiB (UTF-8) of a text that may grow without end, cut between characters. Feeds the
 * `detail` of a job, while the whole text goes to its log file.
 */
export class Detail {
  #head = '';
  #headBytes = 0;
  #tail = '';
  #length = 0;

  add(text: string): void {
    this.#length += Buffer.byteLength(text);
    const rest = this.#fillHead(text);
    if (rest === '') return;
    this.#tail += rest;
    // Characters are at most 4 bytes: what is kept here is always enough for the tail, and never grows.
    if (this.#tail.length > 4 * TAIL_BYTES) this.#tail = this.#tail.slice(-2 * TAIL_BYTES);
  }

  #fillHead(text: string): string {
    if (this.#tail !== '') return text;
    let used = 0;
    for (const character of text) {
      const bytes = Buffer.byteLength(character);
      if (this.#headBytes + bytes > HEAD_BYTES) return text.slice(used);
      this.#head += character;
      this.#headBytes += bytes;
      used += character.length;
    }
    return '';
  }

  /** `detailLength` is the length of the whole text in bytes. */
  fields(): { detail: string; detailLength: number; detailTruncated: boolean } {
    const tail = lastBytes(this.#tail, TAIL_BYTES);
    const kept = this.#headBytes + Buffer.byteLength(tail);
    return { detail: this.#head + tail, detailLength: this.#length, detailTruncated: kept < this.#length };
  }
}

function lastBytes(text: string, limit: number): string {
  const characters = Array.from(text);
  let bytes = 0;
  let from = characters.length;
  while (from > 0) {
    bytes += Buffer.byteLength(characters[from - 1] ?? '');
    if (bytes > limit) break;
    from -= 1;
  }
  return characters.slice(from).join('');
}
