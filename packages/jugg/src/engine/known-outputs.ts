/** What is known to be there: looking for thousands of files takes longer than translating one. */
export class KnownOutputs {
  /** Absolute paths. */
  readonly files = new Set<string>();
  /** Lists of classes of which every file is there, by identity. */
  readonly lists = new WeakSet<object>();
}
