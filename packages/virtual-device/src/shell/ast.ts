/** What the parser makes of a script: the part of POSIX shell that tools on the host send to a device. */

export type WordPart =
  | { readonly kind: 'text'; readonly text: string; readonly quoted: boolean }
  /** `$name`, `${name}`, `${#name}`, `${name<op>word}` */
  | {
      readonly kind: 'param';
      readonly name: string;
      readonly op: string;
      readonly word: Word;
      readonly quoted: boolean;
    }
  /** `$( … )` or backquotes */
  | { readonly kind: 'command'; readonly script: Script; readonly quoted: boolean }
  /** `$(( … ))` */
  | { readonly kind: 'arith'; readonly expression: Word; readonly quoted: boolean };

export type Word = readonly WordPart[];

export interface Redirect {
  readonly fd: number;
  /** `<<`: the target is the text of a here-document. */
  readonly op: '<' | '>' | '>>' | '>&' | '<&' | '<<<' | '<<';
  readonly target: Word;
}

export interface Script {
  readonly kind: 'list';
  /** `end` says what follows the item: nothing, or how it is joined to the next. */
  readonly items: readonly { readonly node: Node; readonly end: ';' | '&' | '&&' | '||' }[];
}

export type Node =
  | Script
  | { readonly kind: 'pipeline'; readonly negate: boolean; readonly commands: readonly Node[] }
  | {
      readonly kind: 'simple';
      readonly assigns: readonly { readonly name: string; readonly value: Word }[];
      readonly words: readonly Word[];
      readonly redirects: readonly Redirect[];
    }
  | { readonly kind: 'group' | 'subshell'; readonly body: Script; readonly redirects: readonly Redirect[] }
  | {
      readonly kind: 'if';
      readonly branches: readonly { readonly test: Script; readonly body: Script }[];
      readonly otherwise: Script | null;
      readonly redirects: readonly Redirect[];
    }
  | {
      readonly kind: 'loop';
      readonly until: boolean;
      readonly test: Script;
      readonly body: Script;
      readonly redirects: readonly Redirect[];
    }
  | {
      readonly kind: 'for';
      readonly name: string;
      readonly words: readonly Word[] | null;
      readonly body: Script;
      readonly redirects: readonly Redirect[];
    }
  /** `name() body`: defines it. */
  | { readonly kind: 'function'; readonly name: string; readonly body: Node }
  | {
      readonly kind: 'case';
      readonly subject: Word;
      readonly arms: readonly { readonly patterns: readonly Word[]; readonly body: Script }[];
      readonly redirects: readonly Redirect[];
    };
