import {
  baseOf,
  followedBy,
  fullName,
  kindOf,
  madeBy,
  parameterOf,
  typeOf,
  type Kind,
  type Mention,
} from './kinds.ts';
import type { Unit, World } from './world.ts';

const has = (unit: Unit, bit: number): boolean => (unit.extra & bit) !== 0;

/** `fun v7(x: Long, y: Int = 3): Int = 5`; at times its type is left for the compiler to find. */
function member(unit: Unit, modifiers = ''): string {
  const { id, n } = unit;
  const type = typeOf(unit);
  const more = has(unit, 4) ? `, y: Int = ${n}` : '';
  const stated = n % 3 === 0 ? '' : `: ${type.kotlin}`;
  return `${modifiers}fun v${id}(x: ${parameterOf(unit).kotlin}${more})${stated} = ${type.inKotlin(n)}`;
}

/** Nested classes and such, which stand or fall with their bits. */
function parts(unit: Unit): string[] {
  const { id, n } = unit;
  return [
    ...(has(unit, 1)
      ? [
          `class Nested${id} { private val p = ${n}; fun q() = p; enum class Tiny { A${n % 2 === 0 ? ', B' : ''} } }`,
          `inner class Inner${id} { fun r() = hidden + ${n} }`,
        ]
      : []),
    ...(has(unit, 2)
      ? [
          `fun mapped() = listOf(1, 2).map { it + hidden }.filter { x -> x > ${n} }`,
          `fun anonymous(): Any = object : Runnable { override fun run() { hidden += ${n} } }`,
          ...(n % 2 === 0 ? [`val later by lazy { "later ${n}" }`] : []),
        ]
      : []),
    `companion object { const val C${id} = ${has(unit, 8) ? `"t${n}"` : n}; @JvmStatic fun shared() = ${n} }`,
  ];
}

function classMention(unit: Unit, from: 'kotlin' | 'java', form: number, world: World): Mention {
  const name = fullName(unit);
  const made = from === 'java' ? `new ${name}()` : `${name}()`;
  // Default values are Kotlin's: Java has to pass all of them.
  const call = (of: Unit): string =>
    `${made}.v${of.id}(1${from === 'java' && has(of, 4) && kindOf(of).language === 'kotlin' ? ', 2' : ''})`;
  const base = baseOf(unit, world);
  if (form % 4 === 1) return { expression: `${name}.C${unit.id}` };
  if (form % 4 === 2 && base !== null) return { expression: call(base) };
  if (form % 4 === 3 && from === 'kotlin') return { expression: `${name}.shared()` };
  return { expression: call(unit) };
}

export const KOTLIN_KINDS: Readonly<Record<string, Kind>> = {
  kClass: {
    language: 'kotlin',
    base: 'class',
    freeFile: true,
    text(unit, uses, base) {
      const above = base === null ? '' : ` : ${fullName(base)}${kindOf(base).base === 'class' ? '()' : ''}`;
      const type = has(unit, 16) ? 'data ' : 'open ';
      const head =
        type === 'data '
          ? `data class ${unit.name}(val a${unit.id}: Int = ${unit.n})`
          : `open class ${unit.name}(a: Int = ${unit.n})`;
      return [
        `${head}${above} {`,
        `  private var hidden = ${unit.n}`,
        `  ${member(unit, type === 'data ' ? '' : 'open ')}`,
        ...parts(unit).map((part) => `  ${part}`),
        `  fun use${unit.id}(): String = ${uses.joined}`,
        uses.members,
        '}',
      ].join('\n');
    },
    mention: (unit, from, form, _tag, world) => classMention(unit, from, form, world),
  },
  kFunctions: {
    language: 'kotlin',
    freeFile: true,
    text(unit, uses, _base, world) {
      const { id, n } = unit;
      const made = madeBy(unit, world);
      return [
        `const val C${id} = ${has(unit, 8) ? `"t${n}"` : n}`,
        member(unit),
        `fun String.ext${id}() = this + ${n}`,
        ...(has(unit, 1)
          ? [
              `typealias Alias${id} = Map<String, ${typeOf(unit).kotlin}>`,
              `fun aliased${id}(): Alias${id} = emptyMap()`,
            ]
          : []),
        ...(has(unit, 2)
          ? [
              `private val table${id} = listOf(1, ${n}).associateBy { it * 2 }`,
              `fun lookUp${id}() = table${id}[2]`,
            ]
          : []),
        ...(has(unit, 16) ? [`var state${id}: ${typeOf(unit).kotlin} = ${typeOf(unit).inKotlin(n)}`] : []),
        made === null ? '' : `fun make${id}() = ${fullName(made)}()`,
        `fun use${id}(): String = ${uses.joined}`,
        uses.members,
      ].join('\n');
    },
    mention(unit, from, form, _tag, world): Mention {
      const { pkg, id } = unit;
      const facade = from === 'java' ? `${pkg}.${unit.file}Kt` : pkg;
      const made = madeBy(unit, world);
      if (form % 4 === 1) return { expression: `${facade}.C${id}` };
      if (form % 4 === 2 && made !== null) {
        const more = from === 'java' && kindOf(made).language === 'kotlin' && has(made, 4) ? ', 2' : '';
        return { expression: `${facade}.make${id}().v${made.id}(1${more})` };
      }
      if (form % 4 === 3 && from === 'kotlin')
        return { expression: `"".ext${id}()`, imports: [`${pkg}.ext${id}`] };
      return { expression: `${facade}.v${id}(1${from === 'java' && has(unit, 4) ? ', 2' : ''})` };
    },
  },
  kFollower: {
    language: 'kotlin',
    freeFile: true,
    text(unit, uses, _base, world) {
      const { id, n } = unit;
      const followed = followedBy(unit, world);
      const of = (form: number): string =>
        followed === null ? `${n}` : kindOf(followed).mention(followed, 'kotlin', form, '', world).expression;
      // No short name: the Kotlin compiler looks names up by their hash code, and `K26` has that of `Int`.
      return [
        `const val KEPT${id} = "k" + ${of(1)}`,
        `fun like${id}() = ${of(0)}`,
        ...(has(unit, 1) ? [`val held${id} by lazy { ${of(0)} }`] : []),
        ...(has(unit, 2) ? [`@Deprecated("like " + ${of(1)}) fun old${id}() = 1`] : []),
        `fun use${id}(): String = ${uses.joined}`,
        uses.members,
      ].join('\n');
    },
    mention({ pkg, id, file }, from, form): Mention {
      const facade = from === 'java' ? `${pkg}.${file}Kt` : pkg;
      return { expression: form % 2 === 0 ? `${facade}.like${id}()` : `${facade}.KEPT${id}` };
    },
  },
  kInline: {
    language: 'kotlin',
    freeFile: true,
    text(unit, uses) {
      const { id, n } = unit;
      return [
        `inline fun twice${id}(f: () -> Int): String { val x = f(); return "" + x + ${n}${has(unit, 1) ? ` + helper${id}()` : ''} }`,
        `inline fun <reified T> isIt${id}(x: Any?): Boolean = x is T${has(unit, 2) ? ` || x == ${n}` : ''}`,
        `inline val short${id}: Int get() = ${n}`,
        `@PublishedApi internal fun helper${id}() = ${typeOf(unit).inKotlin(n)}`,
        `fun use${id}(): String = ${uses.joined}`,
        uses.members,
      ].join('\n');
    },
    mention({ pkg, id, file }, from, form): Mention {
      if (from === 'java') return { expression: `${pkg}.${file}Kt.getShort${id}()` };
      if (form % 3 === 0) return { expression: `${pkg}.twice${id} { 4 }` };
      if (form % 3 === 1) return { expression: `${pkg}.isIt${id}<String>("")` };
      return { expression: `${pkg}.short${id}` };
    },
  },
  kInterface: {
    language: 'kotlin',
    base: 'interface',
    freeFile: true,
    text(unit, uses) {
      return [
        `interface ${unit.name} {`,
        `  ${member(unit)}`,
        ...(has(unit, 1) ? [`  val size${unit.id}: Int get() = ${unit.n}`] : []),
        ...(has(unit, 2) ? [`  private fun secret() = ${unit.n}`] : []),
        `  companion object { const val C${unit.id} = ${unit.n} }`,
        `  fun use${unit.id}(): String = ${uses.joined}`,
        uses.members,
        '}',
      ].join('\n');
    },
    mention(unit, from, form): Mention {
      const name = fullName(unit);
      if (form % 3 === 1) return { expression: `${name}.C${unit.id}` };
      if (from === 'java')
        return { expression: `new ${name}() {}.v${unit.id}(1${has(unit, 4) ? ', 2' : ''})` };
      return { expression: `object : ${name} {}.v${unit.id}(1)` };
    },
  },
  kSealed: {
    language: 'kotlin',
    freeFile: true,
    onlyKotlin: true,
    text(unit, uses) {
      const { name, id, n } = unit;
      return [
        `sealed class ${name} { fun use${id}(): String = ${uses.joined}`,
        uses.members,
        '}',
        `class One${id} : ${name}() { fun one() = ${n} }`,
        `data object Two${id} : ${name}()`,
        ...(has(unit, 1) ? [`class Three${id}(val t: ${typeOf(unit).kotlin}) : ${name}()`] : []),
      ].join('\n');
    },
    mention({ pkg, id, name, ...unit }, _from, form, tag): Mention {
      const three = has({ pkg, id, name, ...unit }, 1) ? `; is ${pkg}.Three${id} -> 3` : '';
      const rest = form % 2 === 0 ? three : '; else -> 0';
      return {
        expression: `kind${tag}(${pkg}.Two${id})`,
        members: `fun kind${tag}(x: ${pkg}.${name}) = when (x) { is ${pkg}.One${id} -> x.one(); ${pkg}.Two${id} -> 2${rest} }`,
      };
    },
  },
  kSealedSub: {
    language: 'kotlin',
    freeFile: true,
    onlyKotlin: true,
    text(unit, uses, _base, world) {
      // Of a sealed class of the same package and module, if there is one.
      const above = world.units.find(
        ({ kind, pkg, module, id }) =>
          kind === 'kSealed' && pkg === unit.pkg && module === unit.module && id < unit.id,
      );
      return [
        `class ${unit.name}${above ? ` : ${above.name}()` : ''} {`,
        `  ${member(unit)}`,
        `  fun use${unit.id}(): String = ${uses.joined}`,
        uses.members,
        '}',
      ].join('\n');
    },
    mention: (unit) => ({ expression: `${fullName(unit)}().v${unit.id}(1)` }),
  },
  kEnum: {
    language: 'kotlin',
    freeFile: true,
    text(unit, uses) {
      const { name, n, id } = unit;
      const body = has(unit, 2) ? ` { override fun of() = ${n} }` : '';
      return [
        `enum class ${name}(val v: Int) {`,
        `  A(${n})${body}, B(2)${has(unit, 1) ? ', C(3)' : ''};`,
        `  open fun of(): Int = v`,
        `  fun use${id}(): String = ${uses.joined}`,
        uses.members,
        '}',
      ].join('\n');
    },
    mention: (unit, from, form, tag) => enumMention(unit, from, form, tag),
  },
  kAnnotation: {
    language: 'kotlin',
    freeFile: true,
    text(unit, uses) {
      const { name, n, id } = unit;
      return [
        ...(has(unit, 2) ? ['@Retention(AnnotationRetention.SOURCE)'] : []),
        `annotation class ${name}(val a: Int = ${n}${has(unit, 1) ? `, val t: String = "t${n}"` : ''})`,
        `@${name}(${n}) class Marked${id} { @${name} fun use${id}(): String = ${uses.joined}`,
        uses.members,
        '}',
      ].join('\n');
    },
    mention: (unit, from, form, tag) => annotationMention(unit, from, form, tag),
  },
  kObject: {
    language: 'kotlin',
    freeFile: true,
    text(unit, uses) {
      const { name, id, n } = unit;
      return [
        `object ${name} {`,
        `  @JvmField val field${id}: ${typeOf(unit).kotlin} = ${typeOf(unit).inKotlin(n)}`,
        `  ${member(unit, '@JvmStatic ')}`,
        ...(has(unit, 1) ? [`  fun numbers() = sequence { yield(${n}); yieldAll(listOf(1)) }`] : []),
        ...(has(unit, 2) ? [`  suspend fun wait(f: suspend () -> Int) = f() + ${n}`] : []),
        `  internal fun inner${id}(x: Int = ${n}) = x`,
        `  fun use${id}(): String = ${uses.joined}`,
        uses.members,
        '}',
      ].join('\n');
    },
    mention(unit, from, form): Mention {
      const name = fullName(unit);
      if (form % 2 === 1) return { expression: `${name}.field${unit.id}` };
      return { expression: `${name}.v${unit.id}(1${from === 'java' && has(unit, 4) ? ', 2' : ''})` };
    },
  },
  kMultiFile: {
    language: 'kotlin',
    freeFile: true,
    onlyKotlin: true,
    text: (unit, uses) =>
      [
        `const val C${unit.id} = ${unit.n}`,
        member(unit),
        `fun use${unit.id}(): String = ${uses.joined}`,
        uses.members.replace(/^(fun|@)/gm, 'private $1'),
      ].join('\n'),
    mention: ({ pkg, id }, _from, form) => ({
      expression: form % 2 === 0 ? `${pkg}.v${id}(1)` : `${pkg}.C${id}`,
    }),
  },
  kValue: {
    language: 'kotlin',
    freeFile: true,
    onlyKotlin: true,
    text(unit, uses) {
      const { name, id, n } = unit;
      return [
        `@JvmInline value class ${name}(val of: ${typeOf(unit).kotlin}) { fun show() = "$of" + ${n} }`,
        `fun wrap${id}(x: ${name} = ${name}(${typeOf(unit).inKotlin(n)})) = x`,
        `class Box${id}<T : Any>(val t: T) { fun <R : Any> map(f: (T) -> R) = Box${id}(f(t)) }`,
        `fun use${id}(): String = ${uses.joined}`,
        uses.members,
      ].join('\n');
    },
    mention: ({ pkg, id }, _from, form) => ({
      expression:
        form % 2 === 0 ? `${pkg}.wrap${id}().show()` : `${pkg}.Box${id}(1).map { ${pkg}.wrap${id}() }.t.of`,
    }),
  },
};

export function enumMention(unit: Unit, from: 'kotlin' | 'java', form: number, tag: string): Mention {
  const name = fullName(unit);
  if (form % 3 === 0) return { expression: `${name}.A.of()` };
  if (from === 'java') {
    const members = `static int which${tag}(${name} e) { switch (e) { case A: return 1; case B: return 2; default: return 0; } }`;
    return { expression: `which${tag}(${name}.B)`, members };
  }
  const rest = form % 3 === 1 ? '; else -> 0' : has(unit, 1) ? `; ${name}.C -> 3` : '';
  return {
    expression: `which${tag}(${name}.B)`,
    members: `fun which${tag}(e: ${name}) = when (e) { ${name}.A -> 1; ${name}.B -> 2${rest} }`,
  };
}

export function annotationMention(unit: Unit, from: 'kotlin' | 'java', form: number, tag: string): Mention {
  const name = fullName(unit);
  const argument = form % 2 === 0 ? '' : '(a = 5)';
  const members =
    from === 'java'
      ? `@${name}${argument} static int marked${tag}() { return 1; }`
      : `@${name}${argument} fun marked${tag}() = 1`;
  return { expression: `marked${tag}()`, members };
}
