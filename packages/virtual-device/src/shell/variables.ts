import { evaluate } from './arith.ts';
import { ShellFault } from './faults.ts';

/** Attributes that `typeset` gives a variable. */
export interface Attributes {
  readonly exported?: boolean;
  readonly readonly?: boolean;
  /** What is assigned is an expression. */
  readonly integer?: boolean;
  readonly letters?: 'upper' | 'lower' | null;
  /** `-Z<n>`: filled up with zeros to that many characters. */
  readonly zeros?: number;
}

interface Variable {
  readonly attributes: Attributes;
  /** By index; 0 is the value of what is no array. Empty: declared only. */
  readonly elements: ReadonlyMap<number, string>;
}

/** A variable as it was, to be put back: what `local` hides. */
export type Hidden = Variable | undefined;

const NONE: ReadonlyMap<number, string> = new Map();

/** The variables of one shell. What is read-only stays: to change it is a {@link ShellFault}. */
export class Variables {
  readonly #all: Map<string, Variable>;

  constructor(exported: Iterable<readonly [string, string]> = []) {
    this.#all = new Map();
    for (const [name, value] of exported) this.set(name, value, { exported: true });
  }

  copy(): Variables {
    const copy = new Variables();
    for (const [name, variable] of this.#all) copy.#all.set(name, variable);
    return copy;
  }

  get(name: string, index = 0): string | undefined {
    return this.#all.get(name)?.elements.get(index);
  }

  /** Its elements in the order of their indices; one for what is no array. */
  elements(name: string): readonly (readonly [number, string])[] {
    return [...(this.#all.get(name)?.elements ?? NONE)].sort(([a], [b]) => a - b);
  }

  set(name: string, value: string, attributes: Attributes = {}): void {
    this.setElement(name, 0, value, attributes);
  }

  setElement(name: string, index: number, value: string, attributes: Attributes = {}): void {
    const before = this.#writable(name);
    const after = { ...before.attributes, ...attributes };
    const elements = new Map(before.elements).set(index, this.#converted(value, after));
    this.#all.set(name, { attributes: after, elements });
  }

  setArray(name: string, values: readonly string[], append = false): void {
    const before = this.#writable(name);
    const elements = new Map(append ? before.elements : NONE);
    let next = Math.max(-1, ...elements.keys()) + 1;
    for (const value of values) elements.set(next++, this.#converted(value, before.attributes));
    this.#all.set(name, { ...before, elements });
  }

  /** Adds attributes; a value that is there becomes what they ask for. */
  declare(name: string, attributes: Attributes): void {
    const value = this.get(name);
    const { readonly = false, ...others } = attributes;
    const known = this.#all.get(name);
    if (value !== undefined && Object.keys(others).some((key) => key !== 'exported'))
      this.set(name, value, others);
    const now = this.#all.get(name) ?? { attributes: {}, elements: NONE };
    const kept = readonly || known?.attributes.readonly ? { readonly: true } : {};
    this.#all.set(name, { ...now, attributes: { ...now.attributes, ...others, ...kept } });
  }

  /** Removes it, or one element. */
  unset(name: string, index: number | null = null): void {
    const before = this.#writable(name);
    if (index === null) this.#all.delete(name);
    else {
      const elements = new Map(before.elements);
      elements.delete(index);
      this.#all.set(name, { ...before, elements });
    }
  }

  attributes(name: string): Attributes | undefined {
    return this.#all.get(name)?.attributes;
  }

  /** Of those that have a value, sorted. */
  names(): string[] {
    return [...this.#all.keys()].filter((name) => this.get(name) !== undefined).sort();
  }

  /** Takes it out of the way. */
  hide(name: string): Hidden {
    const hidden = this.#all.get(name);
    if (!hidden?.attributes.readonly) this.#all.delete(name);
    return hidden;
  }

  restore(name: string, hidden: Hidden): void {
    if (hidden) this.#all.set(name, hidden);
    else this.#all.delete(name);
  }

  /** What a program that is started sees. */
  environment(): Map<string, string> {
    const all = new Map<string, string>();
    for (const [name, { attributes }] of this.#all) {
      const value = this.get(name);
      if (attributes.exported && value !== undefined) all.set(name, value);
    }
    return all;
  }

  #writable(name: string): Variable {
    const variable = this.#all.get(name) ?? { attributes: {}, elements: NONE };
    if (variable.attributes.readonly) throw new ShellFault(`${name}: is read only`, 2);
    return variable;
  }

  #converted(value: string, { integer, letters, zeros }: Attributes): string {
    const cased =
      letters === 'upper' ? value.toUpperCase() : letters === 'lower' ? value.toLowerCase() : value;
    const text = integer ? String(evaluate(cased, this)) : cased;
    return zeros === undefined ? text : text.padStart(zeros, '0').slice(-zeros);
  }
}
