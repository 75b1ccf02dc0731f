import { plainPath, type Arg, type Expr, type Link, type Statement } from './ast.ts';

/**
 * One setting in a block, whichever way it is written: `x = v`, `x v`, `x(v)`, `x.set(v)`, `x { … }`. A dotted path
 * `a.b = v` is a setting `a` whose block holds `b = v`.
 */
export interface Entry {
  readonly line: number;
  readonly name: string;
  readonly operator: '=' | '+=' | '-=' | 'call';
  readonly args: readonly Arg[];
  readonly block: readonly Statement[] | null;
  readonly infix: readonly { readonly name: string; readonly value: Expr }[];
}

/** Values of variables that are plain texts, numbers or truth values, by name. */
export type Variables = ReadonlyMap<string, Expr>;

/**
 * The settings of a block. What is not a setting (control flow, computed variables) goes to `refuse`. Variables that
 * the block defines are added to `variables`.
 */
export function entriesOf(
  block: readonly Statement[],
  variables: Map<string, Expr>,
  refuse: (line: number, what: string) => void,
): Entry[] {
  const entries: Entry[] = [];
  for (const statement of block) {
    if (statement.kind === 'opaque') refuse(statement.line, `code that must be run: \`${statement.text}\``);
    // A computed variable only matters where it is used, and there it is refused.
    else if (statement.kind === 'define') {
      variables.set(statement.name, resolve(statement.value, variables));
    } else if (statement.kind !== 'import') entries.push(entryOf(statement));
  }
  return entries;
}

function entryOf(statement: Extract<Statement, { kind: 'assign' | 'call' }>): Entry {
  const { line } = statement;
  if (statement.kind === 'assign') {
    const args = [{ name: null, value: statement.value }];
    return fold(line, statement.target, statement.operator, args, null, []);
  }
  const { links, infix } = statement;
  const last = links.at(-1);
  const before = links.at(-2);
  const [value] = last?.args ?? [];
  // `x.set(v)` is how a lazy property is assigned.
  if (last?.name === 'set' && before && before.args === null && value !== undefined) {
    return fold(line, links.slice(0, -1), '=', [value], null, []);
  }
  return fold(line, links, 'call', last?.args ?? [], last?.block ?? null, infix);
}

function fold(
  line: number,
  links: readonly Link[],
  operator: Entry['operator'],
  args: Entry['args'],
  block: Entry['block'],
  infix: Entry['infix'],
): Entry {
  const [first, ...rest] = links;
  const name = first?.name ?? '';
  if (rest.length === 0) return { line, name, operator, args, block, infix };
  const inner: Statement =
    operator === 'call'
      ? { kind: 'call', line, links: rest, infix }
      : {
          kind: 'assign',
          line,
          target: rest,
          operator,
          value: args[0]?.value ?? { kind: 'opaque', text: '' },
        };
  return {
    line,
    name,
    operator: 'call',
    args: first?.args ?? [],
    block: [...(first?.block ?? []), inner],
    infix: [],
  };
}

/** Replaces names of known variables by their values, in placeholders too; everything else stays as it is. */
export function resolve(value: Expr, variables: Variables): Expr {
  if (value.kind === 'chain') {
    const path = plainPath(value.links);
    const known =
      path === null ? undefined : variables.get(path.replace(/^(rootProject\.)?(ext|extra)\./, ''));
    return known ?? value;
  }
  if (value.kind !== 'template') return value;
  let complete = true;
  const text = value.text.replace(
    /\$\{([^}]*)\}|\$([\p{L}_][\p{L}\p{N}_]*)/gu,
    (_all, braced: string | undefined, bare: string | undefined) => {
      const name = (braced ?? bare ?? '').trim().replace(/^(rootProject\.)?(ext|extra)\./, '');
      const known = variables.get(name);
      if (known?.kind === 'text' || known?.kind === 'number') return String(known.value);
      complete = false;
      return '';
    },
  );
  return complete ? { kind: 'text', value: text } : value;
}
