import { evaluate } from './arith.ts';
import type { Assign } from './ast.ts';
import { expandSingle, expandWords } from './expand.ts';
import type { Expander } from './expander.ts';

/** The values of the assignments before a command, which gets them; lists of values are for the shell only. */
export async function assignedValues(
  assigns: readonly Assign[],
  on: Expander,
): Promise<ReadonlyMap<string, string>> {
  const all = new Map<string, string>();
  for (const { name, append, value } of assigns) {
    if ('elements' in value) continue;
    const before = append ? (all.get(name) ?? on.state.vars.get(name) ?? '') : '';
    all.set(name, before + (await expandSingle(value, on)));
  }
  return all;
}

/** Assigns; the value is what each name has got, for `set -x`. */
export async function applyAssigns(
  assigns: readonly Assign[],
  on: Expander,
): Promise<ReadonlyMap<string, string>> {
  const { vars } = on.state;
  const attributes = on.state.options.has('allexport') ? { exported: true } : {};
  const shown = new Map<string, string>();
  for (const { name, subscript, append, value } of assigns) {
    if ('elements' in value) {
      vars.setArray(name, await expandWords(value.elements, on), append);
      continue;
    }
    const text = await expandSingle(value, on);
    const index = subscript ? evaluate(await expandSingle(subscript, on), vars) : 0;
    const before = append ? (vars.get(name, index) ?? '') : '';
    vars.setElement(name, index, before + text, attributes);
    shown.set(subscript ? `${name}[${String(index)}]` : name, before + text);
  }
  return shown;
}
