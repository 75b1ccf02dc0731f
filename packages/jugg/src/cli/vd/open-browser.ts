import { spawn } from 'node:child_process';

/**
 * Opens an address in the user's browser; false where there is none: no desktop, or no program that opens things.
 * `BROWSER=none` keeps it closed.
 */
export async function openBrowser(
  url: string,
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): Promise<boolean> {
  if (env['BROWSER'] === 'none' || env['CI']) return false;
  const desktop = env['DISPLAY'] ?? env['WAYLAND_DISPLAY'] ?? '';
  if (platform === 'linux' && desktop === '') return false;
  const [program, ...args] = openerFor(platform);
  return new Promise((resolve) => {
    const child = spawn(program, [...args, url], { detached: true, stdio: 'ignore', windowsHide: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}

function openerFor(platform: NodeJS.Platform): readonly [string, ...string[]] {
  if (platform === 'darwin') return ['open'];
  // `start` is a word of cmd, which would read the `&` of an address.
  return platform === 'win32' ? ['rundll32', 'url.dll,FileProtocolHandler'] : ['xdg-open'];
}
