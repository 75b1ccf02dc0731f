import {
  ignored,
  mustBeOff,
  readBlock,
  setting,
  valueOf,
  type BlockContext,
  type EntryReader,
} from './build-facts.ts';
import { entriesOf, type Entry } from './dsl/entries.ts';
import { boolOf, intOf, javaVersionOf, textOf } from './dsl/values.ts';

/** `minSdk = 26`, `minSdkVersion 26`, and since plug-in 9 `compileSdk { version = release(36) }`. */
function sdk(what: string, store: (context: BlockContext, level: number) => void): EntryReader {
  return (entry, context) => {
    const inner = entriesOf(entry.block ?? [], context.variables, () => {});
    const release = inner.find((one) => one.name === 'version')?.args[0]?.value;
    const [call] = release?.kind === 'chain' ? release.links : [];
    const level =
      call?.name === 'release' ? intOf(call.args?.[0]?.value) : sdkLevel(textOrInt(entry, context));
    if (level === null) context.refuse(entry.line, `\`${what}\` whose value is computed`);
    else {
      context.facts.lines.set(what, entry.line);
      store(context, level);
    }
  };
}

function textOrInt(entry: Entry, context: BlockContext): string {
  const value = valueOf(entry, context);
  return String(intOf(value) ?? textOf(value) ?? '');
}

/** `35`, `android-35` → 35. */
function sdkLevel(text: string): number | null {
  const match = /^(?:android-)?(\d+)$/.exec(text);
  return match?.[1] === undefined ? null : Number(match[1]);
}

const minSdk = sdk('minSdk', ({ facts }, level) => (facts.minSdk = level));
const targetSdk = sdk('targetSdk', ({ facts }, level) => (facts.targetSdk = level));
const compileSdk = sdk('compileSdk', ({ facts }, level) => (facts.compileSdk = level));

const DEFAULT_CONFIG: Record<string, EntryReader> = {
  applicationId: setting('applicationId', textOf, (facts, value) => (facts.applicationId = value)),
  minSdk,
  minSdkVersion: minSdk,
  targetSdk,
  targetSdkVersion: targetSdk,
  versionCode: setting('versionCode', intOf, (facts, value) => (facts.versionCode = value)),
  versionName: setting('versionName', textOf, (facts, value) => (facts.versionName = value)),
  testInstrumentationRunner: setting('testInstrumentationRunner', textOf, (facts, value) => {
    facts.testRunner = value;
  }),
  testInstrumentationRunnerArguments: ignored,
  // Only changes what is done for API levels below 21.
  vectorDrawables: ignored,
  multiDexEnabled: ignored,
  proguardFiles: ignored,
  consumerProguardFiles: ignored,
};

const DEBUG: Record<string, EntryReader> = {
  applicationIdSuffix: setting('applicationIdSuffix', textOf, (facts, value) => {
    facts.applicationIdSuffix = value;
  }),
  versionNameSuffix: setting('versionNameSuffix', textOf, (facts, value) => {
    facts.versionNameSuffix = value;
  }),
  isDebuggable: setting('isDebuggable', boolOf, (facts, value) => (facts.debuggable = value)),
  debuggable: setting('debuggable', boolOf, (facts, value) => (facts.debuggable = value)),
  isMinifyEnabled: mustBeOff('debug.isMinifyEnabled'),
  minifyEnabled: mustBeOff('debug.minifyEnabled'),
  isShrinkResources: mustBeOff('debug.isShrinkResources'),
  shrinkResources: mustBeOff('debug.shrinkResources'),
  isTestCoverageEnabled: mustBeOff('debug.isTestCoverageEnabled'),
  testCoverageEnabled: mustBeOff('debug.testCoverageEnabled'),
  enableUnitTestCoverage: mustBeOff('debug.enableUnitTestCoverage'),
  enableAndroidTestCoverage: mustBeOff('debug.enableAndroidTestCoverage'),
  isCrunchPngs: ignored,
  crunchPngs: ignored,
  proguardFiles: ignored,
};

/** Only `debug` is read: other build types do not change it. */
function buildTypes(entry: Entry, context: BlockContext): void {
  const NAMING = new Set(['getByName', 'named', 'maybeCreate']);
  for (const type of entriesOf(entry.block ?? [], context.variables, (l, w) => context.refuse(l, w))) {
    const name = NAMING.has(type.name) ? textOf(type.args[0]?.value) : type.name;
    if (name === 'debug') readBlock('buildTypes.debug', type.block, DEBUG, context);
    else if (name === 'all' || name === 'configureEach' || name === null) {
      context.refuse(type.line, `\`buildTypes.${type.name}\``);
    }
  }
}

const COMPILE_OPTIONS: Record<string, EntryReader> = {
  sourceCompatibility: setting('sourceCompatibility', javaVersionOf, (facts, value) => {
    facts.sourceVersion = value;
  }),
  targetCompatibility: setting('targetCompatibility', javaVersionOf, (facts, value) => {
    facts.targetVersion = value;
  }),
  isCoreLibraryDesugaringEnabled: mustBeOff('coreLibraryDesugaring'),
  coreLibraryDesugaringEnabled: mustBeOff('coreLibraryDesugaring'),
  incremental: ignored,
};

const KOTLIN_OPTIONS: Record<string, EntryReader> = {
  jvmTarget: setting('jvmTarget', javaVersionOf, (facts, value) => (facts.jvmTarget = value)),
};

const BUILD_FEATURES: Record<string, EntryReader> = {
  buildConfig: setting('buildFeatures.buildConfig', boolOf, (facts, value) => (facts.buildConfig = value)),
  compose: mustBeOff('buildFeatures.compose'),
  viewBinding: mustBeOff('buildFeatures.viewBinding'),
  dataBinding: mustBeOff('buildFeatures.dataBinding'),
  aidl: mustBeOff('buildFeatures.aidl'),
  renderScript: mustBeOff('buildFeatures.renderScript'),
  mlModelBinding: mustBeOff('buildFeatures.mlModelBinding'),
  prefab: mustBeOff('buildFeatures.prefab'),
  shaders: ignored,
  resValues: ignored,
};

/** What may stand in `android { }`. A name that is not here is refused: it may change what is built. */
export const ANDROID: Record<string, EntryReader> = {
  namespace: setting('namespace', textOf, (facts, value) => (facts.namespace = value)),
  compileSdk,
  compileSdkVersion: compileSdk,
  defaultConfig: (entry, context) => readBlock('defaultConfig', entry.block, DEFAULT_CONFIG, context),
  buildTypes,
  compileOptions: (entry, context) => readBlock('compileOptions', entry.block, COMPILE_OPTIONS, context),
  kotlinOptions: (entry, context) => readBlock('kotlinOptions', entry.block, KOTLIN_OPTIONS, context),
  buildFeatures: (entry, context) => readBlock('buildFeatures', entry.block, BUILD_FEATURES, context),
  lint: ignored,
  lintOptions: ignored,
  testOptions: ignored,
  testNamespace: ignored,
  // These choose among files of libraries, none of which Jugg packs.
  packaging: ignored,
  packagingOptions: ignored,
  signingConfigs: ignored,
  buildToolsVersion: ignored,
  ndkVersion: ignored,
  adbOptions: ignored,
  installation: ignored,
  bundle: ignored,
  dependenciesInfo: ignored,
  publishing: ignored,
  resourcePrefix: ignored,
};
