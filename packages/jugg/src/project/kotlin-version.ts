/** Version of the Kotlin compiler in the compile host; its `runtime-artifacts.json` has the same one. */
export const KOTLIN_COMPILER = '2.4.21';

/** The oldest language that this compiler takes. */
const OLDEST = [2, 0] as const;

type Version = readonly [major: number, minor: number];

function languageOf(version: string): Version {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return [major, minor];
}

function isBefore([major, minor]: Version, other: Version): boolean {
  return major < other[0] || (major === other[0] && minor < other[1]);
}

/** Whether the compiler can read the language of a project's Kotlin version as that version does. */
export function isLanguageAccepted(projectVersion: string): boolean {
  return !isBefore(languageOf(projectVersion), OLDEST);
}

/** Compiler arguments with which it takes the sources of an older project for what they are. */
export function languageArguments(projectVersion: string): string[] {
  const language = languageOf(projectVersion);
  if (!isBefore(language, languageOf(KOTLIN_COMPILER))) return [];
  const text = language.join('.');
  // It warns of every language older than the last three.
  return ['-language-version', text, '-api-version', text, '-Xsuppress-version-warnings'];
}
