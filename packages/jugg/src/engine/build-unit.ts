import type { ModuleModel } from '../project/model.ts';
import type { CompileHost } from '../toolchain/types.ts';
import type { WorkContext } from '../shared/progress.ts';
import type { ClassNode } from './effects.ts';
import type { Diagnostic } from './types.ts';
import type { JavaSources } from './java-source.ts';
import type { Inputs, SeenClass } from './module-record.ts';

/** Folders of one module's outputs, below the project's state folder. */
export interface ModuleDirs {
  readonly root: string;
  readonly kotlinClasses: string;
  readonly kotlinCache: string;
  readonly javaClasses: string;
  /** Class files of sources that are being compiled again. */
  readonly aside: string;
  /** `R.java` and `BuildConfig.java`. */
  readonly generated: string;
}

/** The version of the compiler that the project's Kotlin is compiled by. */
export interface KotlinCompiler {
  /** Empty for that of the compile host. */
  readonly jars: readonly string[];
  /** Jars of its plug-ins, by artifact. */
  readonly plugins: ReadonlyMap<string, string>;
}

/** One module with everything that its compilers are given. */
export interface BuildUnit {
  readonly module: ModuleModel;
  readonly dirs: ModuleDirs;
  /** Kotlin's own name for the module: it is part of the names of internal members. */
  readonly kotlinModuleName: string;
  /** Jars of another Kotlin compiler than the host's own; empty for that. */
  readonly kotlinCompiler: readonly string[];
  /** Language version and plug-ins. */
  readonly kotlinArguments: readonly string[];
  readonly kotlinSources: Inputs;
  /** Generated ones too. */
  readonly javaSources: Inputs;
  /** Framework, libraries and the outputs of the modules it depends on. */
  readonly classPath: readonly string[];
  /** Classes of the modules it depends on, by name. */
  readonly upstream: ReadonlyMap<string, SeenClass>;
  /** The same classes with what they mention, for effects. */
  readonly upstreamNodes: readonly ClassNode[];
}

/** What all stages share during one compile. */
export interface BuildContext {
  readonly host: CompileHost;
  /** Process id of the compile host; another one after it died. */
  hostId(): number | undefined;
  readonly work: WorkContext;
  readonly javaSources: JavaSources;
  /** Told of each file that a compiler really compiled. */
  compiled(file: string): void;
  /** Told why an unchanged file is compiled again. */
  because(file: string, reason: string): void;
  report(diagnostics: readonly Diagnostic[]): void;
}
