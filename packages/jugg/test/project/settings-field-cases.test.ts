import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { findProjectRoot, readGradleFile } from '../../src/project/gradle-files.ts';
import { readSettings } from '../../src/project/settings.ts';
import { differences, fieldCases } from '../formats/field-case.ts';

const inputSchema = z.object({ files: z.record(z.string(), z.string()), projectDir: z.string().optional() });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jugg-settings-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

test.each(fieldCases('gradle-settings'))('%s', async (id, of) => {
  const input = inputSchema.parse(of.input);
  const dir = join(folder, id.replace(/\W+/g, '-'));
  for (const [path, text] of Object.entries(input.files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), text);
  }
  const root = await findProjectRoot(join(dir, input.projectDir ?? '.'));
  const file = root === null ? null : await readGradleFile(root, 'settings');
  if (root === null || file === null) throw new Error('no settings file was found');
  const settings = readSettings(file.text, file.language, file.path);
  const answer = {
    modules: settings.modules,
    moduleDirs: Object.fromEntries(settings.moduleDirs),
    includedBuilds: settings.includedBuilds,
    certain: settings.doubts.length === 0,
    settingsFile: basename(file.path),
    rootDir: relative(dir, root) || '.',
  };
  expect(differences(answer, of.expect)).toEqual([]);
});
