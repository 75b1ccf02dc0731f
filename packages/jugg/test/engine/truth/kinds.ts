import { JAVA_KINDS } from './kinds-java.ts';
import { KOTLIN_KINDS } from './kinds-kotlin.ts';
import { visibleModules, type Resource, type Unit, type World } from './world.ts';

export type Language = 'kotlin' | 'java';

/** How a user writes a mention: an expression of any type, and members of the user's own class that it needs. */
export interface Mention {
  readonly expression: string;
  readonly members?: string;
  readonly imports?: readonly string[];
}

/** What all mentions of a unit come to. */
export interface Mentions {
  /** Text in parentheses that joins all of them. */
  readonly joined: string;
  readonly members: string;
  readonly imports: string;
}

/** A kind of source file. Texts come without package and imports. */
export interface Kind {
  readonly language: Language;
  /** What other classes may make of it. */
  readonly base?: 'class' | 'interface';
  /** The release of Java that it takes. */
  readonly release?: 17;
  /** Of Kotlin's, when Java cannot say it. */
  readonly onlyKotlin?: true;
  /** Whether the file must be called like the class. */
  readonly freeFile?: true;
  /** `uses` is what the unit mentions; `base` what it extends or implements. */
  text(unit: Unit, uses: Mentions, base: Unit | null, world: World): string;
  /** `tag` makes names of the user's members unique. */
  mention(unit: Unit, from: Language, form: number, tag: string, world: World): Mention;
}

export const KINDS: Readonly<Record<string, Kind>> = { ...KOTLIN_KINDS, ...JAVA_KINDS };

export function kindOf(unit: Unit): Kind {
  const kind = KINDS[unit.kind];
  if (kind === undefined) throw new Error(`no kind ${unit.kind}`);
  return kind;
}

export const isUnit = (one: Unit | Resource): one is Unit => 'uses' in one;

/** The unit that `unit` extends or implements: the first of its uses that can be, with an even form. */
export function baseOf(unit: Unit, world: World): Unit | null {
  if (!/class|Sub$/i.test(unit.kind)) return null;
  for (const { target, form } of unit.uses) {
    const found = world.units.find(({ id }) => id === target);
    if (found !== undefined && form % 2 === 0 && found.id < unit.id && isOpen(found)) return found;
  }
  return null;
}

/** Whether `unit` can mention `target` and compile. */
export function canUse(unit: Pick<Unit, 'module' | 'kind'>, target: Unit | Resource, world: World): boolean {
  const visible = visibleModules(world, unit.module);
  if (!visible.includes(target.module)) return false;
  const module = world.modules.find(({ name }) => name === unit.module);
  if (!isUnit(target)) return module?.kind !== 'java';
  const kind = kindOf(target);
  if (kind.onlyKotlin && KINDS[unit.kind]?.language === 'java') return false;
  // What the target shows of others must be there for its users too.
  for (const other of shown(target, world)) if (!visible.includes(other.module)) return false;
  return true;
}

/** What a class can extend or implement: no data class. */
function isOpen(unit: Unit): boolean {
  return kindOf(unit).base !== undefined && !(unit.kind === 'kClass' && (unit.extra & 16) !== 0);
}

/** The classes in signatures and super types of a unit. */
function shown(unit: Unit, world: World): Unit[] {
  const found: Unit[] = [];
  const base = baseOf(unit, world);
  if (base !== null) found.push(base, ...shown(base, world));
  const made = madeBy(unit, world);
  if (made !== null) found.push(made, ...shown(made, world));
  return found;
}

/** The class that a unit's `make` function answers without saying its type. */
export function madeBy(unit: Unit, world: World): Unit | null {
  if (unit.kind !== 'kFunctions') return null;
  for (const { target } of unit.uses) {
    const found = world.units.find(({ id }) => id === target);
    if (found !== undefined && found.id < unit.id && kindOf(found).base === 'class') return found;
  }
  return null;
}

/** Kinds that declare a constant (form 1) and something whose type can be another one (form 0). */
const FOLLOWED: ReadonlySet<string> = new Set(
  'kClass kFunctions kInterface kMultiFile kFollower jClass jInterface jConstants jFollower'.split(' '),
);

/** The unit of which a follower's own constant and types are made: they change with it, though nobody edits the follower. */
export function followedBy(unit: Unit, world: World): Unit | null {
  for (const { target } of unit.uses) {
    const found = world.units.find(({ id }) => id === target);
    if (found !== undefined && found.id < unit.id && FOLLOWED.has(found.kind) && canUse(unit, found, world))
      return found;
  }
  return null;
}

export const TYPES = [
  { kotlin: 'Int', java: 'int', inKotlin: (n: number) => `${n}`, inJava: (n: number) => `${n}` },
  { kotlin: 'Long', java: 'long', inKotlin: (n: number) => `${n}L`, inJava: (n: number) => `${n}L` },
  { kotlin: 'String', java: 'String', inKotlin: (n: number) => `"s${n}"`, inJava: (n: number) => `"s${n}"` },
  {
    kotlin: 'CharSequence',
    java: 'CharSequence',
    inKotlin: (n: number) => `"c${n}"`,
    inJava: (n: number) => `"c${n}"`,
  },
  { kotlin: 'Any', java: 'Object', inKotlin: (n: number) => `"o${n}"`, inJava: (n: number) => `"o${n}"` },
  {
    kotlin: 'List<Int>',
    java: 'java.util.List<Integer>',
    inKotlin: (n: number) => `listOf(${n})`,
    inJava: (n: number) => `java.util.Collections.singletonList(${n})`,
  },
] as const;

/** Types that the literal 1 can be given for. */
export const PARAMETERS = [
  { kotlin: 'Int', java: 'int' },
  { kotlin: 'Long', java: 'long' },
  { kotlin: 'Any', java: 'Object' },
  { kotlin: 'Number', java: 'Number' },
] as const;

export const typeOf = (unit: Unit): (typeof TYPES)[number] => TYPES[unit.type % TYPES.length] ?? TYPES[0];
export const parameterOf = (unit: Unit): (typeof PARAMETERS)[number] =>
  PARAMETERS[unit.parameter % PARAMETERS.length] ?? PARAMETERS[0];

/** The name in full; units of one package may lie in several modules. */
export const fullName = (unit: Unit): string => `${unit.pkg}.${unit.name}`;
