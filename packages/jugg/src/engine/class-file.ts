/** The class file that a dex file of a build state was made of; it lies beside it. */
export function classFileOf(dex: string): string {
  return dex.replace(/\.dex$/, '.class');
}
