// npm run check: format, lint, types, layers, dead code, generated docs. Runs all of them and fails when one does.
import { spawn } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const CHECKS = [
  { name: 'format', command: 'oxfmt', args: ['--check', '.'] },
  { name: 'lint', command: 'oxlint', args: ['--type-aware', '--deny-warnings'] },
  { name: 'types', command: 'tsc', args: ['-b'] },
  {
    name: 'layers',
    command: 'depcruise',
    args: ['--config', '.dependency-cruiser.cjs', 'packages/jugg/src', 'packages/virtual-device/src'],
  },
  { name: 'dead code', command: 'knip', args: [] },
  {
    name: 'generated docs',
    command: process.execPath,
    args: [join(root, 'scripts/generate-docs.mjs'), '--check'],
  },
  { name: 'house rules', command: process.execPath, args: [join(root, 'scripts/house-rules.mjs')] },
];

function run(command, args) {
  return new Promise((resolve) => {
    const local = command === process.execPath ? command : join(root, 'node_modules', '.bin', command);
    const child = spawn(local, args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
    child.on('error', () => resolve(1));
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

const failed = [];
for (const { name, command, args } of CHECKS) {
  const started = performance.now();
  const code = await run(command, args);
  console.log(
    `${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`,
  );
  if (code !== 0) failed.push(name);
}
if (failed.length > 0) {
  console.error(`check failed: ${failed.join(', ')}`);
  process.exit(1);
}
