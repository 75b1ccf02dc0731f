import {
  baseOf,
  followedBy,
  fullName,
  kindOf,
  parameterOf,
  typeOf,
  type Kind,
  type Mention,
} from './kinds.ts';
import { annotationMention, enumMention } from './kinds-kotlin.ts';
import type { Unit } from './world.ts';

const has = (unit: Unit, bit: number): boolean => (unit.extra & bit) !== 0;

/** A method, with an overload that is the better match for some calls. */
function member(unit: Unit, modifiers: string): string {
  const { id, n } = unit;
  const type = typeOf(unit);
  const body = `{ return ${type.inJava(n)}; }`;
  const overload = has(unit, 4)
    ? ` ${modifiers}String v${id}(int x, Object... more) { return "m${n}"; }`
    : '';
  return `${modifiers}${type.java} v${id}(${parameterOf(unit).java} x) ${body}${overload}`;
}

const use = (unit: Unit, joined: string, modifiers: string): string =>
  `  ${modifiers}String use${unit.id}() { return ${joined}; }`;

export const JAVA_KINDS: Readonly<Record<string, Kind>> = {
  jClass: {
    language: 'java',
    base: 'class',
    text(unit, uses, base) {
      const { name, id, n } = unit;
      const above =
        base === null
          ? ''
          : kindOf(base).base === 'class'
            ? ` extends ${fullName(base)}`
            : ` implements ${fullName(base)}`;
      return [
        `public class ${name}${above} {`,
        `  public static final ${has(unit, 8) ? `String C${id} = "t${n}"` : `int C${id} = ${n}`};`,
        `  private int hidden = ${n};`,
        `  ${member(unit, 'public ')}`,
        ...(has(unit, 1)
          ? [
              `  public static class Nested${id} { private int p = ${n}; int q(${name} o) { return o.hidden + p; } }`,
              `  class Inner${id} { int r() { return hidden + new Nested${id}().p; } }`,
            ]
          : []),
        ...(has(unit, 2)
          ? [
              `  Runnable lambda() { return () -> { hidden += ${n}; }; }`,
              `  Object anonymous() { return new Object() { @Override public String toString() { return "" + hidden + ${n}; } }; }`,
              ...(n % 2 === 0
                ? [`  java.util.function.Function<Integer, String> text() { return String::valueOf; }`]
                : []),
            ]
          : []),
        use(unit, uses.joined, 'public '),
        `  ${uses.members}`,
        '}',
        ...(has(unit, 16)
          ? [
              `class ${name}Helper { static ${typeOf(unit).java} help() { return ${typeOf(unit).inJava(n)}; } }`,
            ]
          : []),
      ].join('\n');
    },
    mention(unit, from, form, _tag, world): Mention {
      const name = fullName(unit);
      const made = from === 'java' ? `new ${name}()` : `${name}()`;
      const base = baseOf(unit, world);
      if (form % 3 === 1) return { expression: `${name}.C${unit.id}` };
      if (form % 3 === 2 && base !== null) {
        const more = from === 'java' && kindOf(base).language === 'kotlin' && has(base, 4) ? ', 2' : '';
        return { expression: `${made}.v${base.id}(1${more})` };
      }
      return { expression: `${made}.v${unit.id}(1)` };
    },
  },
  jConstants: {
    language: 'java',
    text(unit, uses, _base, world) {
      const { name, id, n } = unit;
      // One constant made of another's.
      const other = world.units.find(
        (one) =>
          one.kind === 'jConstants' && one.id < id && unit.uses.some(({ target }) => target === one.id),
      );
      return [
        `public final class ${name} {`,
        `  public static final int C${id} = ${n}${other ? ` + ${fullName(other)}.C${other.id}` : ''};`,
        `  public static final ${has(unit, 1) ? 'long' : 'int'} D${id} = 2 * C${id};`,
        `  public static final String S${id} = "s" + C${id};`,
        ...(has(unit, 2)
          ? [`  public static int E${id} = ${n};`]
          : [`  public static final int E${id} = ${n};`]),
        use(unit, uses.joined, 'public static '),
        `  ${uses.members}`,
        '}',
      ].join('\n');
    },
    mention: (unit, _from, form) => ({
      expression: `${fullName(unit)}.${['C', 'D', 'S', 'E'][form % 4] ?? 'C'}${unit.id}`,
    }),
  },
  jFollower: {
    language: 'java',
    text(unit, uses, _base, world) {
      const { name, id, n } = unit;
      const followed = followedBy(unit, world);
      const constant =
        followed === null ? `${n}` : kindOf(followed).mention(followed, 'java', 1, '', world).expression;
      return [
        `public final class ${name} {`,
        `  public static final String KEPT${id} = "k" + ${constant};`,
        ...(has(unit, 1)
          ? [`  @Named${id}("at " + ${constant}) public static int named${id}() { return 1; }`]
          : []),
        `  @interface Named${id} { String value(); }`,
        use(unit, uses.joined, 'public static '),
        `  ${uses.members}`,
        '}',
      ].join('\n');
    },
    mention: (unit) => ({ expression: `${fullName(unit)}.KEPT${unit.id}` }),
  },
  jInterface: {
    language: 'java',
    base: 'interface',
    text(unit, uses) {
      const { name, id, n } = unit;
      return [
        `public interface ${name} {`,
        `  int C${id} = ${n};`,
        `  ${member(unit, 'default ')}`,
        ...(has(unit, 1) ? [`  static int fixed() { return ${n}; }`] : []),
        ...(has(unit, 2) ? [`  default Runnable run${id}() { return () -> System.out.println(${n}); }`] : []),
        use(unit, uses.joined, 'default '),
        // Members of mentions are static methods, which an interface may have too.
        `  ${uses.members}`,
        '}',
      ].join('\n');
    },
    mention(unit, from, form): Mention {
      const name = fullName(unit);
      if (form % 3 === 1) return { expression: `${name}.C${unit.id}` };
      if (from === 'java') return { expression: `new ${name}() {}.v${unit.id}(1)` };
      return { expression: `object : ${name} {}.v${unit.id}(1)` };
    },
  },
  jEnum: {
    language: 'java',
    text(unit, uses) {
      const { name, n } = unit;
      const body = has(unit, 2) ? ` { @Override int own() { return ${n}; } }` : '';
      return [
        `public enum ${name} {`,
        `  A(${n})${body}, B(2)${has(unit, 1) ? ', C(3)' : ''};`,
        '  private final int v;',
        `  ${name}(int v) { this.v = v; }`,
        '  int own() { return v; }',
        '  public int of() { return own(); }',
        use(unit, uses.joined, 'public '),
        `  ${uses.members}`,
        '}',
      ].join('\n');
    },
    mention: (unit, from, form, tag) => enumMention(unit, from, form, tag),
  },
  jAnnotation: {
    language: 'java',
    text({ name, id, n, ...unit }, uses) {
      const retention = has({ name, id, n, ...unit }, 2) ? 'RUNTIME' : n % 2 === 0 ? 'SOURCE' : 'CLASS';
      return [
        `@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.${retention})`,
        `public @interface ${name} {`,
        `  int a() default ${n};`,
        ...(has({ name, id, n, ...unit }, 1) ? [`  String t() default "t${n}";`] : []),
        '}',
        `@${name} class ${name}Marked { @${name}(a = ${n}) String use() { return ${uses.joined}; }`,
        `  ${uses.members}`,
        '}',
      ].join('\n');
    },
    mention: (unit, from, form, tag) => annotationMention(unit, from, form, tag),
  },
  jRecord: {
    language: 'java',
    release: 17,
    text(unit, uses) {
      const { name, id, n } = unit;
      return [
        `public record ${name}(int a, ${typeOf(unit).java} b${has(unit, 1) ? ', int c' : ''}) {`,
        `  public ${name}() { this(${n}, ${typeOf(unit).inJava(n)}${has(unit, 1) ? ', 3' : ''}); }`,
        `  ${member(unit, 'public ')}`,
        `  sealed interface Part${id} permits Leaf${id}, Node${id} {}`,
        `  static final class Leaf${id} implements Part${id} { int l = ${n}; }`,
        `  static final class Node${id} implements Part${id} {}`,
        use(unit, uses.joined, 'public '),
        `  ${uses.members}`,
        '}',
      ].join('\n');
    },
    mention(unit, from, form): Mention {
      const made = from === 'java' ? `new ${fullName(unit)}()` : `${fullName(unit)}()`;
      return { expression: form % 2 === 0 ? `${made}.b()` : `${made}.v${unit.id}(1)` };
    },
  },
};
