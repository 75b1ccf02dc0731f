import type { Contract } from '../actions/action.ts';
import { argumentNote } from '../actions/argument-notes.ts';
import { inputJsonSchema } from '../mcp/tools.ts';
import type { ToolCommand, ToolOption } from './table-types.ts';

interface JsonSchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
}

/** Objects whose fields become options of their own: `--target-text`. */
const FLATTENED: ReadonlySet<string> = new Set(['target']);
/** Given for every command, or found out by the CLI. */
const GLOBAL: ReadonlySet<string> = new Set(['projectDir', 'serial']);

/** The command of one tool; its options come from the same schema as the MCP arguments. */
export function toCommand(contract: Contract, isJob: boolean): ToolCommand {
  const schema: JsonSchema = inputJsonSchema(contract);
  const { name, title, description } = contract;
  return { name, title, description, job: isJob, options: optionsOf(name, schema, []) };
}

function optionsOf(tool: string, schema: JsonSchema, parents: readonly string[]): readonly ToolOption[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]): readonly ToolOption[] => {
    if (parents.length === 0 && GLOBAL.has(name)) return [];
    const path = [...parents, name];
    if (FLATTENED.has(name)) return optionsOf(tool, property, path);
    const required =
      parents.length === 0 && (schema.required ?? []).includes(name) && property.default === undefined;
    return [toOption(tool, path, property, required)];
  });
}

function toOption(
  tool: string,
  path: readonly string[],
  property: JsonSchema,
  required: boolean,
): ToolOption {
  const choices = property.enum?.filter((value) => typeof value === 'string');
  return {
    flag: `--${path.map(kebab).join('-')}`,
    path,
    type: optionType(property.type),
    ...(choices && choices.length > 0 ? { choices } : {}),
    ...(property.default === undefined ? {} : { default: property.default }),
    required,
    description: argumentNote(tool, path),
  };
}

function optionType(type: string | undefined): ToolOption['type'] {
  return type === 'string' || type === 'number' || type === 'integer' || type === 'boolean' ? type : 'json';
}

function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
