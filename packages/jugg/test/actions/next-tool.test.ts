import { expect, test } from 'vitest';
import { nextTool } from '../../src/actions/next-tool.ts';

const projectDir = '/p';

test.each([
  [
    'where the tool was, not what it did',
    { code: 'ELEMENT_NOT_FOUND', tool: 'tap', given: { projectDir, serial: 's', target: { text: 'x' } } },
    { name: 'layout-dump', arguments: { projectDir, serial: 's' } },
  ],
  [
    'all devices of the call',
    { code: 'DEPLOY_FAILED', tool: 'deploy', given: { projectDir, serials: ['a', 'b'], timeoutMs: 9 } },
    { name: 'clean-reinstall', arguments: { projectDir, serials: ['a', 'b'] } },
  ],
  [
    'the app of another key goes with a clean reinstall',
    {
      code: 'INSTALL_FAILED',
      data: { reason: 'INSTALL_FAILED_UPDATE_INCOMPATIBLE' },
      tool: 'deploy',
      given: { projectDir },
    },
    { name: 'clean-reinstall', arguments: { projectDir } },
  ],
  [
    'the disk does not',
    {
      code: 'INSTALL_FAILED',
      data: { reason: 'INSTALL_FAILED_INSUFFICIENT_STORAGE' },
      tool: 'deploy',
      given: { projectDir },
    },
    null,
  ],
  [
    'a tool is not its own remedy',
    { code: 'DEPLOY_FAILED', tool: 'clean-reinstall', given: { projectDir } },
    null,
  ],
  [
    'restart starts the app of the project, not any',
    { code: 'APP_NOT_RUNNING', tool: 'layout-dump', given: { projectDir, package: 'other.app' } },
    null,
  ],
  [
    'a mistake in the code has no tool',
    { code: 'COMPILE_ERROR', tool: 'compile', given: { projectDir } },
    null,
  ],
] as const)('%s', (_, { tool, given, ...fault }, expected) => {
  expect(nextTool({ message: '', ...fault }, tool, given)).toEqual(expected);
});
