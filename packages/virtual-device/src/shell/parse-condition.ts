import type { Condition, Word } from './ast.ts';
import type { Scanner } from './scanner.ts';

const BINARY = /^(?:==|!=|=|-(?:eq|ne|lt|le|gt|ge|nt|ot|ef)(?=\s)|[<>])/;
const UNARY = /^-[a-zA-Z](?=\s)/;

/** What stands behind `[[`, with its end. */
export function parseCondition(scanner: Scanner): Condition {
  const condition = either(scanner);
  scanner.skipBlankLines();
  if (!scanner.acceptReserved(']]')) scanner.fail(`unexpected '${scanner.nextToken()}'`);
  return condition;
}

function either(scanner: Scanner): Condition {
  let left = both(scanner);
  for (scanner.skipBlankLines(); scanner.accept('||'); scanner.skipBlankLines())
    left = { kind: 'or', left, right: both(scanner) };
  return left;
}

function both(scanner: Scanner): Condition {
  let left = primary(scanner);
  for (scanner.skipBlankLines(); scanner.accept('&&'); scanner.skipBlankLines())
    left = { kind: 'and', left, right: primary(scanner) };
  return left;
}

function primary(scanner: Scanner): Condition {
  return scanner.nested(() => {
    scanner.skipBlankLines();
    if (scanner.acceptReserved('!')) return { kind: 'not', operand: primary(scanner) };
    if (scanner.accept('(')) {
      const inner = either(scanner);
      scanner.skipBlankLines();
      if (!scanner.accept(')')) scanner.fail(`unexpected '${scanner.nextToken()}'`);
      return inner;
    }
    const unary = UNARY.exec(scanner.peek(3))?.[0];
    if (unary !== undefined) {
      scanner.at += unary.length;
      scanner.skipBlanks();
      return { kind: 'unary', op: unary, word: operand(scanner) };
    }
    const left = operand(scanner);
    scanner.skipBlanks();
    const op = BINARY.exec(scanner.peek(4))?.[0];
    if (op === undefined) return { kind: 'unary', op: '-n', word: left };
    scanner.at += op.length;
    scanner.skipBlanks();
    return { kind: 'binary', op, left, right: operand(scanner) };
  });
}

function operand(scanner: Scanner): Word {
  if (scanner.isReserved(']]')) scanner.fail("unexpected ']]'");
  return scanner.word() ?? scanner.fail(`unexpected '${scanner.nextToken()}'`);
}
