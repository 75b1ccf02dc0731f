import { createHash } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import type { DeviceConfig } from './config.ts';
import type { Isolation } from './isolation.ts';

/** What the caller has found or fetched for app processes; all paths are absolute. */
export interface LaunchSpec {
  /** The java binary: Java 17 or newer. */
  readonly java: string;
  /** Jars in class path order, `virtual-device.jar` first (`jvm/virtual-device/runtime-artifacts.json`). */
  readonly classPath: readonly string[];
  /** The instrumented framework; its name must be the one that Maven gives it. */
  readonly frameworkJar: string;
  /** Robolectric's native jar, of which the fonts are used. */
  readonly nativeJar: string;
  /** Folder of this user for what can be made again: native files, class-data archives, translated dex files. */
  readonly cacheDir: string;
  /** Folder of class jars that were put beside APKs, see `docs/app-process-protocol.md`; it need not exist. */
  readonly classJarDir?: string;
  /** What the processes shall not see, where the machine allows to hide it; Linux only. */
  readonly isolation?: Isolation;
  /** Screen and settings of the processes to start. */
  readonly config: DeviceConfig;
}

/** The framework inside is always that of this API level; what a profile claims is the daemon's business. */
const FRAMEWORK_API = 35;

/** Packages of java.base that Robolectric and the framework reach into. */
const OPENED = [
  'java.lang',
  'java.io',
  'java.net',
  'java.util',
  'java.nio',
  'java.lang.reflect',
  'java.text',
  'java.util.concurrent',
  'java.lang.invoke',
  'jdk.internal.access',
  'java.nio.charset',
  'java.util.zip',
];

export interface CommandLine {
  readonly spec: LaunchSpec;
  /** Folder of this process: home, temporary files. */
  readonly workDir: string;
  /** File with what {@link settingsJson} wrote. */
  readonly settingsFile: string;
  /** `use`: map this class-data archive; `write`: make it at exit. */
  readonly archive?: { readonly mode: 'use' | 'write'; readonly file: string };
}

/** The arguments of the JVM of an app process. */
export function jvmArguments({ spec, workDir, settingsFile, archive }: CommandLine): string[] {
  return [
    // One small app on a shared machine: the simplest collector and only the fast compiler start quickest.
    '-XX:+UseSerialGC',
    '-XX:TieredStopAtLevel=1',
    '-Xmx1g',
    // The framework's classes fill some 100 MB: with a lower mark three full collections hold up the boot.
    '-XX:MetaspaceSize=192m',
    '-Xshare:auto',
    ...(archive?.mode === 'use' ? [`-XX:SharedArchiveFile=${archive.file}`] : []),
    ...(archive?.mode === 'write' ? [`-XX:ArchiveClassesAtExit=${archive.file}`] : []),
    // The JVM would write warnings to standard output, which belongs to the protocol. `cds` says whether the archive is used.
    '-XX:+DisplayVMOutputToStderr',
    '-Xlog:disable',
    '-Xlog:all=warning,cds=info:stderr',
    // No files in the shared temporary folder, which a killed process would leave there.
    '-XX:-UsePerfData',
    // The process attaches to itself for redefinition; with a listener from the start that takes a few ms.
    '-XX:+StartAttachListener',
    '-Djdk.attach.allowAttachSelf=true',
    ...(hasDebugger(spec.java) ? [DEBUGGER] : []),
    '--add-opens',
    'jdk.attach/sun.tools.attach=ALL-UNNAMED',
    '-XX:+EnableDynamicAgentLoading',
    `-Djava.io.tmpdir=${join(workDir, 'tmp')}`,
    `-Duser.home=${workDir}`,
    '-Dfile.encoding=UTF-8',
    ...OPENED.flatMap((name) => ['--add-opens', `java.base/${name}=ALL-UNNAMED`]),
    '-cp',
    spec.classPath.join(delimiter),
    'dev.jugg.vd.host.Main',
    settingsFile,
  ];
}

/** Sleeps until a debugger is wanted: it costs a start one or two milliseconds, and listens on no port. */
const DEBUGGER = '-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,onjcmd=y,quiet=y,address=127.0.0.1:0';

/** Runtimes that were put together without the module `jdk.jdwp.agent` do not start with {@link DEBUGGER}. */
function hasDebugger(java: string): boolean {
  const files = ['lib/libjdwp.so', 'lib/libjdwp.dylib', 'bin/jdwp.dll'];
  try {
    const home = dirname(dirname(realpathSync(java)));
    return files.some((file) => existsSync(join(home, file)));
  } catch {
    return false;
  }
}

/** The settings file of an app process, see `docs/app-process-protocol.md`. */
export function settingsJson(spec: LaunchSpec, options: { readonly archiveRun: boolean }): string {
  return JSON.stringify({
    frameworkJar: spec.frameworkJar,
    nativeJar: spec.nativeJar,
    nativeDir: nativeDir(spec),
    dexCacheDir: join(spec.cacheDir, 'dex'),
    ...(spec.classJarDir !== undefined && { classJarDir: spec.classJarDir }),
    api: FRAMEWORK_API,
    config: spec.config,
    archiveRun: options.archiveRun,
  });
}

/** Where the native files of these jars are unpacked, once. */
function nativeDir(spec: LaunchSpec): string {
  const key = createHash('sha256').update(`${basename(spec.frameworkJar)}\n${basename(spec.nativeJar)}`);
  return join(spec.cacheDir, `native-${key.digest('hex').slice(0, 12)}`);
}

/** The environment of an app process: nothing of the user's, so that an app cannot read tokens out of it. */
export function processEnvironment(workDir: string, env: NodeJS.ProcessEnv): Record<string, string> {
  const kept: Record<string, string> = {
    HOME: workDir,
    TMPDIR: join(workDir, 'tmp'),
    LANG: 'C.UTF-8',
    PATH: env['PATH'] ?? '',
  };
  // Windows cannot open sockets without it.
  const systemRoot = env['SystemRoot'];
  if (systemRoot !== undefined) kept['SystemRoot'] = systemRoot;
  return kept;
}
