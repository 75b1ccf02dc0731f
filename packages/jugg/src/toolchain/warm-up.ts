import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Result } from '../shared/outcome.ts';
import { temporaryFolder } from './temp-dirs.ts';
import type { JavaRequest, KotlinRequest } from './types.ts';

/** The fourth compile is nearly as fast as the twentieth. */
const ROUNDS = 4;

/** Where a small program is compiled: methods of some host by name, with their parameters as they are sent. */
export type WarmUpCall = (method: string, params: object) => Promise<Result<unknown>>;

export interface WarmUp {
  readonly call: WarmUpCall;
  readonly cacheDir: string;
  readonly snapshotDir: string;
  /** A jar with D8, and what stands for the boot class path: a Java home. Null when there is none yet. */
  readonly dexer: string | null;
  readonly javaHome: string;
}

/**
 * Compiles a small program a few times, so that the first real edit finds loaded and compiled compilers. Errors end it
 * and are not told: the first real call will meet them too.
 */
export async function warmUp({ call, cacheDir, snapshotDir, dexer, javaHome }: WarmUp): Promise<void> {
  const folder = await temporaryFolder(cacheDir, 'warm-up');
  try {
    const kotlin = join(folder, 'Warm.kt');
    const java = join(folder, 'Cold.java');
    const outputDir = join(folder, 'classes');
    await writeFile(java, JAVA);
    const javaRequest: JavaRequest = {
      sources: [java],
      classPath: [],
      outputDir,
      release: 11,
      freeArguments: [],
    };
    for (let round = 0; round < ROUNDS; round++) {
      await writeFile(kotlin, KOTLIN.replace('ROUND', String(round)));
      const kotlinRequest: KotlinRequest = {
        moduleName: 'warmup',
        sources: [kotlin, java],
        classPath: [],
        friendPaths: [],
        jvmTarget: '11',
        freeArguments: [],
        outputDir: join(folder, 'kotlin'),
        cacheDir: join(folder, 'cache'),
        changes: round === 0 ? { kind: 'unknown' } : { kind: 'known', modified: [kotlin], removed: [] },
        compareClassPath: true,
        compiler: [],
      };
      const steps: [string, object][] = [
        ['compileKotlin', { ...kotlinRequest, snapshotDir }],
        ['compileJava', javaRequest],
      ];
      const classFiles = [join(outputDir, 'warm', 'Cold.class')];
      if (dexer !== null) {
        const bootClassPath = [javaHome];
        const dexRequest = {
          classFiles,
          classPath: [outputDir],
          bootClassPath,
          minApi: 26,
          outputDir: folder,
          dexer,
        };
        steps.push(['classInfo', { files: classFiles }], ['dex', dexRequest]);
      }
      for (const [method, params] of steps) if (!(await call(method, params)).ok) return;
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const JAVA = `package warm;
public class Cold { public static int twice(int n) { return n * 2; } }
`;

const KOTLIN = `package warm
class Warm(private val start: Int) {
    private var state = start
    fun next(step: (Int) -> Int): Int { state = step(state); return state }
    fun text() = "round ROUND: \${Cold.twice(state)}"
}
sealed interface Shape { data class Circle(val r: Double) : Shape; object None : Shape }
fun Shape.area() = when (this) { is Shape.Circle -> r * r; Shape.None -> 0.0 }
`;
