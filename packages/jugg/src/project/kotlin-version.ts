/** Version of the Kotlin compiler in the compile host; its `runtime-artifacts.json` has the same one. */
export const KOTLIN_COMPILER = '2.4.21';

/** The compilers that Jugg has projects compiled by, with the oldest language that each takes; the newest first. */
const COMPILERS = [
  { version: KOTLIN_COMPILER, oldest: [2, 0] },
  // Fetched when a project needs it. The last one with the language of before 2.0, and with the front end for it.
  { version: '2.3.21', oldest: [1, 9] },
] as const;

type Version = readonly [major: number, minor: number];

function languageOf(version: string): Version {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return [major, minor];
}

function isBefore([major, minor]: Version, other: Version): boolean {
  return major < other[0] || (major === other[0] && minor < other[1]);
}

/** The newest compiler that reads the language of a project's Kotlin version as that version does; `null` when none does. */
export function compilerOf(projectVersion: string): string | null {
  const language = languageOf(projectVersion);
  return COMPILERS.find(({ oldest }) => !isBefore(language, oldest))?.version ?? null;
}

/** Jars of another compiler than the compile host's own, as it is loaded by the Build Tools API. */
export function compilerArtifacts(version: string): string[] {
  const own = [
    'kotlin-build-tools-impl',
    'kotlin-build-tools-cri-impl',
    'kotlin-compiler-embeddable',
    'kotlin-compiler-runner',
    'kotlin-daemon-client',
    'kotlin-daemon-embeddable',
    'kotlin-script-runtime',
    'kotlin-stdlib',
  ];
  return [
    ...own.map((name) => `org.jetbrains.kotlin:${name}:${version}`),
    'org.jetbrains.kotlin:kotlin-reflect:1.6.10',
    'org.jetbrains.kotlinx:kotlinx-coroutines-core-jvm:1.8.0',
    'org.jetbrains:annotations:13.0',
  ];
}

/** Compiler arguments with which it takes the sources of an older project for what they are. */
export function languageArguments(projectVersion: string): string[] {
  const language = languageOf(projectVersion);
  if (!isBefore(language, languageOf(compilerOf(projectVersion) ?? KOTLIN_COMPILER))) return [];
  const text = language.join('.');
  // It warns of every language older than the last three.
  return ['-language-version', text, '-api-version', text, '-Xsuppress-version-warnings'];
}
