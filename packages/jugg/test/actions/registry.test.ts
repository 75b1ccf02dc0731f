import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { z } from 'zod';
import { describe, expect, test } from 'vitest';
import { LISTED } from '../../src/actions/names.ts';
import { allContracts, listedActions } from '../../src/actions/registry.ts';
import { outputJsonSchema, toTool, toolList } from '../../src/mcp/tools.ts';

/** Contract §3: all tools together. */
const LIST_BYTES = 24_000;

const LIST_TOKENS = 6000;

/** Counted with o200k_base, the encoding of a public tokenizer (tiktoken): each model has its own, most are near it. */
function listTokens(): number {
  return new Tiktoken(o200k).encode(JSON.stringify({ tools: allContracts().map(toTool) })).length;
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
    const bytes = Buffer.byteLength(JSON.stringify({ tools: allContracts().map(toTool) }));
    expect(bytes).toBeLessThanOrEqual(LIST_BYTES);
    expect(listTokens()).toBeLessThanOrEqual(LIST_TOKENS);
    expect(JSON.stringify(toolList())).not.toMatch(/\$schema|9007199254740991/);
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
