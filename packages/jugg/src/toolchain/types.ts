import type { Result } from '../shared/outcome.ts';
import type { WorkContext } from '../shared/progress.ts';
import type { Diagnostic } from '../shared/diagnostic.ts';

/** Which source files changed since the last successful compile of a module; all paths are absolute. */
export type SourceChanges =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'known'; readonly modified: readonly string[]; readonly removed: readonly string[] };

export interface KotlinRequest {
  readonly moduleName: string;
  /** All `.kt` and `.java` files of the module: Kotlin sees Java by source. */
  readonly sources: readonly string[];
  readonly classPath: readonly string[];
  readonly friendPaths: readonly string[];
  readonly jvmTarget: string;
  readonly freeArguments: readonly string[];
  readonly outputDir: string;
  /** Caches of the incremental compiler; kept between server runs. */
  readonly cacheDir: string;
  readonly changes: SourceChanges;
  /**
   * False when `changes` names all sources that changed classes of other modules can matter to: the class path then counts as
   * what it was when it was last compared, which takes as long as a small compile.
   */
  readonly compareClassPath: boolean;
  /** Jars of another version of the compiler, an implementation of its Build Tools API; empty for the host's own. */
  readonly compiler: readonly string[];
}

export interface JavaRequest {
  readonly sources: readonly string[];
  readonly classPath: readonly string[];
  readonly outputDir: string;
  /** Value of `--release`: 8, 11, 17. */
  readonly release: number;
  readonly freeArguments: readonly string[];
}

export interface CompileReply {
  /** False when there was an error; `diagnostics` says which. Outputs are then as they were before. */
  readonly success: boolean;
  readonly diagnostics: readonly Diagnostic[];
  /** Sources that the compiler really compiled. */
  readonly compiled: readonly string[];
  /**
   * Class files (absolute) whose content differs from what the last successful answer told, also when a call whose
   * answer got lost made them; all of them where the changes of the sources are `unknown`.
   */
  readonly written: readonly string[];
  /** Class files that are gone. Java: always empty, since only the caller knows which classes a source had. */
  readonly removed: readonly string[];
}

/** What redefinition and the engine's effects need to know about one class file. */
export interface ClassInfo {
  readonly file: string;
  /** Binary name: `com.example.Outer$Inner`. */
  readonly name: string;
  /** SHA-256 (hex) of the file. */
  readonly bytes: string;
  /** SHA-256 (hex) of what redefinition cannot change; see `ClassState.shape`. */
  readonly shape: string;
  /** SHA-256 (hex) of what other classes can see: non-private members with signatures and constant values, super types. */
  readonly abi: string;
  /**
   * Digest (16 hex) of the list of nested classes that the class file mentions: nothing to its users, but the Kotlin compiler
   * takes a class for another one when it changes.
   */
  readonly nested: string;
  /** `SourceFile` attribute (a file name without folder), if present. */
  readonly sourceFile: string | null;
  readonly superName: string | null;
  readonly interfaces: readonly string[];
  /** Binary names of all other classes that the class file mentions. */
  readonly references: readonly string[];
  /** Those of them that its users get to see: in signatures of members that are not private, and in annotations. */
  readonly shown: readonly string[];
  /** Simple names of the constants (static final with a constant value) the class declares. */
  readonly constants: readonly string[];
  /**
   * For a class of a nest (an outer class with its inner ones): its private members, and the members of others in it that
   * it uses, as `owner.name descriptor`, with ` =` where it writes one. `null` for a class that is alone.
   */
  readonly nest: { readonly privates: readonly string[]; readonly accesses: readonly string[] } | null;
}

export interface DexRequest {
  /** Class files to dex, each into a file of its own. */
  readonly classFiles: readonly string[];
  /** Needed for desugaring: the app's other class folders and jars. */
  readonly classPath: readonly string[];
  /** Jars; a folder is a Java home, for the `java.*` that the framework's stubs lack. */
  readonly bootClassPath: readonly string[];
  readonly minApi: number;
  /**
   * Output is `<outputDir>/<binary name with / for .>.dex`. Beside a dex file may lie `<same name>.globals`: classes that
   * D8 makes once for the whole app (the super class of records). `mergeDex` looks for them there.
   */
  readonly outputDir: string;
}

export interface DexReply {
  readonly diagnostics: readonly Diagnostic[];
  /** Dex file by binary class name. */
  readonly dex: ReadonlyMap<string, string>;
}

export interface MergeDexRequest {
  readonly dexFiles: readonly string[];
  readonly minApi: number;
  readonly outputDir: string;
}

/**
 * One warm JVM that compiles, dexes and signs. Calls may run side by side; each hears its signal. A dead or hung JVM
 * fails the calls that it had with `ENVIRONMENT_ERROR` (and the tail of its log) and is started again for the next.
 */
export interface CompileHost {
  compileKotlin(request: KotlinRequest, work: WorkContext): Promise<Result<CompileReply>>;
  compileJava(request: JavaRequest, work: WorkContext): Promise<Result<CompileReply>>;
  classInfo(files: readonly string[], work: WorkContext): Promise<Result<readonly ClassInfo[]>>;
  dex(request: DexRequest, work: WorkContext): Promise<Result<DexReply>>;
  /** Dexes a library jar (cached by content by the caller) to `<outputDir>/classes*.dex`. */
  dexJar(
    request: {
      readonly jar: string;
      readonly classPath: readonly string[];
      readonly bootClassPath: readonly string[];
      readonly minApi: number;
      readonly outputDir: string;
    },
    work: WorkContext,
  ): Promise<Result<readonly string[]>>;
  /** Merges to `<outputDir>/classes.dex, classes2.dex, …` and answers their paths in that order. */
  mergeDex(request: MergeDexRequest, work: WorkContext): Promise<Result<readonly string[]>>;
  /** Signs an aligned zip with Jugg's debug key (made once per user in the state folder) or the given keystore. */
  sign(
    request: { readonly input: string; readonly output: string; readonly minSdk: number },
    work: WorkContext,
  ): Promise<Result<void>>;
  /** Compiles a small built-in program a few times so that the first real edit finds warm code. */
  warmUp(): Promise<void>;
  close(): Promise<void>;
}
