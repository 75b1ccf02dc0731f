import { digest } from '../project/changes.ts';
import type { ClassInfo } from '../toolchain/types.ts';

/**
 * The classes with digests that also tell of the private members which the classes of a nest use of each other. D8 gives
 * those accessors, in the class that declares them: its code and its shape on a device are others when another class
 * of the nest begins to use one, though its class file is the same.
 */
export function withNests(classes: readonly ClassInfo[]): ClassInfo[] {
  const privates = new Set(classes.flatMap(({ nest }) => nest?.privates ?? []));
  /** Uses of private members by the class that declares them. */
  const uses = new Map<string, Set<string>>();
  const outgoing = new Map<string, string[]>();
  for (const { name, nest } of classes) {
    for (const access of nest?.accesses ?? []) {
      const member = access.replace(/ =$/, '');
      if (!privates.has(member)) continue;
      const owner = member.slice(0, member.lastIndexOf('.', member.indexOf(' '))).replaceAll('/', '.');
      uses.set(owner, (uses.get(owner) ?? new Set()).add(access));
      outgoing.set(name, [...(outgoing.get(name) ?? []), access]);
    }
  }
  return classes.map((info) => {
    const both = [[...(uses.get(info.name) ?? [])].sort(), (outgoing.get(info.name) ?? []).sort()];
    if (both.every((list) => list.length === 0)) return info;
    const text = JSON.stringify(both);
    return { ...info, bytes: digest(info.bytes + text), shape: digest(info.shape + text) };
  });
}
