/** Flags of the compile host's JVM; the reasons were measured on two cores with Kotlin 2.4.21. */
export interface HostFlags {
  /** Bytes of memory of the machine. */
  readonly totalMemory: number;
  /** Feature release of the JVM. */
  readonly javaVersion: number;
  /** The JVM's folder for temporary files. */
  readonly tempDir: string;
  /** Part of the heap, 0..1, beyond which live data makes the client take another host. */
  readonly recycleAt: number;
  /** Class-data archive to map, or to write at the end. */
  readonly classData: { readonly use: string } | { readonly make: string } | null;
}

export function hostFlags({ totalMemory, javaVersion, tempDir, recycleAt, classData }: HostFlags): string[] {
  // Live data is 50 MB between edits; the rest is room so that an edit needs no collection.
  const heapMb = Math.max(768, Math.min(3072, Math.floor(totalMemory / 4 / 2 ** 20)));
  // A young generation stays in memory once it was full, so it may not be large; the host stays below 1 GB with this one.
  const youngMb = Math.min(320, Math.floor(heapMb / 4));
  return [
    `-Xms${Math.min(heapMb, youngMb + 128)}m`,
    `-Xmx${heapMb}m`,
    `-Xmn${youngMb}m`,
    // Room for what two compilers at work hold when the young generation is full (the default, a tenth, is not): it would
    // spill over to the old one, which is small, and an edit that reaches twenty modules made five full collections.
    '-XX:SurvivorRatio=3',
    // The compilers' classes take 80 MB and more; with the usual first threshold (21 MB) each start made three full collections.
    '-XX:MetaspaceSize=192m',
    // Deeply nested expressions need far more stack than the default: kotlinc and javac are recursive.
    '-Xss16m',
    // A collector without threads of its own and the quick compiler only: compiler and just-in-time compiler share few
    // cores, and the optimising one pays off after fifty edits at the earliest.
    '-XX:+UseSerialGC',
    '-XX:TieredStopAtLevel=1',
    // What a full build has needed goes back to the system when the host has tidied up.
    '-XX:MinHeapFreeRatio=10',
    '-XX:MaxHeapFreeRatio=30',
    // The quick compiler alone gets 48 MB of code cache, which fills after some fifteen compiles.
    '-XX:ReservedCodeCacheSize=256m',
    // Messages of the virtual machine must not reach the protocol on standard output.
    '-Xlog:disable',
    '-Xlog:all=warning:stderr',
    '-Djava.awt.headless=true',
    // apksig 2.3.0 writes v1 signatures with the JDK's own classes.
    '--add-exports=java.base/sun.security.x509=ALL-UNNAMED',
    '--add-exports=java.base/sun.security.pkcs=ALL-UNNAMED',
    '-Duser.language=en',
    '-Duser.country=US',
    '-Dfile.encoding=UTF-8',
    `-Djava.io.tmpdir=${tempDir}`,
    `-Djugg.recycleAt=${recycleAt}`,
    ...classDataFlags(classData, javaVersion),
  ];
}

/** From this release on the archive also holds classes that are linked already, and what was learned of methods (JEP 514, 515). */
export const AOT_CACHE = 25;

function classDataFlags(classData: HostFlags['classData'], javaVersion: number): string[] {
  if (classData === null) return [];
  if (javaVersion >= AOT_CACHE) {
    return ['use' in classData ? `-XX:AOTCache=${classData.use}` : `-XX:AOTCacheOutput=${classData.make}`];
  }
  return 'use' in classData
    ? [`-XX:SharedArchiveFile=${classData.use}`, '-Xshare:auto']
    : [`-XX:ArchiveClassesAtExit=${classData.make}`];
}
