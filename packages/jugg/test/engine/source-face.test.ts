import { describe, expect, test } from 'vitest';
import { readSourceFace } from '../../src/engine/source-face.ts';

describe('types that follow', () => {
  test.each([
    'fun f() = other()',
    'class A(val a: Int = 3) {\n  fun f(x: Int = g(1), y: () -> Int = { 3 }) =\n    other()\n}',
    'val x = other()',
    'val x get() = other()',
    'val x\n  get() = other()',
    'object O : Runnable {\n  val late by lazy { other() }\n}',
    'class A { companion object { @JvmStatic fun f() = other() } }',
    'val String.size2 get() = other()',
    'fun f() = run {\n  other()\n}',
    'inline fun f(): Int { return other() }',
    'fun interface F { fun f(): Int }\nenum class E { A { override fun g() = 3 }; open fun g() = other() }',
  ])('%s', (text) => {
    expect(readSourceFace('A.kt', `package a\nimport b.c\n\n${text}\n`).followsTypes).toBe(true);
  });

  test.each([
    'fun f(): Int = other()',
    'fun f(): Int {\n  val x = other()\n  fun g() = x\n  return g()\n}',
    'private fun f() = other()',
    'class A(val a: Int = 3) {\n  val x: Int = other()\n  val y: Int by lazy { val z = other(); z }\n  private val p = other()\n}',
    'val x: Int\n  get() = other()',
    'val x: Runnable = object : Runnable { override fun run() { val y = other() } }',
    '// fun f() = other()\n/* val x = 3 */\nval text: String = "fun f() = other()"',
    'fun f(block: (Int) -> Unit): (Int) -> Int = { block(it); it }',
  ])('%s', (text) => {
    expect(readSourceFace('A.kt', `package a\n\n${text}\n`).followsTypes).toBe(false);
  });

  test('Java states its types', () => {
    const text = 'class A { int f() { var x = other(); return x; } }';
    expect(readSourceFace('A.java', text).followsTypes).toBe(false);
  });
});

test.each([
  [
    'A.java',
    'class A { static final String K = "k" + Other.C; int f() { return D; } }',
    ['Other', 'C'],
    ['D'],
  ],
  ['A.java', 'interface A { String K = "k" + Other.C; default int f() { return D; } }', ['C'], ['D']],
  ['A.java', 'class A { @GET("/v1" + Paths.USERS) void f() { g(D); } }', ['USERS'], ['D']],
  ['A.kt', 'const val K = "k" +\n  Other.C\nval x: Int = D', ['C'], ['D']],
  ['A.kt', '@Path(value = Paths.USERS)\nfun f(): Int { val x = D; return x }', ['USERS'], ['D']],
])('what the face of %s is made of: %s', (file, text, has, lacks) => {
  const { madeOf } = readSourceFace(file, text);
  for (const name of has) expect(madeOf).toContain(name);
  for (const name of lacks) expect(madeOf).not.toContain(name);
});
