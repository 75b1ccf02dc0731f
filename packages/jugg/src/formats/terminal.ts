/** Columns of the terminals that wrap output in the middle of words. */
const COLUMNS = 80;

/**
 * Joins lines that a terminal wrapped at 80 columns. Only when the whole text was wrapped: no line is longer, and
 * lines of exactly that length are followed by something that goes on. A text that merely has some lines of 80
 * characters is told apart by `isStart`, which knows how lines of this output begin.
 */
export function unwrap(text: string, isStart: (line: string) => boolean): string {
  const lines = text.split('\n');
  const full = lines.some((line) => line.length === COLUMNS);
  if (!full || lines.some((line) => line.length > COLUMNS)) return text;
  const joined: string[] = [];
  let open = false;
  for (const line of lines) {
    const before = joined.at(-1);
    if (open && before !== undefined && line !== '' && !isStart(line))
      joined[joined.length - 1] = before + line;
    else joined.push(line);
    open = line.length === COLUMNS;
  }
  return joined.join('\n');
}

/** Standard output and error as one text: tools and releases put the same line on different ones. */
export function bothStreams(stdout: string, stderr: string): string {
  return [stdout, stderr]
    .filter((text) => text.trim() !== '')
    .join('\n')
    .replaceAll('\r\n', '\n');
}
