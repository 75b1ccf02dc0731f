/** Reads `getprop` without arguments: `[name]: [value]`; values may go over several lines. */
export function parseProperties(output: string): ReadonlyMap<string, string> {
  const found = output.replaceAll('\r\n', '\n').matchAll(/^\[([^\]\n]+)\]: \[([\s\S]*?)\]$/gm);
  return new Map([...found].map((line) => [line[1] ?? '', line[2] ?? '']));
}

export interface ListedProcess {
  readonly pid: number;
  readonly user: string;
  readonly name: string;
}

/**
 * Reads `ps` of all releases: before Android 8 without options, since then with `-A`, with or without `-o`. The
 * columns are found by their headings.
 */
export function parseProcesses(output: string): ListedProcess[] {
  const [heading = '', ...lines] = output.split(/\r?\n/);
  const columns = heading.trim().split(/\s+/);
  const pid = columns.indexOf('PID');
  const user = columns.indexOf('USER');
  if (pid < 0) return [];
  const processes: ListedProcess[] = [];
  for (const line of lines) {
    const cells = line.trim().split(/\s+/);
    const number = Number(cells[pid]);
    // The name is last; before Android 8 a column without a heading (the state letter) stands before it.
    if (cells.length < columns.length || !Number.isInteger(number)) continue;
    processes.push({ pid: number, user: cells[user] ?? '', name: cells.at(-1) ?? '' });
  }
  return processes;
}
