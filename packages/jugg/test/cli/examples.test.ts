import { describe, expect, test } from 'vitest';
import { EXAMPLES } from '../../src/cli/examples.ts';
import { commandTable } from '../../src/cli/generate-table.ts';

const GLOBAL = ['--serial', '--json', '--project-dir', '--no-color'];
const { commands } = commandTable();

describe('the examples of help', () => {
  test.each(Object.entries(EXAMPLES).flatMap(([name, lines]) => lines.map((line) => [line, name] as const)))(
    '%s',
    (line, name) => {
      const command = commands.find((one) => one.name === name);
      expect(line).toMatch(new RegExp(`^jugg ${name}( |$)`));
      const known = [...(command?.options ?? []).map((option) => option.flag), ...GLOBAL];
      for (const flag of line.match(/--[a-z-]+/g) ?? []) expect(known).toContain(flag);
    },
  );
});
