/** A class as far as it matters for who depends on it. */
export interface ClassNode {
  readonly name: string;
  readonly superName: string | null;
  readonly interfaces: readonly string[];
  readonly references: readonly string[];
  /** Those of them that its users get to see through it. */
  readonly shown: readonly string[];
}

/** A class whose face to other classes is not what it was. */
export interface ChangedClass {
  readonly name: string;
  /** `follows`: nobody edited it, it may change with another one. */
  readonly kind: 'added' | 'removed' | 'changed' | 'follows';
  /** Simple names of its constants, before and after: class files that use them do not say so. */
  readonly constants: readonly string[];
  /** False when nothing but its direct users can notice: R classes, whose members are plain numbers. */
  readonly spreads: boolean;
}

/** A source file that may have to be compiled again. */
export interface SourceNode {
  readonly file: string;
  /** Binary names of the classes it was compiled to. */
  readonly classes: readonly string[];
  /** Every identifier in its text. */
  readonly identifiers: ReadonlySet<string>;
}

/**
 * The sources that must be compiled again because other classes changed, each with the reason. Rather too many than one
 * missed:
 * - who mentions a changed class, or a class below one (an inherited member leaves no trace of the class that declares it);
 * - who mentions a class that shows a changed one: types travel through signatures (`List<Changed>`) that the class file of a
 *   user does not repeat. A class that uses a changed one within its methods only passes nothing on;
 * - who writes the name of a constant of a changed class: its value was copied;
 * - who writes the simple name of a class that came or went: another one may be meant now; and of a changed annotation, which
 *   leaves no trace where it is for the source only.
 */
export function affectedSources(
  changed: readonly ChangedClass[],
  classes: readonly ClassNode[],
  sources: readonly SourceNode[],
): Map<string, string> {
  const because = new Map<string, string>();
  if (changed.length === 0) return because;
  const reasons = reach(changed, classes);
  const identifiers = new Map<string, string>();
  const annotations = new Set(classes.filter(isAnnotation).map(({ name }) => name));
  for (const one of changed) {
    for (const constant of one.constants)
      identifiers.set(constant, `the constant ${constant} of ${one.name}`);
    if (isNews(one)) identifiers.set(simpleName(one.name), `${one.name} was ${one.kind}`);
    else if (annotations.has(one.name)) identifiers.set(simpleName(one.name), `${one.name} changed`);
  }
  for (const source of sources) {
    const reached = source.classes.find((name) => reasons.has(name));
    if (reached !== undefined) {
      because.set(source.file, reasons.get(reached) ?? '');
      continue;
    }
    const reason = written(identifiers, source.identifiers);
    if (reason !== undefined) because.set(source.file, reason);
  }
  return because;
}

/** The reason of the first name that a source writes; goes over the smaller side, as an R class has thousands of constants. */
function written(reasons: ReadonlyMap<string, string>, names: ReadonlySet<string>): string | undefined {
  if (names.size < reasons.size) {
    for (const name of names) if (reasons.has(name)) return reasons.get(name);
    return undefined;
  }
  for (const [name, reason] of reasons) if (names.has(name)) return reason;
  return undefined;
}

const WORDS = {
  added: 'was added',
  removed: 'was removed',
  changed: 'changed',
  follows: 'may follow a changed one',
} as const;

function isNews({ kind }: ChangedClass): boolean {
  return kind === 'added' || kind === 'removed';
}

export function isAnnotation({ interfaces }: ClassNode): boolean {
  return interfaces.includes('java.lang.annotation.Annotation');
}

/** What users of a class are told. */
interface Spreading {
  readonly reason: string;
  /** Whether classes that show it pass it on. */
  readonly spreads: boolean;
}

/**
 * The classes that can notice the change, with the reason; the changed classes themselves only if others reach them. Each
 * round goes over all classes: there are few rounds, and an index of who uses whom takes longer than ten of them.
 */
function reach(changed: readonly ChangedClass[], classes: readonly ClassNode[]): Map<string, string> {
  const reasons = new Map<string, string>();
  const passedOn = new Set<string>();
  let round = new Map<string, Spreading>();
  for (const { name, kind, spreads } of changed) {
    round.set(name, { reason: `uses ${name}, which ${WORDS[kind]}`, spreads });
  }
  while (round.size > 0) {
    const next = new Map<string, Spreading>();
    for (const node of classes) {
      const above = node.superName === null ? node.interfaces : [node.superName, ...node.interfaces];
      const used = first(node.references, round) ?? first(above, round);
      if (used !== undefined && !reasons.has(node.name)) reasons.set(node.name, used.reason);
      const carries = isCarrier(node.shown, round) || isCarrier(above, round);
      if (!carries || passedOn.has(node.name)) continue;
      passedOn.add(node.name);
      const reason = `uses ${node.name}, which shows a changed class`;
      next.set(node.name, { reason, spreads: true });
    }
    round = next;
  }
  return reasons;
}

function first(names: readonly string[], round: ReadonlyMap<string, Spreading>): Spreading | undefined {
  for (const name of names) {
    const found = round.get(name);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isCarrier(names: readonly string[], round: ReadonlyMap<string, Spreading>): boolean {
  return names.some((name) => round.get(name)?.spreads === true);
}

/** `com.example.Outer$Inner` → `Inner`. */
export function simpleName(binaryName: string): string {
  return binaryName.slice(Math.max(binaryName.lastIndexOf('.'), binaryName.lastIndexOf('$')) + 1);
}

/** Two states of a class by name: what other classes see (`abi`), and the constants it declares. */
export interface ClassFace {
  readonly abi: string;
  readonly constants: readonly string[];
}

/** The classes whose face differs between two states. */
export function changedFaces(
  before: ReadonlyMap<string, ClassFace>,
  after: ReadonlyMap<string, ClassFace>,
): ChangedClass[] {
  const changed: ChangedClass[] = [];
  const add = (name: string, kind: ChangedClass['kind'], constants: readonly string[]): void => {
    changed.push({ name, kind, constants, spreads: !isResourceClass(name) });
  };
  for (const [name, face] of after) {
    const old = before.get(name);
    if (old === undefined) add(name, 'added', face.constants);
    else if (old.abi !== face.abi) add(name, 'changed', [...new Set([...old.constants, ...face.constants])]);
  }
  for (const [name, face] of before) if (!after.has(name)) add(name, 'removed', face.constants);
  return changed;
}

/** `com.example.R$string`. */
export function isResourceClass(name: string): boolean {
  return /(^|\.)R(\$\w+)?$/.test(name);
}
