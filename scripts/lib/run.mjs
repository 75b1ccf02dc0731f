import { spawn } from 'node:child_process';

/** Runs a program to its end with its output shown (`quiet`: only standard error); exits like it when it fails. */
export function run(command, args, { cwd, quiet = false, env = process.env } = {}) {
  return new Promise((resolve) => {
    const shell = process.platform === 'win32' && (command === 'npm' || command === 'mvn');
    const child = spawn(shell ? `${command}.cmd` : command, args, {
      cwd,
      env,
      shell,
      stdio: ['ignore', quiet ? 'ignore' : 'inherit', 'inherit'],
    });
    child.on('error', (error) => {
      console.error(`${command} could not be started: ${error.message}`);
      process.exit(1);
    });
    child.on('exit', (code, signal) => {
      if (code === 0) return resolve();
      console.error(`${command} ${args.join(' ')} failed (${signal ?? `exit code ${code}`})`);
      process.exit(code ?? 1);
    });
  });
}

/** Says what is done now, and how long it took. */
export async function step(name, work) {
  const started = performance.now();
  console.error(`setup: ${name} …`);
  await work();
  console.error(`setup: ${name}: ${((performance.now() - started) / 1000).toFixed(1)} s`);
}
