/** One line of aapt2's `R.txt`: `int string app_name 0x7f0a0000`, `int[] styleable Bar { 0x7f010000 }`. */
export interface RSymbol {
  readonly type: string;
  readonly name: string;
  /** A Java expression. */
  readonly value: string;
  readonly isArray: boolean;
  /** For the index of an attribute in a styleable: that styleable. */
  readonly styleable: string | null;
}

/** Reads `R.txt`; lines of another form do not occur. */
export function parseRText(text: string): RSymbol[] {
  const symbols: RSymbol[] = [];
  let styleable: string | null = null;
  for (const line of text.split('\n')) {
    const match = /^(int|int\[\]) (\w+) ([\p{L}\p{N}_$]+) (.+?)\s*$/u.exec(line);
    const [, javaType, type = '', name = '', value = ''] = match ?? [];
    if (javaType === undefined) continue;
    const isArray = javaType === 'int[]';
    // The indexes of a styleable follow its array.
    if (isArray) styleable = name;
    symbols.push({
      type,
      name,
      value,
      isArray,
      styleable: !isArray && type === 'styleable' ? styleable : null,
    });
  }
  return symbols;
}

/** The source of an R class with the symbols that `owns` accepts (given as `type/name`). */
export function rClassSource(
  packageName: string,
  symbols: readonly RSymbol[],
  owns: (symbol: string) => boolean,
  nonFinal: boolean,
): string {
  const byType = new Map<string, RSymbol[]>();
  for (const symbol of symbols) {
    if (!owns(`${symbol.type}/${symbol.styleable ?? symbol.name}`)) continue;
    const list = byType.get(symbol.type);
    if (list) list.push(symbol);
    else byType.set(symbol.type, [symbol]);
  }
  const lines = [`package ${packageName};`, 'public final class R {', 'private R() {}'];
  for (const [type, members] of [...byType].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const fields = members.map(({ name, value, isArray, styleable }) => {
      // Indexes into an array are constants in the Android plug-in's classes too.
      const modifiers = isArray || styleable !== null || !nonFinal ? 'static final' : 'static';
      return `public ${modifiers} ${isArray ? 'int[]' : 'int'} ${name} = ${value};`;
    });
    // One line a type: class files hold line numbers, and a new id must not change the classes of the other types.
    lines.push(`public static final class ${type} { private ${type}() {} ${fields.join(' ')} }`);
  }
  lines.push('}', '');
  return lines.join('\n');
}
