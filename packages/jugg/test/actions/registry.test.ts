import { z } from 'zod';
import { describe, expect, test } from 'vitest';
import { LISTED } from '../../src/actions/names.ts';
import { allContracts, listedActions } from '../../src/actions/registry.ts';
import { ARGUMENT_NOTES, argumentNote } from '../../src/actions/argument-notes.ts';
import { listCost } from '../../src/cli/docs/tool-reference.ts';
import { inputJsonSchema, outputJsonSchema, toolList } from '../../src/mcp/tools.ts';

/** Contract §3: all tools together. */
const LIST_BYTES = 24_000;

const LIST_TOKENS = 6000;

const withFields = z.looseObject({ properties: z.record(z.string(), z.unknown()).default({}) });

/** Each argument; those of `target` have lines of their own. */
function argumentsOf(schema: unknown): string[][] {
  return Object.entries(withFields.parse(schema).properties).flatMap(([name, field]) => [
    [name],
    ...(name === 'target' ? argumentsOf(field).map((path) => [name, ...path]) : []),
  ]);
}

describe('the registry', () => {
  test('has every tool of the contract, each with its name once', () => {
    const names = allContracts().map((contract) => contract.name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.toSorted()).toEqual(
      [
        'activity-stack',
        'app',
        'cancel-job',
        'clean-reinstall',
        'compile',
        'deploy',
        'devices',
        'doctor',
        'explain',
        'figma-layout-verify',
        'get-compile-status',
        'gradle-build',
        'input',
        'instrument',
        'layout-dump',
        'layout-verify',
        'list-jobs',
        'list-projects',
        'report',
        'restart',
        'screenshot',
        'status',
        'tap',
        'version',
        'view-inspect',
        'view-locate',
        'wait-for',
        'wait-logs',
      ].toSorted(),
    );
  });

  test('lists what works, in its order, under its own name', () => {
    expect(listedActions().map((action) => action.name)).toEqual([...LISTED]);
  });

  test('stays within the budget of the list, counted with all definitions', () => {
    const { bytes, tokens } = listCost();
    expect(bytes).toBeLessThanOrEqual(LIST_BYTES);
    expect(tokens).toBeLessThanOrEqual(LIST_TOKENS);
    expect(JSON.stringify(toolList())).not.toMatch(/\$schema|9007199254740991/);
  });

  test('says for people what each argument is, and nothing of arguments that there are not', () => {
    const used = allContracts().flatMap((contract) =>
      argumentsOf(inputJsonSchema(contract)).map((path) => ({ tool: contract.name, path })),
    );
    expect(used.filter(({ tool, path }) => argumentNote(tool, path) === '')).toEqual([]);
    const names = new Set(used.flatMap(({ tool, path }) => [path.join('.'), `${tool}.${path.join('.')}`]));
    expect(Object.keys(ARGUMENT_NOTES).filter((name) => !names.has(name))).toEqual([]);
  });

  test.each(allContracts().map((contract) => [contract.name, contract] as const))(
    '%s says when to use it, strictly',
    (_name, contract) => {
      expect(contract.description.length).toBeGreaterThan(30);
      expect(contract.description.split(/\.(?:\s|$)/).filter(Boolean).length).toBeLessThanOrEqual(2);
      expect(z.toJSONSchema(contract.input, { io: 'input' })).toMatchObject({
        type: 'object',
        additionalProperties: false,
      });
      expect(outputJsonSchema(contract)).toMatchObject({ type: 'object' });
    },
  );
});
