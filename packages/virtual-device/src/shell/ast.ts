/** What the parser makes of a script: POSIX shell, and what Android's mksh adds to it. */

/** The element of an array that is meant: `x[1]`, or all of them. */
export type Subscript = { readonly all: '@' | '*' } | { readonly at: Word };

export type WordPart =
  | { readonly kind: 'text'; readonly text: string; readonly quoted: boolean }
  /** `$name`, `${name}`, `${#name}`, `${!name}`, `${name<op>word}`, `${name<op>word<second>}` (see `parameters.ts`) */
  | {
      readonly kind: 'param';
      readonly name: string;
      readonly subscript: Subscript | null;
      readonly op: string;
      readonly word: Word;
      /** The replacement of `/`, the length of `:`. */
      readonly second: Word | null;
      readonly quoted: boolean;
    }
  /** `$( … )` or backquotes */
  | { readonly kind: 'command'; readonly script: Script; readonly quoted: boolean }
  /** `$(( … ))` */
  | { readonly kind: 'arith'; readonly expression: Word; readonly quoted: boolean };

export type Word = readonly WordPart[];

export interface Redirect {
  readonly fd: number;
  /** `<<`: the target is the text of a here-document. `>|`: also where `noclobber` is set. */
  readonly op: '<' | '>' | '>|' | '>>' | '>&' | '<&' | '<<<' | '<<' | '<>';
  readonly target: Word;
}

/** `name=value`, `name+=value`, `name[i]=value`, `name=(…)`. */
export interface Assign {
  readonly name: string;
  readonly subscript: Word | null;
  readonly append: boolean;
  readonly value: Word | { readonly elements: readonly Word[] };
}

/** What stands in `[[ … ]]`. */
export type Condition =
  | { readonly kind: 'not'; readonly operand: Condition }
  | { readonly kind: 'and' | 'or'; readonly left: Condition; readonly right: Condition }
  | { readonly kind: 'unary'; readonly op: string; readonly word: Word }
  | { readonly kind: 'binary'; readonly op: string; readonly left: Word; readonly right: Word };

export interface Script {
  readonly kind: 'list';
  /** `end` says what follows the item: nothing, or how it is joined to the next. */
  readonly items: readonly {
    readonly node: Node;
    readonly end: ';' | '&' | '&&' | '||';
    /** As it stands in the script: what `jobs` shows. */
    readonly text: string;
  }[];
}

interface Redirected {
  readonly redirects: readonly Redirect[];
}

export type Simple = Redirected & {
  readonly kind: 'simple';
  readonly assigns: readonly Assign[];
  readonly words: readonly Word[];
  /** From 1. */
  readonly line: number;
};

export type Pipeline = {
  readonly kind: 'pipeline';
  readonly negate: boolean;
  /** Behind `time`: how long it took is printed. */
  readonly timed: boolean;
  readonly commands: readonly Node[];
};

/** How an arm of `case` ends: `;;`, `;&` (the next one's body is run, too) or `;|` (the next ones are looked at). */
export type ArmEnd = 'leave' | 'fall' | 'test';

export type Compound = Redirected &
  (
    | { readonly kind: 'group' | 'subshell'; readonly body: Script }
    | {
        readonly kind: 'if';
        readonly branches: readonly { readonly test: Script; readonly body: Script }[];
        readonly otherwise: Script | null;
      }
    | { readonly kind: 'loop'; readonly until: boolean; readonly test: Script; readonly body: Script }
    | {
        readonly kind: 'for' | 'select';
        readonly name: string;
        readonly words: readonly Word[] | null;
        readonly body: Script;
      }
    | {
        readonly kind: 'case';
        readonly subject: Word;
        readonly arms: readonly {
          readonly patterns: readonly Word[];
          readonly body: Script;
          readonly end: ArmEnd;
        }[];
      }
    /** `[[ … ]]` */
    | { readonly kind: 'condition'; readonly condition: Condition }
    /** `(( … ))` */
    | { readonly kind: 'arithmetic'; readonly expression: Word }
  );

export type Node =
  | Script
  | Pipeline
  | Simple
  | Compound
  /** `name() body`: defines it. `ownName`: Korn's `function name`, for which `$0` is the name. */
  | { readonly kind: 'function'; readonly name: string; readonly ownName: boolean; readonly body: Node };
