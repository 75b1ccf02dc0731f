import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';
import type { Contract } from '../../actions/action.ts';
import { argumentNote } from '../../actions/argument-notes.ts';
import { LISTED } from '../../actions/names.ts';
import { allContracts } from '../../actions/registry.ts';
import { inputJsonSchema, outputJsonSchema, toTool } from '../../mcp/tools.ts';
import { cell, fieldsOf, limitsText, typeText } from './schema-text.ts';

function isListed(name: string): boolean {
  return LISTED.some((listed) => listed === name);
}

/** What `tools/list` costs a model, with all definitions in it: bytes of JSON, tokens by the encoding o200k_base. */
export function listCost(): { readonly bytes: number; readonly tokens: number } {
  const list = JSON.stringify({ tools: allContracts().map(toTool) });
  return { bytes: Buffer.byteLength(list), tokens: new Tiktoken(o200k).encode(list).length };
}

/** All that a client's author needs: the protocol, then each tool with its arguments and its `data`. */
export function toolReference(protocol: string): string {
  const working = allContracts().filter((contract) => isListed(contract.name));
  const later = allContracts().filter((contract) => !isListed(contract.name));
  const { bytes, tokens } = listCost();
  return `${protocol.trimEnd()}

# Tools

With all definitions \`tools/list\` has ${bytes} bytes, ${tokens} tokens (o200k_base). A \`?\` marks what need not be there; \`[x]\` is a
default. The same as JSON Schema: [reference/schemas/](reference/schemas/), and the MCP resource \`jugg://schema/<tool>\`
(\`output\` there describes \`data\`). Error codes: [reference/errors.md](reference/errors.md).

${working.map(tool).join('\n')}
## Defined, not working yet

The contract of these tools stands; they are neither listed nor callable: ${later.map(({ name }) => `\`${name}\``).join(', ')}.
`;
}

function tool(contract: Contract): string {
  const { name, title, description } = contract;
  const given = fieldsOf(inputJsonSchema(contract)).map(
    ({ name: argument, required, schema }) =>
      `| \`${argument}${required ? '' : '?'}\` | ${cell(typeText(schema))}${limitsText(schema)} | ${argumentNote(name, [argument])} |`,
  );
  const data = fieldsOf(outputJsonSchema(contract)).map(
    (field) => `| \`${field.name}${field.required ? '' : '?'}\` | ${cell(typeText(field.schema))} |`,
  );
  const table =
    given.length === 0 ? 'No arguments.' : ['| argument | type | |', '|---|---|---|', ...given].join('\n');
  return `## ${name}

${title}. ${description}

${table}

| \`data\` | type |
|---|---|
${data.join('\n')}
`;
}
