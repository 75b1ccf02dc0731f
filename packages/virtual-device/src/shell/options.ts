/** The options of `set` that mean something here, with their letters. */
const LETTERS = {
  allexport: 'a',
  errexit: 'e',
  noglob: 'f',
  nounset: 'u',
  noclobber: 'C',
  xtrace: 'x',
} as const;

/** mksh knows these, too (its manual, "set"); they change nothing here. */
const OTHERS: Readonly<Record<string, string>> = {
  noexec: 'n',
  verbose: 'v',
  monitor: 'm',
  trackall: 'h',
  privileged: 'p',
  notify: 'b',
  keyword: 'k',
  interactive: 'i',
};
const NAMES_ONLY = [
  'pipefail',
  'posix',
  'sh',
  'braceexpand',
  'emacs',
  'gmacs',
  'vi',
  'ignoreeof',
  'inherit-xtrace',
  'bgnice',
  'login',
  'markdirs',
  'nohup',
  'nolog',
  'physical',
  'stdin',
  'utf8-mode',
];
const ON_AT_FIRST = ['braceexpand', 'inherit-xtrace', 'nohup', 'trackall'];

export type OptionName = keyof typeof LETTERS | 'pipefail' | 'braceexpand';

/** The options of one shell. */
export class Options {
  readonly #on: Set<string>;

  constructor(on: Iterable<string> = ON_AT_FIRST) {
    this.#on = new Set(on);
  }

  copy(): Options {
    return new Options(this.#on);
  }

  has(name: OptionName): boolean {
    return this.#on.has(name);
  }

  /** Of any option that `set -o` knows. */
  isOn(name: string): boolean {
    return this.#on.has(name);
  }

  /** By name (`errexit`) or letter (`e`); false when there is none. */
  change(which: string, on: boolean): boolean {
    const byLetter = Object.entries({ ...LETTERS, ...OTHERS }).find(([, letter]) => letter === which)?.[0];
    const name = which.length === 1 ? byLetter : ALL_OPTIONS.find((each) => each === which);
    if (name === undefined) return false;
    if (on) this.#on.add(name);
    else this.#on.delete(name);
    return true;
  }

  /** `$-` */
  letters(): string {
    const all = Object.entries({ ...LETTERS, ...OTHERS }).sort(([a], [b]) => (a < b ? -1 : 1));
    const set = all.filter(([name]) => this.#on.has(name)).map(([, letter]) => letter);
    return [...set, 'c'].join('');
  }

  /** What `set -o` prints. */
  table(): string {
    const lines = ALL_OPTIONS.map((name) => `${name.padEnd(15)}${this.#on.has(name) ? 'on' : 'off'}\n`);
    return ['Current option settings\n', ...lines].join('');
  }

  /** What `set +o` prints: a command that sets the same ones. */
  command(): string {
    const set = ALL_OPTIONS.filter((name) => this.#on.has(name)).map((name) => ` -o ${name}`);
    return `set -o .reset${set.join('')}\n`;
  }
}

/** Every name that `set -o` knows. */
export const ALL_OPTIONS: readonly string[] = [
  ...Object.keys(LETTERS),
  ...Object.keys(OTHERS),
  ...NAMES_ONLY,
].sort();
