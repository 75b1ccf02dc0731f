import { expect, test } from 'vitest';
import { isWrapper } from '../../src/mcp/client-process.ts';

test.each([
  [true, ['sh', '-c', 'jugg mcp']],
  [true, ['/bin/bash', '/usr/local/bin/start-jugg.sh']],
  [true, ['npm exec jugg mcp']],
  [true, ['node', '/usr/lib/node_modules/npm/bin/npx-cli.js', 'jugg', 'mcp']],
  [true, ['/usr/bin/node', '/opt/pnpm/pnpm.cjs', 'dlx', 'jugg']],
  [true, ['npx']],
  // A person's own shell, an agent, an editor.
  [false, ['bash']],
  [false, ['-zsh']],
  [false, ['bash', '--login']],
  [false, ['node', '/home/me/agent/index.js', 'npx']],
  [false, ['/usr/share/code/code', '--ms-enable-electron-run-as-node']],
  [false, []],
])('%s: %j', (wrapper, command) => {
  expect(isWrapper(command)).toBe(wrapper);
});
