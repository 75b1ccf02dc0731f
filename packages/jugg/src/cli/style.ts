export interface Style {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
}

/** Colours only on a terminal, and never against the user's wish (`NO_COLOR`, no-color.org). */
export function styleFor(
  stream: { isTTY?: boolean },
  color: boolean,
  env: NodeJS.ProcessEnv = process.env,
): Style {
  const on = color && stream.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
  const paint = (code: number) => (text: string) => (on ? `\u001B[${code}m${text}\u001B[0m` : text);
  return { bold: paint(1), dim: paint(2), red: paint(31), green: paint(32) };
}
