/** Cuts a stream of UTF-8 chunks into lines; `push` answers the lines that a chunk completes. */
export class LineSplitter {
  readonly #decoder = new TextDecoder('utf-8');
  /** Parts of the line that is not complete yet: long lines (screenshots) come in many chunks. */
  #parts: string[] = [];

  push(chunk: Uint8Array): string[] {
    const text = this.#decoder.decode(chunk, { stream: true });
    const pieces = text.split('\n');
    const rest = pieces.pop() ?? '';
    const lines: string[] = [];
    for (const piece of pieces) {
      lines.push(this.#parts.join('') + piece);
      this.#parts = [];
    }
    if (rest !== '') this.#parts.push(rest);
    return lines;
  }
}
