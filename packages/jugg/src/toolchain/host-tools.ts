import { ok } from '../shared/outcome.ts';
import type { Result } from '../shared/outcome.ts';
import type { WorkContext } from '../shared/progress.ts';
import { resolveArtifacts } from './artifacts.ts';
import type { Jdk } from './jdk.ts';
import { APKSIG, D8, LAST_JAVA_OF_OWN_SIGNER } from './runtime.ts';
import { findSdk } from './sdk.ts';

/** What dx cannot do, for people. */
const DX_LIMITS = 'it reads class files up to Java 8, and lambdas need minSdk 26.';

/** Finds the jars that the compile host loads at run time: the SDK's, else resolved ones. */
export class HostTools {
  readonly #env: NodeJS.ProcessEnv;
  #dexer: string | null | undefined;

  /** @param dexer absolute path of a jar with D8 that is to be taken, null for dx */
  constructor(env: NodeJS.ProcessEnv, dexer: string | null | undefined) {
    this.#env = env;
    this.#dexer = dexer;
  }

  /** A jar with D8; null for dx, which the host has itself, where D8 cannot be had. */
  async dexer(work: WorkContext): Promise<Result<string | null>> {
    if (this.#dexer !== undefined) return ok(this.#dexer);
    const sdk = await findSdk({ env: this.#env });
    const jar = sdk?.d8Jar ? ok(sdk.d8Jar) : await this.#resolve(D8.gav, work);
    if (!jar.ok && jar.fault.code === 'CANCELED') return jar;
    if (!jar.ok) work.log(`${jar.fault.message} dx is used instead: ${DX_LIMITS}`);
    this.#dexer = jar.ok ? jar.value : null;
    return ok(this.#dexer);
  }

  /** A jar with D8 that needs no download, else null. */
  async dexerAtHand(work: WorkContext): Promise<string | null> {
    const sdk = await findSdk({ env: this.#env });
    const jar = sdk?.d8Jar ? ok(sdk.d8Jar) : await this.#resolve(D8.gav, work, true);
    return jar.ok ? jar.value : null;
  }

  /** A jar with apksig; null for the host's own, which does on Java 17. */
  async signer(jdk: Jdk, work: WorkContext): Promise<Result<string | null>> {
    const sdk = await findSdk({ env: this.#env });
    if (sdk?.apksignerJar) return ok(sdk.apksignerJar);
    if (jdk.version <= LAST_JAVA_OF_OWN_SIGNER) return ok(null);
    const jar = await this.#resolve(APKSIG.gav, work);
    // Without it the host signs with v2 alone, or says why that does not do.
    return jar.ok || jar.fault.code === 'CANCELED' ? jar : ok(null);
  }

  async #resolve(gav: string, work: WorkContext, offline = false): Promise<Result<string>> {
    const resolved = await resolveArtifacts([{ gav }], {
      signal: work.signal,
      onProgress: (line) => work.log(line),
      env: this.#env,
      offline,
    });
    return resolved.ok ? ok(resolved.value.get(gav) ?? '') : resolved;
  }
}
