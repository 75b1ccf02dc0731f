/**
 * Java takes the encoding of file names from the locale and knows no flag for it: without a UTF-8 locale a path with
 * letters beyond ASCII cannot be opened on Linux. The user's own is not taken even where it says UTF-8: in containers and
 * over ssh it is often one that is not installed there, and then counts as none.
 */
export function javaEnvironment(
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): NodeJS.ProcessEnv {
  return platform === 'linux' ? { ...env, LC_ALL: 'C.UTF-8' } : env;
}
