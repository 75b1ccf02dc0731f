import { access } from 'node:fs/promises';
import { ERROR_TABLE } from '../shared/errors.ts';
import { resolveArtifacts } from './artifacts.ts';
import { onPath } from './child.ts';
import { findJdk } from './jdk.ts';
import {
  AAPT2,
  APKSIG,
  compileHostFiles,
  D8,
  FRAMEWORK,
  readRuntimeList,
  virtualDeviceFiles,
} from './runtime.ts';
import { findSdk, type Sdk } from './sdk.ts';

/** One thing that Jugg needs or can use, and whether it is here. */
export interface HostCheck {
  readonly name: string;
  readonly ok: boolean;
  readonly found: string | null;
  readonly problem?: string;
  readonly fix?: string;
}

/** Looks at this machine without fetching or starting anything that stays. */
export async function inspectHost(options: {
  readonly projectDir?: string;
  readonly signal: AbortSignal;
  readonly env?: NodeJS.ProcessEnv;
}): Promise<readonly HostCheck[]> {
  const env = options.env ?? process.env;
  const sdk = await findSdk({
    env,
    ...(options.projectDir === undefined ? {} : { projectDir: options.projectDir }),
  });
  return [
    { name: 'node', ok: true, found: process.version },
    await jdkCheck(env),
    sdkCheck(sdk),
    await mavenCheck(env),
    await adbCheck(sdk, env),
    await artifactsCheck('compilers', [compileHostFiles().list], options.signal, env),
    await artifactsCheck('virtual device', [virtualDeviceFiles().list], options.signal, env),
  ];
}

async function jdkCheck(env: NodeJS.ProcessEnv): Promise<HostCheck> {
  const jdk = await findJdk({ env });
  if (jdk.ok) {
    const { home, version, passedOver } = jdk.value;
    const found = `${home} (Java ${version})`;
    if (passedOver === undefined) return { name: 'jdk', ok: true, found };
    const problem = `${passedOver}; the JDK in ${home} is used in its place.`;
    return { name: 'jdk', ok: false, found, problem, fix: 'Set JAVA_HOME to a JDK of version 17 or newer.' };
  }
  return {
    name: 'jdk',
    ok: false,
    found: null,
    problem: jdk.fault.message,
    fix: ERROR_TABLE.JDK_UNSUITABLE.hint,
  };
}

function sdkCheck(sdk: Sdk | null): HostCheck {
  if (!sdk) return { name: 'android sdk', ok: true, found: 'none: Jugg uses tools of its own' };
  const parts = [
    sdk.buildTools ? `build tools ${sdk.buildTools}` : 'no build tools',
    sdk.platform ? `platform ${sdk.platform.api}` : 'no platform',
  ];
  return { name: 'android sdk', ok: true, found: `${sdk.home} (${parts.join(', ')})` };
}

async function mavenCheck(env: NodeJS.ProcessEnv): Promise<HostCheck> {
  const mvn = await onPath('mvn', env, process.platform);
  if (mvn !== null) return { name: 'maven', ok: true, found: mvn };
  return {
    name: 'maven',
    ok: false,
    found: null,
    problem: 'There is no mvn on the PATH: what is not in the local Maven repository yet cannot be fetched.',
    fix: 'Install Maven (Debian: apt-get install maven; macOS: brew install maven; Windows: winget install Apache.Maven).',
  };
}

async function adbCheck(sdk: Sdk | null, env: NodeJS.ProcessEnv): Promise<HostCheck> {
  const adb = sdk?.adb ?? (await onPath('adb', env, process.platform));
  if (adb !== null && (await exists(adb))) return { name: 'adb', ok: true, found: adb };
  return { name: 'adb', ok: true, found: 'none: phones need an adb server, virtual devices do not' };
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

async function artifactsCheck(
  name: string,
  lists: readonly string[],
  signal: AbortSignal,
  env: NodeJS.ProcessEnv,
): Promise<HostCheck> {
  const fix = 'Run `jugg prefetch`; or call a tool, which fetches them.';
  const specs = name === 'compilers' ? [FRAMEWORK, D8, AAPT2, APKSIG] : [];
  for (const list of lists) {
    const read = await readRuntimeList(list);
    if (!read.ok)
      return { name, ok: false, found: null, problem: read.fault.message, fix: 'Install Jugg again.' };
    specs.push(...read.value);
  }
  const resolved = await resolveArtifacts(specs, { signal, env, offline: true, onProgress: () => {} });
  if (resolved.ok)
    return { name, ok: true, found: `${resolved.value.size} artifacts in the local Maven repository` };
  return { name, ok: false, found: null, problem: resolved.fault.message, fix };
}
