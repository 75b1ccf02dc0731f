import { patternTest } from '../formats/pattern.ts';
import { fail, ok, type Result } from '../shared/outcome.ts';
import type { Target, ViewNode } from './tree.ts';

/** One field of a target: whether a node has it, and how far from it the node is. */
export interface Criterion {
  readonly field: keyof Target;
  matches(node: ViewNode): boolean;
  /** 0 (equal) to 1 (nothing alike); 1 also where the node has no such property. */
  distance(node: ViewNode): number;
  /** What the node has instead, for people. */
  describe(node: ViewNode): string;
}

/** `pkg:id/name` fits itself and the short forms `name`, `id/name` and `@id/name`. */
export function idMatches(full: string | null, wanted: string): boolean {
  if (full === null) return false;
  return full === wanted || full.split('/').at(-1) === wanted.replace(/^@?\+?(?:id\/)?/, '');
}

/** A class by its full or its simple name. */
export function classMatches(full: string, wanted: string): boolean {
  return full === wanted || full.slice(full.lastIndexOf('.') + 1) === wanted;
}

/** Sørensen–Dice over pairs of letters: cheap, and fair to texts that differ in a number or a word. */
export function unlike(a: string, b: string): number {
  const [left, right] = [pairs(a), pairs(b)];
  if (a.toLowerCase() === b.toLowerCase()) return a === b ? 0 : 0.05;
  const total = left.length + right.length;
  if (total === 0) return 1;
  const rest = [...right];
  let common = 0;
  for (const pair of left) {
    const at = rest.indexOf(pair);
    if (at < 0) continue;
    common += 1;
    rest.splice(at, 1);
  }
  return 1 - (2 * common) / total;
}

function pairs(text: string): string[] {
  const lower = text.toLowerCase().slice(0, 200);
  return Array.from({ length: Math.max(0, lower.length - 1) }, (_, i) => lower.slice(i, i + 2));
}

function quoted(text: string | null): string {
  return text === null ? 'none' : `'${text.length > 60 ? `${text.slice(0, 60)}…` : text}'`;
}

function criterion(
  field: keyof Target,
  name: string,
  get: (node: ViewNode) => string | null,
  wanted: string,
  test: (value: string) => boolean,
): Criterion {
  return {
    field,
    matches: (node) => {
      const value = get(node);
      return value !== null && test(value);
    },
    distance: (node) => {
      const value = get(node);
      if (value === null) return 1;
      return test(value) ? 0 : Math.max(0.05, unlike(value, wanted));
    },
    describe: (node) => `${name} is ${quoted(get(node))}, wanted ${quoted(wanted)}`,
  };
}

/** The criteria of a target; `INVALID_PARAMS` when it is empty, `INVALID_REGEX` when its pattern is broken. */
export function criteria(target: Target): Result<readonly Criterion[]> {
  const all: Criterion[] = [];
  const add = (...args: Parameters<typeof criterion>): void => void all.push(criterion(...args));
  const { text, resourceId, contentDesc, className, testTag, ref, textContains, textMatches } = target;
  if (ref !== undefined) {
    const isIt = (node: ViewNode): boolean => node.ref === ref;
    const describe = (node: ViewNode): string => `ref is ${node.ref}, wanted ${ref}`;
    // A number is no name: one that looks like it is not near.
    all.push({ field: 'ref', matches: isIt, distance: (node) => (isIt(node) ? 0 : 1), describe });
  }
  if (text !== undefined)
    add(
      'text',
      'text',
      (node) => node.text,
      text,
      (value) => value === text,
    );
  if (textContains !== undefined)
    add(
      'textContains',
      'text',
      (node) => node.text,
      textContains,
      (value) => value.includes(textContains),
    );
  if (textMatches !== undefined) {
    const pattern = patternTest(textMatches, 'target.textMatches');
    if (!pattern.ok) return pattern;
    add(
      'textMatches',
      'text',
      (node) => node.text,
      textMatches,
      (value) => pattern.value(value),
    );
  }
  if (contentDesc !== undefined)
    add(
      'contentDesc',
      'contentDesc',
      (node) => node.contentDesc,
      contentDesc,
      (value) => value === contentDesc,
    );
  if (resourceId !== undefined)
    add(
      'resourceId',
      'resourceId',
      (node) => node.resourceId,
      resourceId,
      (value) => idMatches(value, resourceId),
    );
  if (className !== undefined)
    add(
      'className',
      'className',
      (node) => node.className,
      className,
      (value) => classMatches(value, className),
    );
  if (testTag !== undefined)
    add(
      'testTag',
      'testTag',
      (node) => node.testTag,
      testTag,
      (value) => value === testTag,
    );
  if (all.length === 0) return fail('INVALID_PARAMS', 'target: needs at least one field.');
  return ok(all);
}
