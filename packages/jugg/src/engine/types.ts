import type { Diagnostic } from '../shared/diagnostic.ts';
import type { Result } from '../shared/outcome.ts';
import type { WorkContext } from '../shared/progress.ts';

export type { Diagnostic };

/** One class of the app as it stands after a compile. */
export interface ClassState {
  /** SHA-256 (hex) of the class file and of the private members that the classes of its nest use of each other. */
  readonly bytes: string;
  /**
   * SHA-256 (hex) of all that redefinition cannot change: super types, modifiers, fields, methods and their
   * descriptors, lambda call sites. Two states with equal shape differ in method bodies only.
   */
  readonly shape: string;
  /**
   * Absolute path of a dex file that holds this class and the synthetic classes that D8 made for it; `classFileOf` has
   * the class file.
   */
  readonly dex: string;
}

/** The whole app after a compile: what a device must show. Immutable; `id` is a digest over all the rest. */
export interface BuildState {
  readonly id: string;
  readonly projectDir: string;
  readonly module: string;
  readonly variant: string;
  readonly applicationId: string;
  readonly versionCode: number;
  readonly minSdk: number;
  /** Fully qualified class name of the launcher activity, if there is one. */
  readonly launcherActivity: string | null;
  readonly debuggable: boolean;
  /** By binary name, e.g. `com.example.Outer$Inner`. */
  readonly classes: ReadonlyMap<string, ClassState>;
  /** SHA-256 (hex) of each of the parts of the APK that are not classes; `assets` counts Java resources and native code. */
  readonly resources: string;
  readonly manifest: string;
  readonly assets: string;
  /** SHA-256 (hex) of the library code in the APK: what `classes` does not hold. */
  readonly libraries: string;
}

/** The class files that one dex file of an APK was made of. */
export interface ClassJar {
  /** Of the dex file, lower-case hex. */
  readonly dexSha256: string;
  /** Absolute path of a jar with these classes; of the project's own with no others, which may be outdated by now. */
  readonly jar: string;
  /** Made from the project's sources, not a library: another build has another one. */
  readonly own: boolean;
}

export interface CompileRequest {
  readonly projectDir: string;
  readonly module?: string;
  readonly variant?: string;
  readonly allowGradle: boolean;
}

export interface CompileOutcome {
  readonly state: BuildState;
  /** `full` when there was no usable baseline and everything was built. */
  readonly kind: 'none' | 'incremental' | 'full';
  /** The rule of the plan that decided on `kind`, and why it applied, for people. */
  readonly rule: string;
  readonly reason: string;
  readonly compiledFiles: readonly string[];
  readonly deletedFiles: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  readonly fallback: { readonly used: boolean; readonly rule: string; readonly reason: string } | null;
  /** Milliseconds by phase name. */
  readonly timings: Readonly<Record<string, number>>;
}

export type ChangeType =
  | 'Java'
  | 'Kotlin'
  | 'Resource'
  | 'Asset'
  | 'Manifest'
  | 'Native'
  | 'BuildFile'
  | 'Other';

export interface ChangeSet {
  readonly changed: readonly {
    readonly file: string;
    readonly type: ChangeType;
    readonly modifiedAtMs: number;
  }[];
  readonly deleted: readonly { readonly file: string; readonly type: ChangeType }[];
}

export interface ProjectInfo {
  readonly projectDir: string;
  readonly name: string;
  readonly modules: readonly {
    readonly name: string;
    /** `unknown`: a build file that Jugg cannot read. */
    readonly kind: 'app' | 'library' | 'java' | 'unknown';
    readonly dir: string;
  }[];
  readonly applicationId: string | null;
  readonly variant: string | null;
  readonly hasBeenFullCompiled: boolean;
  /** Why there is no build to begin with; `null` when there is one. */
  readonly noBaseline: string | null;
  readonly lastCompileAtMs: number | null;
}

export interface Supported {
  readonly feature: string;
  readonly how: 'incremental' | 'gradle' | 'refused';
}

/** What the next compile would do, without doing any of it. */
export interface Explanation {
  /** `gradle`: Jugg cannot build this project itself. */
  readonly kind: 'none' | 'incremental' | 'full' | 'gradle';
  readonly rule: string;
  readonly reason: string;
  /** As the phases of a compile are called. */
  readonly stages: readonly string[];
  /** Absolute. */
  readonly files: readonly string[];
  /** Unchanged files that may have to be compiled again. */
  readonly recompileBecause: readonly { readonly file: string; readonly because: string }[];
  readonly supported: readonly Supported[];
  /** How long the last compile of this kind took in this run of the server; `null` when there was none. */
  readonly estimateMs: number | null;
}

/**
 * The incremental build. A failed compile is `COMPILE_ERROR` or `RESOURCE_ERROR` with `data.diagnostics`, and leaves
 * the last good state as it was. Only one compile of a project runs at a time: the caller sees to that.
 */
export interface Engine {
  describe(projectDir: string): Promise<Result<ProjectInfo>>;
  /** Pending changes against the last successful compile; never waits for a running build. */
  changes(projectDir: string): Promise<Result<ChangeSet>>;
  /** The plan of the next compile; runs nothing and never waits for a running build. */
  explain(request: Omit<CompileRequest, 'allowGradle'>): Promise<Result<Explanation>>;
  compile(request: CompileRequest, work: WorkContext): Promise<Result<CompileOutcome>>;
  /** Absolute path of the aligned and signed APK of `state`; made on demand, kept by id. */
  packageApk(state: BuildState, work: WorkContext): Promise<Result<string>>;
  /** The code of the APK of `state` before it became dex, for devices that run class files; made on demand. */
  classJars(state: BuildState, work: WorkContext): Promise<Result<readonly ClassJar[]>>;
  /** The state of the last successful compile, also one of an earlier server run. */
  lastState(projectDir: string): Promise<BuildState | null>;
  /** Starts the compile host and warms it up in the background; errors are for the next compile to report. */
  warmUp(projectDir: string): void;
  /** Ends the compile host and everything else the engine started. */
  close(): Promise<void>;
}
