import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { entriesOf, resolve } from '../../src/project/dsl/entries.ts';
import { tokenize } from '../../src/project/dsl/lexer.ts';
import { parseScript } from '../../src/project/dsl/parser.ts';
import type { Expr } from '../../src/project/dsl/ast.ts';

const strings = (text: string, language: 'groovy' | 'kotlin'): string[] =>
  tokenize(text, language)
    .tokens.filter((token) => token.kind === 'string')
    .map((token) => (token.templated ? `T:${token.text}` : token.text));

describe('tokens', () => {
  test.each([
    ['"a//b" // c "d"', 'kotlin', ['a//b']],
    ["'it''s'", 'groovy', ['it', 's']],
    ['"a\\"b\\n\\u0041"', 'kotlin', ['a"b\nA']],
    ['"""raw \\n "quoted" $x"""', 'kotlin', ['T:raw \\n "quoted" $x']],
    ['f(""""$x"""", "y")', 'kotlin', ['T:"$x"', 'y']],
    ["'''two\nlines'''", 'groovy', ['two\nlines']],
    ['"g:a:${project.property("v")}" "b"', 'kotlin', ['T:g:a:${project.property("v")}', 'b']],
    ["'no $placeholder'", 'groovy', ['no $placeholder']],
    ['"price: 5$"', 'kotlin', ['price: 5$']],
    ['/* a /* nested */ "x" */ "y"', 'kotlin', ['y']],
    ['/* a /* not nested in Groovy */ "x" /* */', 'groovy', ['x']],
    ['\uFEFF"bom"', 'kotlin', ['bom']],
  ] as const)('%j in %s', (text, language, expected) => {
    expect(strings(text, language)).toEqual(expected);
  });

  test.each([
    ['include(":a")\n/* no end', 2, 'comment'],
    ['x = "no end\n', 1, 'string'],
    ["x = '''no end", 1, 'string'],
    ['`no end', 1, 'name'],
  ])('%j has a fault', (text, line, what) => {
    const { fault } = tokenize(text, 'groovy');
    expect(fault?.line).toBe(line);
    expect(fault?.what).toContain(what);
  });
});

const shape = (text: string, language: 'groovy' | 'kotlin'): unknown[] =>
  parseScript(text, language).statements.map((statement) => {
    if (statement.kind === 'call') {
      return [
        statement.links.map((link) => link.name).join('.'),
        statement.links
          .at(-1)
          ?.args?.map((arg) => (arg.name ? [arg.name, plain(arg.value)] : plain(arg.value))),
        ...statement.infix.map((part) => [part.name, plain(part.value)]),
      ];
    }
    if (statement.kind === 'assign') {
      return [
        statement.target.map((link) => link.name).join('.'),
        statement.operator,
        plain(statement.value),
      ];
    }
    return statement.kind;
  });

function plain(value: Expr): unknown {
  if (value.kind === 'text' || value.kind === 'number' || value.kind === 'bool') return value.value;
  if (value.kind === 'list') return value.items.map(plain);
  if (value.kind === 'chain') return value.links.map((link) => link.name).join('.');
  return value.kind;
}

describe('statements', () => {
  test.each([
    ["id 'x' version '1' apply false", 'groovy', [['id', ['x'], ['version', '1'], ['apply', false]]]],
    ['id("x") version "1" apply false', 'kotlin', [['id', ['x'], ['version', '1'], ['apply', false]]]],
    ['minSdk = 26', 'kotlin', [['minSdk', '=', 26]]],
    [
      'minSdkVersion 26; targetSdkVersion 34',
      'groovy',
      [
        ['minSdkVersion', [26]],
        ['targetSdkVersion', [34]],
      ],
    ],
    ["apply plugin: 'java'", 'groovy', [['apply', [['plugin', 'java']]]]],
    ["project(':x').projectDir = file('y')", 'groovy', [['project.projectDir', '=', 'file']]],
    ["implementation project(path: ':lib')", 'groovy', [['implementation', ['project']]]],
    ['"custom"("a:b:1")', 'kotlin', [['custom', ['a:b:1']]]],
    ['tasks.register<Delete>("clean") { }', 'kotlin', [['tasks.register', ['clean']]]],
    ['a.b\n  .c("x")', 'kotlin', [['a.b.c', ['x']]]],
    ["x = ['a', 'b']", 'groovy', [['x', '=', ['a', 'b']]]],
    ['x = 1 + 2', 'kotlin', [['x', '=', 'opaque']]],
    ['if (a) { include(":b") } else { include(":c") }\nx = 1', 'kotlin', ['opaque', ['x', '=', 1]]],
    ['val x = if (a) 1 else 2\ny = 2', 'kotlin', ['define', ['y', '=', 2]]],
    ['import a.b.C\nx = 1', 'kotlin', ['import', ['x', '=', 1]]],
    ['versionCode = 1_000', 'kotlin', [['versionCode', '=', 1000]]],
    [')\nx = 1', 'kotlin', ['opaque', ['x', '=', 1]]],
  ] as const)('%j in %s', (text, language, expected) => {
    expect(shape(text, language)).toEqual(expected);
  });

  test.each(['a {', 'a { b { }', 'f(1, 2', 'a }', 'x = [1, 2'])('%j has a fault', (text) => {
    expect(parseScript(text, 'kotlin').fault).not.toBeNull();
  });

  test('endless nesting ends with a fault', () => {
    for (const open of ['a{', 'f(', 'x=[[', 'a.b{c(']) {
      expect(parseScript(open.repeat(50_000), 'groovy').fault).not.toBeNull();
    }
  });

  test('no text makes the parser throw, hang or lose count of lines', () => {
    const words = `a . ( ) { } [ ] , ; = " ' $ /* */ // include val if -> < > 1 "x" \${ \\ \` : """`.split(
      ' ',
    );
    const piece = fc.constantFrom(...words, '\n', ' ');
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 60 }),
        fc.constantFrom('groovy', 'kotlin'),
        (pieces, language) => {
          const text = pieces.join('');
          const { statements } = parseScript(text, language);
          const lines = text.split('\n').length;
          expect(statements.every((one) => one.line >= 1 && one.line <= lines)).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('settings of a block', () => {
  const names = (text: string): unknown[] => {
    const { statements } = parseScript(text, 'kotlin');
    return entriesOf(statements, new Map(), () => {}).map((entry) => [
      entry.name,
      entry.operator,
      ...entry.args.map((arg) => plain(arg.value)),
    ]);
  };

  test.each(['x = 1', 'x(1)', 'x.set(1)'])('%s sets x', (text) => {
    expect(names(text)[0]).toEqual(['x', text.includes('(1)') && !text.includes('set') ? 'call' : '=', 1]);
  });

  test('a dotted path is a block', () => {
    const [entry] = entriesOf(parseScript('a.b = 1', 'kotlin').statements, new Map(), () => {});
    expect(entry?.name).toBe('a');
    expect(entry?.block).toHaveLength(1);
  });

  test('variables are replaced, in placeholders too', () => {
    const variables = new Map<string, Expr>();
    const script = parseScript('val v = "1.2"\nx("g:a:$v", "g:b:${v}", "g:c:$other")', 'kotlin');
    const [entry] = entriesOf(script.statements, variables, () => {});
    expect(entry?.args.map((arg) => plain(resolve(arg.value, variables)))).toEqual([
      'g:a:1.2',
      'g:b:1.2',
      'template',
    ]);
  });
});
