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
  readonly kind: 'added' | 'removed' | 'changed';
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
    if (one.kind !== 'changed') identifiers.set(simpleName(one.name), `${one.name} was ${one.kind}`);
    else if (annotations.has(one.name)) identifiers.set(simpleName(one.name), `${one.name} changed`);
  }
  for (const source of sources) {
    const reached = source.classes.find((name) => reasons.has(name));
    if (reached !== undefined) {
      because.set(source.file, reasons.get(reached) ?? '');
      continue;
    }
    for (const [identifier, reason] of identifiers) {
      if (!source.identifiers.has(identifier)) continue;
      because.set(source.file, reason);
      break;
    }
  }
  return because;
}

function isAnnotation({ interfaces }: ClassNode): boolean {
  return interfaces.includes('java.lang.annotation.Annotation');
}

/** The classes that can notice the change, with the reason; the changed classes themselves only if others reach them. */
function reach(changed: readonly ChangedClass[], classes: readonly ClassNode[]): Map<string, string> {
  const users = new Map<string, string[]>();
  const carriers = new Map<string, string[]>();
  const add = (to: Map<string, string[]>, name: string, node: ClassNode): void => {
    const list = to.get(name);
    if (list) list.push(node.name);
    else to.set(name, [node.name]);
  };
  for (const node of classes) {
    const above = [...node.interfaces, ...(node.superName === null ? [] : [node.superName])];
    for (const name of new Set([...node.references, ...above])) add(users, name, node);
    for (const name of new Set([...node.shown, ...above])) add(carriers, name, node);
  }
  const reasons = new Map<string, string>();
  /** Changed classes, and those that pass them on. */
  const sources = new Set<string>();
  const visit = (name: string, reason: string, spreads: boolean): void => {
    for (const user of users.get(name) ?? []) if (!reasons.has(user)) reasons.set(user, reason);
    if (spreads) for (const carrier of carriers.get(name) ?? []) sources.add(carrier);
  };
  for (const one of changed) {
    const what = one.kind === 'changed' ? 'changed' : `was ${one.kind}`;
    visit(one.name, `uses ${one.name}, which ${what}`, one.spreads);
  }
  // The set grows while it is read.
  for (const next of sources) visit(next, `uses ${next}, which shows a changed class`, true);
  return reasons;
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
function isResourceClass(name: string): boolean {
  return /(^|\.)R(\$\w+)?$/.test(name);
}
