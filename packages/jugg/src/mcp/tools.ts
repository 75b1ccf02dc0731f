import { z } from 'zod';
import type { Tool } from '@modelcontextprotocol/server';
import type { Action, Contract } from '../actions/action.ts';
import { listedActions } from '../actions/registry.ts';
import { deviceChangedBy } from '../actions/shapes.ts';

/** Bounds that zod writes for every integer; they tell a client nothing and cost bytes in the list. */
const NOISE: ReadonlySet<unknown> = new Set([Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]);

/** JSON Schema of a tool's arguments, as small as it can be said. */
export function inputJsonSchema(contract: Pick<Contract, 'input'>): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(contract.input, { target: 'draft-2020-12', io: 'input' });
  return tidy(schema);
}

/** JSON Schema of a tool's `data`; any tool that works on one device may tell what others did to it. */
export function outputJsonSchema(contract: Pick<Contract, 'input' | 'output'>): Record<string, unknown> {
  const { input, output } = contract;
  const tells = input instanceof z.ZodObject && 'serial' in input.shape && 'projectDir' in input.shape;
  const whole =
    tells && output instanceof z.ZodObject && !('deviceChangedBy' in output.shape)
      ? output.extend({ deviceChangedBy })
      : output;
  return tidy(z.toJSONSchema(whole, { target: 'draft-2020-12', io: 'output' }));
}

function tidy(schema: object): Record<string, unknown> {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) =>
      (key === 'maximum' || key === 'minimum') && NOISE.has(value) ? undefined : value,
    ),
  );
}

let listed: readonly Tool[] | undefined;

/** The answer of `tools/list`; computed once. */
export function toolList(): readonly Tool[] {
  listed ??= listedActions().map(toTool);
  return listed;
}

export function toTool(
  action: Pick<Action, 'name' | 'title' | 'description' | 'input' | 'annotations'>,
): Tool {
  const { name, title, description, annotations } = action;
  // Every input is an object, which JSON Schema generation cannot express in its type.
  const inputSchema = inputJsonSchema(action) as Tool['inputSchema'];
  return { name, title, description, inputSchema, ...(annotations ? { annotations } : {}) };
}
