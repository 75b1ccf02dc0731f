/**
 * Java takes the encoding of file names from the locale and knows no flag for it: without a UTF-8 locale a path with
 * letters beyond ASCII cannot be opened on Linux.
 */
export function javaEnvironment(
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): NodeJS.ProcessEnv {
  if (platform !== 'linux') return env;
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '';
  return /utf-?8/i.test(locale) ? env : { ...env, LC_ALL: 'C.UTF-8' };
}
