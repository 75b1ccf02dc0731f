/**
 * What a Gradle file says, as far as plain text goes. Everything that would have to be run (operators, control flow,
 * placeholders) is `opaque`: kept with its line, never interpreted.
 */
export type Expr =
  | { readonly kind: 'text'; readonly value: string }
  /** A string with placeholders, as written: `g:a:$version`. */
  | { readonly kind: 'template'; readonly text: string }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'list'; readonly items: readonly Expr[] }
  | { readonly kind: 'chain'; readonly links: readonly Link[] }
  | { readonly kind: 'opaque'; readonly text: string };

/** `name`, `name(args)`, `name { block }` or `name(args) { block }` of a dotted chain. */
export interface Link {
  readonly name: string;
  readonly args: readonly Arg[] | null;
  readonly block: readonly Statement[] | null;
}

export interface Arg {
  readonly name: string | null;
  readonly value: Expr;
}

export type Statement =
  /** A call: `include(":app")`, `id("x") version "y"`, `android { }`; Groovy's calls without brackets too. */
  | {
      readonly kind: 'call';
      readonly line: number;
      readonly links: readonly Link[];
      /** What follows the first call without a dot: `version "1"`, `apply false`. */
      readonly infix: readonly { readonly name: string; readonly value: Expr }[];
    }
  | {
      readonly kind: 'assign';
      readonly line: number;
      readonly target: readonly Link[];
      readonly operator: '=' | '+=' | '-=';
      readonly value: Expr;
    }
  /** `val x = …`, `def x = …`. */
  | { readonly kind: 'define'; readonly line: number; readonly name: string; readonly value: Expr }
  | { readonly kind: 'import'; readonly line: number }
  | { readonly kind: 'opaque'; readonly line: number; readonly text: string };

export interface Script {
  readonly statements: readonly Statement[];
  /** The first thing that made the text unreadable, if anything. */
  readonly fault: { readonly line: number; readonly what: string } | null;
}

/** The dotted names of a chain without arguments: `a.b.c`; `null` for everything else. */
export function plainPath(links: readonly Link[]): string | null {
  return links.every((link) => link.args === null && link.block === null)
    ? links.map((link) => link.name).join('.')
    : null;
}
