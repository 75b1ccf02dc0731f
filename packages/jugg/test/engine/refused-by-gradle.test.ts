import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { APP_JAVA, Bench, RES } from './support.ts';

// Cold compilers on a busy machine take their time; a fast one needs a tenth of it.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open();
  await bench.build();
});
afterAll(async () => bench.close());

interface Refusal {
  readonly file: string;
  readonly content: string | Uint8Array;
  readonly at: readonly [file: string, line: number | null];
  readonly message: RegExp;
}

const value = (line: string): string => `<resources>\n  ${line}\n</resources>\n`;
const LATIN_1 = Buffer.from(
  'package dev.jugg.sample.counter;\n\nclass Latin {\n  String s = "\u00e4";\n}\n',
  'latin1',
);

const REFUSALS: Readonly<Record<string, Refusal>> = {
  'a string that is declared in two files': {
    file: `${RES}/values/zz.xml`,
    content: value('<string name="add">Again</string>'),
    at: [`${RES}/values/zz.xml`, 2],
    message: /Duplicate resources: string\/add is also in .*strings\.xml/,
  },
  'two names in one file that R cannot tell apart': {
    file: `${RES}/values/zz.xml`,
    content: value('<string name="zz_a">1</string>\n  <string name="zz.a">2</string>'),
    at: [`${RES}/values/zz.xml`, 3],
    message: /string\/zz\.a and string\/zz_a \(in .*zz\.xml\) would both be R\.string\.zz_a/,
  },
  'two names of two modules that R cannot tell apart': {
    file: 'library/src/main/res/values/zz.xml',
    content: value('<string name="greeting.nobody">1</string>'),
    at: [`${RES}/values/strings.xml`, 6],
    message: /string\/greeting_nobody and string\/greeting\.nobody \(in .*library.*zz\.xml\) would both be/,
  },
  'a picture beside a drawable of the same name': {
    file: `${RES}/drawable/card.png`,
    content: Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    ),
    at: [`${RES}/drawable/card.xml`, null],
    message: /Duplicate resources: drawable\/card/,
  },
  'a file name with a blank and capitals': {
    file: `${RES}/drawable/Big Name.xml`,
    content: '<shape xmlns:android="http://schemas.android.com/apk/res/android"/>',
    at: [`${RES}/drawable/Big Name.xml`, null],
    message: /lowercase letters, digits and underscores only: Big Name\.xml/,
  },
  'a folder that is misspelt': {
    file: `${RES}/drawabel-hdpi/a.xml`,
    content: '<shape xmlns:android="http://schemas.android.com/apk/res/android"/>',
    at: [`${RES}/drawabel-hdpi/a.xml`, null],
    message: /drawabel-hdpi is no folder for resources/,
  },
  "a name that is a word of Java's": {
    file: `${RES}/values/zz.xml`,
    content: value('<string name="class">y</string>'),
    at: [`${RES}/values/zz.xml`, 2],
    message: /cannot be called class/,
  },
  'a Java source that is no UTF-8': {
    file: `${APP_JAVA}/Latin.java`,
    content: LATIN_1,
    at: [`${APP_JAVA}/Latin.java`, 4],
    message: /unmappable character \(0xE4\) for encoding UTF-8/,
  },
  'a class that two modules have': {
    file: 'library/src/main/java/dev/jugg/sample/counter/Greeting.java',
    content: 'package dev.jugg.sample.counter;\n\nfinal class Greeting {}\n',
    at: [`${APP_JAVA}/Greeting.java`, null],
    message: /Greeting is in the app twice, also in .*library/,
  },
};

test.each(Object.entries(REFUSALS))(
  '%s is refused where it stands, as by the Android plug-in',
  async (_, one) => {
    await bench.write(one.file, one.content);
    try {
      const { diagnostics } = await bench.fault();
      expect(diagnostics[0]).toMatchObject({ file: bench.path(one.at[0]), line: one.at[1] });
      expect(diagnostics[0]?.message).toMatch(one.message);
    } finally {
      await bench.remove(one.file);
    }
    await bench.build();
  },
);

test('what may be there twice: other languages, other modules, ids, attributes of several styleables', async () => {
  const files = {
    [`${RES}/values-fr/zz.xml`]: value('<string name="add">Dazu</string>'),
    'library/src/main/res/values/zz.xml': value('<string name="add">Below</string>'),
    [`${RES}/values/zz.xml`]: value(
      '<item type="id" name="count"/><declare-styleable name="A"><attr name="shared" format="string"/></declare-styleable>',
    ),
    [`${RES}/values/zzz.xml`]: value('<declare-styleable name="B"><attr name="shared"/></declare-styleable>'),
  };
  for (const [file, text] of Object.entries(files)) await bench.write(file, text);
  await bench.build();
  for (const file of Object.keys(files)) await bench.remove(file);
});
