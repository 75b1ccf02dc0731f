/** The signal that ended a process by a fault of native code, or was sent to it for that; `null` for other ends. */
export function fatalSignal(code: number | null, signal: NodeJS.Signals | null): number | null {
  const numbers = { SIGILL: 4, SIGTRAP: 5, SIGABRT: 6, SIGBUS: 7, SIGFPE: 8, SIGSEGV: 11 } as const;
  const byName = Object.entries(numbers).find(([name]) => name === signal)?.[1];
  if (byName !== undefined) return byName;
  const all: readonly number[] = Object.values(numbers);
  return code !== null && all.includes(code - 128) ? code - 128 : null;
}
