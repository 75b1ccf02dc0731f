import type { z } from 'zod';
import { fail, type Result } from '../shared/outcome.ts';
import type { Contract } from './action.ts';

/** Tools without a project take a `projectDir` all the same: clients that always send one need not know better. */
const IGNORES_PROJECT_DIR: ReadonlySet<string> = new Set(['version', 'list-projects']);

/** Parses the arguments of a call; `INVALID_PARAMS` names the argument, what it got and what it expects. */
export function parseArguments<I extends z.ZodType>(
  contract: Pick<Contract<I>, 'name' | 'input'>,
  given: unknown,
): Result<z.output<I>> {
  const source = given ?? {};
  const parsed = contract.input.safeParse(
    IGNORES_PROJECT_DIR.has(contract.name) ? withoutProjectDir(source) : source,
    {
      reportInput: true,
    },
  );
  if (parsed.success) return { ok: true, value: parsed.data };
  const problems = parsed.error.issues.slice(0, 5).map((issue) => describe(issue, contract));
  return fail('INVALID_PARAMS', problems.join('; '), {
    data: { arguments: parsed.error.issues.map((issue) => pathOf(issue.path)).filter((path) => path !== '') },
  });
}

function withoutProjectDir(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || !('projectDir' in given)) return given;
  const { projectDir: _, ...rest } = given;
  return rest;
}

function describe(issue: z.core.$ZodIssue, contract: Pick<Contract, 'name' | 'input'>): string {
  const path = pathOf(issue.path);
  if (issue.code === 'unrecognized_keys') {
    const where = path === '' ? contract.name : path;
    return `${where} does not take ${issue.keys.map((key) => `"${key}"`).join(', ')}; it takes ${expectedNames(contract.input, issue.path).join(', ') || 'no arguments'}`;
  }
  const subject = path === '' ? 'arguments' : path;
  const got =
    'input' in issue && issue.input !== undefined ? `got ${shorten(issue.input)}, ` : 'it is missing, ';
  return `${subject}: ${got}${expectation(issue)}`;
}

function expectation(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${article(issue.expected)}`;
    case 'invalid_value':
      return `expected one of ${issue.values.map((value) => String(value)).join(', ')}`;
    case 'too_small':
      return `expected ${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}${unit(issue.origin)}`;
    case 'too_big':
      return `expected ${issue.inclusive ? 'at most' : 'less than'} ${issue.maximum}${unit(issue.origin)}`;
    case 'custom':
      return issue.message;
    default:
      return issue.message;
  }
}

function article(type: string): string {
  if (type === 'int') return 'a whole number';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function unit(origin: string): string {
  if (origin === 'array') return ' entries';
  return origin === 'string' ? ' characters' : '';
}

function shorten(value: unknown): string {
  const json = JSON.stringify(value) ?? String(value);
  return json.length > 80 ? `${json.slice(0, 80)}…` : json;
}

/** `expressions[2]`, `target.text`. */
function pathOf(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) =>
      typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${String(part)}`,
    )
    .join('');
}

/** Names of the fields that the object at `path` takes. */
function expectedNames(schema: unknown, path: readonly PropertyKey[]): readonly string[] {
  let at: unknown = schema;
  for (const part of path) at = child(at, part);
  const shape = property(unwrap(at), 'shape');
  return typeof shape === 'object' && shape !== null ? Object.keys(shape) : [];
}

function child(schema: unknown, part: PropertyKey): unknown {
  const inner = unwrap(schema);
  return typeof part === 'number' ? property(inner, 'element') : property(property(inner, 'shape'), part);
}

/** Takes optional and default wrappers off. */
function unwrap(schema: unknown): unknown {
  let at = schema;
  for (
    let inner = property(property(at, 'def'), 'innerType');
    inner !== undefined;
    inner = property(property(at, 'def'), 'innerType')
  )
    at = inner;
  return at;
}

function property(value: unknown, key: PropertyKey): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
