import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Result } from '../shared/outcome.ts';
import { temporaryFolder } from './temp-dirs.ts';
import type { JavaRequest, KotlinRequest } from './types.ts';

/** The fourth compile is nearly as fast as the twentieth. */
const ROUNDS = 4;

/** Where a small program is compiled: `compileKotlin` and `compileJava` of some host. */
export interface WarmUpTarget {
  compileKotlin(request: KotlinRequest): Promise<Result<unknown>>;
  compileJava(request: JavaRequest): Promise<Result<unknown>>;
}

/**
 * Compiles a small program a few times, so that the first real edit finds loaded and compiled compilers. Errors end it
 * and are not told: the first real call will meet them too.
 */
export async function warmUp(target: WarmUpTarget, cacheDir: string): Promise<void> {
  const folder = await temporaryFolder(cacheDir, 'warm-up');
  try {
    const kotlin = join(folder, 'Warm.kt');
    const java = join(folder, 'Cold.java');
    await writeFile(java, JAVA);
    for (let round = 0; round < ROUNDS; round++) {
      await writeFile(kotlin, KOTLIN.replace('ROUND', String(round)));
      const compiled = await target.compileKotlin({
        moduleName: 'warmup',
        sources: [kotlin, java],
        classPath: [],
        friendPaths: [],
        jvmTarget: '11',
        freeArguments: [],
        outputDir: join(folder, 'kotlin'),
        cacheDir: join(folder, 'cache'),
        changes: round === 0 ? { kind: 'unknown' } : { kind: 'known', modified: [kotlin], removed: [] },
        classPathChanged: false,
      });
      if (!compiled.ok) return;
      const outputDir = join(folder, 'java');
      const sources = [java];
      const javac = await target.compileJava({
        sources,
        classPath: [],
        outputDir,
        release: 11,
        freeArguments: [],
      });
      if (!javac.ok) return;
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
