/** Something in a build file that Jugg does not understand, or that it cannot build without Gradle. */
export interface Refusal {
  /** Absolute path of the file. */
  readonly file: string;
  /** From 1; 0 when it is the file as a whole. */
  readonly line: number;
  /** From 1; only where it is known. */
  readonly column?: number;
  /** What is there, for people. */
  readonly what: string;
  /** Set for what Gradle does not take either: a mistake, to be mended. */
  readonly isMistake?: boolean;
}

/** A line of a file. */
export interface Place {
  /** Absolute path. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

export type ModuleKind = 'app' | 'library' | 'java';

/** The folders of one source set; absolute, in Gradle's order. They need not exist. */
export interface SourceSet {
  readonly name: string;
  readonly java: readonly string[];
  readonly res: readonly string[];
  readonly assets: readonly string[];
  /** Java resources: files that go to the root of the APK as they are. */
  readonly resources: readonly string[];
  readonly manifest: string;
}

export type Configuration = 'api' | 'implementation' | 'compileOnly' | 'runtimeOnly';

export interface Dependency {
  readonly configuration: Configuration;
  /** `project`: a module path such as `:library`; `external`: `group:name:version`. */
  readonly kind: 'project' | 'external';
  readonly target: string;
}

/** A plug-in of the Kotlin compiler that a module uses. */
export interface CompilerPlugin {
  /** Id of the Gradle plug-in. */
  readonly id: string;
  /** Artifact of `org.jetbrains.kotlin`, of the compiler's own version. */
  readonly artifact: string;
  /** Artifacts of the project's Kotlin version that Gradle puts on the class path with it. */
  readonly runtime: readonly string[];
  /** What `-P plugin:` takes: `org.jetbrains.kotlin.allopen:annotation=a.b.Open`. */
  readonly options: readonly string[];
}

export interface ModuleModel {
  /** Path with a leading colon. */
  readonly name: string;
  /** `null` when its plug-ins are none that Jugg knows. */
  readonly kind: ModuleKind | null;
  readonly dir: string;
  /** Absolute path of the build file. */
  readonly buildFile: string;
  readonly namespace: string | null;
  readonly applicationId: string | null;
  readonly minSdk: number;
  readonly targetSdk: number | null;
  readonly compileSdk: number | null;
  readonly versionCode: number;
  readonly versionName: string | null;
  readonly debuggable: boolean;
  readonly hasKotlin: boolean;
  /** Value of javac's `--release`: 8, 11, 17. */
  readonly javaRelease: number;
  readonly jvmTarget: string;
  /** Of the Kotlin compiler. */
  readonly compilerPlugins: readonly CompilerPlugin[];
  readonly buildConfig: boolean;
  readonly testRunner: string | null;
  /** What the debug variant is made of: `main`, then `debug`. */
  readonly sourceSets: readonly SourceSet[];
  readonly androidTest: SourceSet;
  readonly dependencies: readonly Dependency[];
  readonly testDependencies: readonly Dependency[];
  /** Lines of the build file by what stands there: a setting, a block, `dependency :library`. Nothing is built of it. */
  readonly lines: ReadonlyMap<string, number>;
  /** What keeps this module from being built without Gradle. */
  readonly refusals: readonly Refusal[];
}

/** A project as its build files describe it, read as text: the debug variant of each module. */
export interface ProjectModel {
  readonly projectDir: string;
  readonly name: string;
  readonly kotlinVersion: string | null;
  /** Where that stands. */
  readonly kotlinPlace: Place | null;
  /** Whether a library's R class holds its own names only. */
  readonly nonTransitiveR: boolean;
  /** Whether the fields of R classes are variables, so that no compiler copies their values. */
  readonly nonFinalR: boolean;
  /** In the order of the settings file. */
  readonly modules: readonly ModuleModel[];
  /** Every file that was read to make the model, absolute. */
  readonly buildFiles: readonly string[];
  /** What keeps the project as a whole from being built without Gradle. */
  readonly refusals: readonly Refusal[];
}
