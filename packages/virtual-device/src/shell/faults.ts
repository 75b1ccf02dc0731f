/** The script is not one: the message is what mksh would say. */
export class SyntaxProblem extends Error {
  /** More text may mend it: a quote or a block is open at the end. */
  readonly incomplete: boolean;

  constructor(message: string, incomplete = false) {
    super(message);
    this.incomplete = incomplete;
  }
}

/** An error that ends the shell: a bad substitution, a variable that is read-only. The message is mksh's. */
export class ShellFault extends Error {
  readonly status: number;

  constructor(message: string, status = 1) {
    super(message);
    this.status = status;
  }
}
