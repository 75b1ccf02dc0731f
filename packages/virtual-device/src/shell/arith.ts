/** Integer arithmetic of `$(( … ))`, without assignments. Names count as their values, 0 when unset or not a number. */
export function evaluate(expression: string, valueOf: (name: string) => string): number | null {
  const tokens = expression.match(/\d+|[A-Za-z_]\w*|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%()<>!~&|^]/g) ?? [];
  let at = 0;
  let broken = tokens.join('') !== expression.replaceAll(/\s/g, '');

  const primary = (): number => {
    const token = tokens[at++];
    if (token === undefined) broken = true;
    else if (token === '(') {
      const value = binary(0);
      if (tokens[at++] !== ')') broken = true;
      return value;
    } else if (token === '-') return -primary();
    else if (token === '+') return primary();
    else if (token === '!') return primary() === 0 ? 1 : 0;
    else if (token === '~') return ~primary();
    else if (/^\d/.test(token))
      return token.length > 1 && token.startsWith('0') ? Number.parseInt(token, 8) : Number(token);
    else if (/^[A-Za-z_]/.test(token)) return Number.parseInt(valueOf(token), 10) || 0;
    else broken = true;
    return 0;
  };

  const binary = (level: number): number => {
    const operators = LEVELS[level];
    if (!operators) return primary();
    let left = binary(level + 1);
    for (let op = tokens[at]; op !== undefined && operators.includes(op); op = tokens[at]) {
      at++;
      const right = binary(level + 1);
      if ((op === '/' || op === '%') && right === 0) broken = true;
      else left = apply(op, left, right);
    }
    return left;
  };

  const value = binary(0);
  return broken || at < tokens.length ? null : value;
}

/** Loosest first. */
const LEVELS: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['|'],
  ['^'],
  ['&'],
  ['==', '!='],
  ['<', '>', '<=', '>='],
  ['<<', '>>'],
  ['+', '-'],
  ['*', '/', '%'],
];

function apply(op: string, a: number, b: number): number {
  switch (op) {
    case '||':
      return a !== 0 || b !== 0 ? 1 : 0;
    case '&&':
      return a !== 0 && b !== 0 ? 1 : 0;
    case '|':
      return a | b;
    case '^':
      return a ^ b;
    case '&':
      return a & b;
    case '==':
      return a === b ? 1 : 0;
    case '!=':
      return a === b ? 0 : 1;
    case '<':
      return a < b ? 1 : 0;
    case '>':
      return a > b ? 1 : 0;
    case '<=':
      return a <= b ? 1 : 0;
    case '>=':
      return a >= b ? 1 : 0;
    case '<<':
      return a << b;
    case '>>':
      return a >> b;
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return Math.trunc(a / b);
    default:
      return a % b;
  }
}
