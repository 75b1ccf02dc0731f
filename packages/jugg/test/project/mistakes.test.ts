import { describe, expect, test } from 'vitest';
import { readBuildFile } from '../../src/project/build-file.ts';
import { findMistake } from '../../src/project/dsl/mistakes.ts';
import { readRootBuild } from '../../src/project/root-build.ts';
import { readSettings } from '../../src/project/settings.ts';

type Language = 'groovy' | 'kotlin';

const found = (text: string, language: Language): string | null => {
  const mistake = findMistake(text, language);
  return mistake === null ? null : `${mistake.line}:${mistake.column} ${mistake.what}`;
};

describe('what no Gradle takes is told with its place', () => {
  test.each<[string, Language, string]>([
    ['android {\n  namespace = "a"\n', 'kotlin', '1:9 `{` without its `}`'],
    // The bracket of the inner block is missing, not that of the outer one.
    [
      'android {\n  defaultConfig {\n    minSdk = 26\n  compileSdk = 35\n}\n',
      'kotlin',
      '2:17 `{` without its `}`',
    ],
    ['android {\n}\n}\n', 'kotlin', '3:1 a `}` too many'],
    ['include(":a"\ninclude(":b")', 'kotlin', '1:8 `(` without its `)`'],
    ['plugins {\n  id("a"\n}', 'groovy', '2:5 `(` without its `)` before `}` in line 3'],
    ['x = [1, 2)', 'groovy', '1:5 `[` without its `]` before `)` in line 1'],
    ['a = 1\n  b = "no end\nc = 2', 'kotlin', '2:7 a string that never ends'],
    ["a = 'no end\n", 'groovy', '1:5 a string that never ends'],
    ['a = 1\n/* no end', 'kotlin', '2:1 a comment that never ends'],
    ['a = """no\nend', 'kotlin', '1:5 a string that never ends'],
    ['/*\n*/ a {', 'kotlin', '2:6 `{` without its `}`'],
    ["plugins {\n  id 'java-library'\n}", 'kotlin', '2:3 a call without brackets, `id …`, in a Kotlin file'],
    ["implementation(':x')", 'kotlin', "1:16 a text in single quotes, ':x', in a Kotlin file"],
    ['plugins {\n  id "java-library" version "1"\n}', 'kotlin', '2:3 a call without brackets, `id …`'],
    ['android {\n  compileSdk 35\n}', 'kotlin', '2:3 a call without brackets, `compileSdk …`'],
    ['minifyEnabled false', 'kotlin', '1:1 a call without brackets, `minifyEnabled …`'],
    ['def x = 1', 'kotlin', '1:1 `def x` in a Kotlin file'],
    ['android { }\nval x = "1"', 'groovy', '2:1 `val x` in a Groovy file'],
  ])('%j in %s', (text, language, expected) => {
    expect(found(text, language)).toContain(expected);
  });
});

describe('what Gradle may take is no mistake', () => {
  test.each<[string, Language]>([
    ['def x = ~/a"b{/\ndef y = x =~ /(/', 'groovy'],
    ['def s = $/ "quoted" { /$', 'groovy'],
    ['x = "${map["a"]} ${list.collect { "}" }}"', 'groovy'],
    ["x 'a', \"b\"\nminSdk 26\nid 'a' version 'b' apply false", 'groovy'],
    ["implementation('a:b:1') {\n  exclude group: 'c'\n}", 'groovy'],
    ['\'\'\'{\n\'\'\'\n"""(\n"""', 'groovy'],
    ["val c = '{'\nval d = '\\''\nval e = '\\u0041'\nval f = '\"'", 'kotlin'],
    ['val x = """{ " ( ${"a" + "}"}"""', 'kotlin'],
    ['val json = $$"""{ ${ """', 'kotlin'],
    ['/* { /* nested ( */ " */ val x = 1', 'kotlin'],
    ['id("a") version "b" apply false\nval m = mapOf("a" to "b",\n  "c"\n  to "d")', 'kotlin'],
    [
      'fun f(x: Any): Any {\n  return "a"\n}\nval g = when (1) {\n  in 1..2 -> "a"\n  else -> throw Exception("b")\n}',
      'kotlin',
    ],
    ['val x = if (a) "b"\nelse "c"', 'kotlin'],
    ['tasks.withType<Test>().configureEach {\n  useJUnitPlatform() }\n', 'kotlin'],
    ['a { b {\n} }', 'kotlin'],
    ['foo(\n  bar = listOf(1),\n) {\n}', 'kotlin'],
    ['@Suppress("x")\nplugins { }', 'kotlin'],
    ['val `a b` = 1', 'kotlin'],
    ['val x by extra("a")\nval Int.y get() = 1', 'kotlin'],
    ['', 'kotlin'],
  ])('%j in %s', (text, language) => {
    expect(found(text, language)).toBeNull();
  });
});

test('a file with a mistake says nothing else', () => {
  const text = 'android {\n  productFlavors { }\n  namespace = "a\n}\nif (x) { }';
  const only = [{ file: '/f', line: 3, column: 15, what: 'a string that never ends', isMistake: true }];
  expect(readBuildFile(text, 'kotlin', '/f').refusals).toEqual(only);
  expect(readRootBuild(text, 'kotlin', '/f').refusals).toEqual(only);
  expect(readSettings(text, 'kotlin', '/f').doubts).toEqual(only);
});
