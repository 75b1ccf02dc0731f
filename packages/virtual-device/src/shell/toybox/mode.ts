/** `644`, `u+x`, `go-w,a=r`: the permission bits that come out of `now`, or `null` when it is no mode. */
export function parseMode(text: string, now: number): number | null {
  if (/^[0-7]{1,4}$/.test(text)) return Number.parseInt(text, 8);
  let mode = now;
  for (const clause of text.split(',')) {
    const match = /^([ugoa]*)([-+=])([rwxXst]*)$/.exec(clause);
    if (!match) return null;
    const [, who = '', operator = '', what = ''] = match;
    let bits = 0;
    for (const letter of what) bits |= { r: 0o444, w: 0o222, x: 0o111, X: 0o111 }[letter] ?? 0;
    let mask = 0;
    for (const letter of who === '' ? 'a' : who)
      mask |= { u: 0o700, g: 0o070, o: 0o007, a: 0o777 }[letter] ?? 0;
    if (operator === '+') mode |= bits & mask;
    else if (operator === '-') mode &= ~(bits & mask);
    else mode = (mode & ~mask) | (bits & mask);
  }
  return mode;
}

/** `-rw-r--r--` */
export function modeString(kind: 'file' | 'directory' | 'link' | 'char', mode: number): string {
  const type = { file: '-', directory: 'd', link: 'l', char: 'c' }[kind];
  const letters = 'rwxrwxrwx';
  return type + Array.from(letters, (letter, index) => (mode & (0o400 >> index) ? letter : '-')).join('');
}
