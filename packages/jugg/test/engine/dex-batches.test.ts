import { expect, test } from 'vitest';
import { batchesOf } from '../../src/engine/stages/dex.ts';
import type { ClassInfo } from '../../src/toolchain/types.ts';

function classNamed(name: string): ClassInfo {
  const empty = { references: [], shown: [], constants: [], interfaces: [], nest: null, nested: '' };
  return { ...empty, name, file: '', bytes: '', shape: '', abi: '', sourceFile: null, superName: null };
}

test('lots are full, and no class is parted from those that are nested in it', () => {
  const names = ['A', 'B', 'A$1', 'C', 'C$X', 'C$X$1', 'C$Y', 'D', 'B$1'];
  const batches = batchesOf(names.map(classNamed), 3);
  expect(batches.map((batch) => batch.map(({ name }) => name))).toEqual([
    ['A', 'A$1'],
    ['B', 'B$1'],
    ['C', 'C$X', 'C$X$1', 'C$Y'],
    ['D'],
  ]);
  expect(batchesOf(names.map(classNamed), 9)).toHaveLength(1);
  expect(batchesOf([], 9)).toEqual([]);
});
