/** What became of a line of the compact text since the dump before. */
const NEW = '+ ';
const GONE = '- ';
const CHANGED = '~ ';

/**
 * The lines of one compact text that are not in an earlier one, by the ref that each begins with: `+` new, `~` changed,
 * `-` gone (as it was). Window lines and the head have no ref and count by themselves; depth does not.
 */
export function diffLayouts(before: string, after: string): string {
  const old = byKey(before);
  const now = byKey(after);
  const lines: string[] = [];
  for (const [key, line] of now) {
    const was = old.get(key);
    if (was === undefined) lines.push(NEW + line);
    else if (was !== line) lines.push(CHANGED + line);
  }
  for (const [key, line] of old) if (!now.has(key)) lines.push(GONE + line);
  return lines.length === 0 ? 'nothing has changed' : lines.join('\n');
}

function byKey(text: string): ReadonlyMap<string, string> {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return new Map(lines.map((line) => [/^e\d+\b/.exec(line)?.[0] ?? line, line]));
}
