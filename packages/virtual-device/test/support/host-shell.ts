import { execFile } from 'node:child_process';

/** The referee of the device's shell: what the host's own POSIX shell prints for a script, and its exit code behind that. */
export function hostShell(script: string): Promise<string> {
  return new Promise((resolve) => {
    const env = { PATH: '/usr/bin:/bin', HOME: '/' };
    execFile('/bin/sh', ['-c', script], { cwd: '/', env }, (error, stdout) => {
      resolve(`${stdout}[${typeof error?.code === 'number' ? error.code : 0}]`);
    });
  });
}
