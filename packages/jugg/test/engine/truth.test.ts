import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { APP_JAVA, Bench, contentOf, MAIN, PARTS, RES } from './support.ts';

/** A part of the program that can be in one of several states; each of them compiles with every state of the others. */
interface Gadget {
  readonly name: string;
  readonly states: number;
  /** The files in that state; `null` is a file that is not there. */
  files(state: number): Record<string, string | null>;
}

const APP = 'package dev.jugg.sample.counter';
const LIB = 'package dev.jugg.sample.parts';
const PARTS_JAVA = 'library/src/main/java/dev/jugg/sample/parts';

const GADGETS: readonly Gadget[] = [
  {
    name: 'a body in Kotlin',
    states: 3,
    files: (n) => ({
      [`${MAIN}/CountText.kt`]: `${APP}\nfun countText(count: Int): String = "${n}: $count"\n`,
    }),
  },
  {
    name: 'a signature in Kotlin, used by both languages',
    states: 2,
    files: (n) => ({
      [`${MAIN}/Helper.kt`]: `${APP}\nfun helper(x: ${n === 0 ? 'Int' : 'Long'}) = x\n`,
      [`${MAIN}/HelperUser.kt`]: `${APP}\nclass HelperUser { fun use() = helper(1).toString() }\n`,
      [`${APP_JAVA}/HelperJava.java`]: `${APP};\nclass HelperJava { String use() { return "" + HelperKt.helper(1); } }\n`,
    }),
  },
  {
    name: 'a constant in Java, copied by both languages, and one made of it',
    states: 3,
    files: (n) => ({
      [`${APP_JAVA}/Consts.java`]: `${APP};\npublic class Consts { public static final int N = ${n + 10}; }\n`,
      [`${APP_JAVA}/More.java`]: `${APP};\npublic class More { public static final int TWICE = 2 * Consts.N; }\n`,
      [`${APP_JAVA}/ConstsUser.java`]: `${APP};\nclass ConstsUser { int n() { return Consts.N + 1; } int m() { return More.TWICE; } }\n`,
      [`${MAIN}/ConstsKotlin.kt`]: `${APP}\nconst val FROM_JAVA = Consts.N\nfun twice() = More.TWICE\n`,
    }),
  },
  {
    name: 'an inherited member in Java',
    states: 2,
    files: (n) => ({
      [`${APP_JAVA}/Base.java`]: `${APP};\npublic class Base { public ${n === 0 ? 'int' : 'long'} value() { return 1; } }\n`,
      [`${APP_JAVA}/Sub.java`]: `${APP};\npublic class Sub extends Base {}\n`,
      [`${APP_JAVA}/SubUser.java`]: `${APP};\nclass SubUser { String s() { return "" + new Sub().value(); } }\n`,
      [`${MAIN}/SubKotlin.kt`]: `${APP}\nfun sub() = Sub().value()\n`,
      [`${APP_JAVA}/SubKotlinUser.java`]: `${APP};\nclass SubKotlinUser { String s() { return "" + SubKotlinKt.sub(); } }\n`,
    }),
  },
  {
    name: 'an inline function and a constant of the library',
    states: 3,
    files: (n) => ({
      [`${PARTS}/Inline.kt`]: `${LIB}\ninline fun spread(f: () -> Int) = f() + ${n}\nconst val LIB = ${n}\n`,
      [`${MAIN}/InlineUser.kt`]: `${APP}\nimport dev.jugg.sample.parts.*\nfun inlined() = spread { 1 }\n`,
      [`${APP_JAVA}/LibUser.java`]: `${APP};\nclass LibUser { int n() { return dev.jugg.sample.parts.InlineKt.LIB; } }\n`,
    }),
  },
  {
    name: 'an interface of the library',
    states: 2,
    files: (n) => ({
      [`${PARTS_JAVA}/Named.java`]: `${LIB};\npublic interface Named { default ${n === 0 ? 'String' : 'CharSequence'} name() { return "n"; } }\n`,
      [`${APP_JAVA}/NamedImpl.java`]: `${APP};\nclass NamedImpl implements dev.jugg.sample.parts.Named { int n() { return name().length(); } }\n`,
      [`${MAIN}/NamedKotlin.kt`]: `${APP}\nclass NamedKotlin : dev.jugg.sample.parts.Named { fun n() = name().length }\n`,
    }),
  },
  {
    name: 'sealed classes in several files',
    states: 3,
    files: (n) => ({
      [`${MAIN}/Shape.kt`]: `${APP}\nsealed class Shape\n`,
      [`${MAIN}/Round.kt`]: `${APP}\nclass Round : Shape() { fun r() = ${n} }\n`,
      [`${MAIN}/Square.kt`]: n === 2 ? null : `${APP}\nclass Square : Shape()\n`,
      [`${MAIN}/Area.kt`]: `${APP}\nfun area(s: Shape) = when (s) { is Round -> s.r(); else -> 0 }\n`,
    }),
  },
  {
    name: 'files that come, go and move',
    states: 3,
    files: (n) => ({
      [`${APP_JAVA}/Loose.java`]: n === 0 ? `${APP};\nclass Loose { interface Part {} }\n` : null,
      [`${MAIN}/Loose.kt`]: n === 1 ? `${APP}\nclass Loose { object Part }\nfun loose() = 1\n` : null,
      [`${MAIN}/sub/Moved.kt`]: n === 2 ? `${APP}\nfun loose() = 1\n` : null,
    }),
  },
  {
    name: 'resources of both modules',
    states: 3,
    files: (n) => ({
      [`${RES}/values/extra.xml`]: `<resources><string name="extra">${n}</string>${n === 1 ? '<item type="id" name="more"/>' : ''}</resources>`,
      'library/src/main/res/values/extra.xml':
        n === 2 ? '<resources><color name="lib_extra">#123456</color></resources>' : null,
      [`${APP_JAVA}/ResUser.java`]: `${APP};\nclass ResUser { int[] ids() { return new int[] { R.string.extra${n === 1 ? ', R.id.more' : ''} }; } }\n`,
    }),
  },
  {
    name: 'assets, Java resources and the manifest',
    states: 2,
    files: (n) => ({
      'app/src/main/assets/extra.txt': n === 0 ? null : 'extra',
      'library/src/main/resources/lib.properties': `n=${n}`,
      'app/src/debug/AndroidManifest.xml': `<manifest xmlns:android="http://schemas.android.com/apk/res/android"><application><meta-data android:name="m" android:value="v${n}"/></application></manifest>`,
    }),
  },
];

/** Edits a run; each is compared with a clean build of its own, which takes some seconds. */
const STEPS = Number(process.env['JUGG_TRUTH_STEPS'] ?? 3);

/** A small generator with a seed (mulberry32), so that a failing run can be played again. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

describe('after any edits the app is what a clean build makes', () => {
  const seed = Number(process.env['JUGG_TRUTH_SEED'] ?? 1);
  const next = random(seed);
  const states = GADGETS.map(() => 0);
  let bench: Bench;

  async function put(index: number): Promise<void> {
    const files = GADGETS[index]?.files(states[index] ?? 0) ?? {};
    for (const [file, text] of Object.entries(files)) {
      if (text === null) await bench.removeIfThere(file);
      else if ((await bench.readIfThere(file)) !== text) await bench.write(file, text);
    }
  }

  beforeAll(async () => {
    bench = await Bench.open();
    for (const index of GADGETS.keys()) await put(index);
    await bench.build();
  });
  afterAll(async () => bench.close());

  test.each(Array.from({ length: STEPS }, (_, step) => step))(
    `step %i of seed ${seed}`,
    async () => {
      const edits: string[] = [];
      for (let count = 1 + next(3); count > 0; count--) {
        const index = next(GADGETS.length);
        const gadget = GADGETS[index];
        if (gadget === undefined) continue;
        states[index] = ((states[index] ?? 0) + 1 + next(gadget.states - 1)) % gadget.states;
        edits.push(`${gadget.name}: ${states[index]}`);
        await put(index);
      }
      const outcome = await bench.build();
      const clean = await bench.cleanBuild();
      expect({ edits, ...contentOf(outcome.state) }).toEqual({ edits, ...contentOf(clean) });
      expect(outcome.kind).not.toBe('full');
    },
    180_000,
  );
});
