import type { ModuleModel } from '../../project/model.ts';

/** The source of `BuildConfig`, as the Android plug-in writes it for the debug variant. */
export function buildConfigSource(module: ModuleModel, variant: string): string {
  const text = (value: string): string => JSON.stringify(value);
  const fields = [
    // A call, not a constant: the plug-in does the same, so that `if (DEBUG)` is no dead code for the compiler.
    `boolean DEBUG = ${module.debuggable ? 'Boolean.parseBoolean("true")' : 'false'}`,
    module.kind === 'app'
      ? `String APPLICATION_ID = ${text(module.applicationId ?? '')}`
      : `String LIBRARY_PACKAGE_NAME = ${text(module.namespace ?? '')}`,
    `String BUILD_TYPE = ${text(variant)}`,
    ...(module.kind === 'app'
      ? [
          `int VERSION_CODE = ${module.versionCode}`,
          `String VERSION_NAME = ${text(module.versionName ?? '')}`,
        ]
      : []),
  ];
  const lines = fields.map((field) => `  public static final ${field};`);
  return [
    `package ${module.namespace ?? ''};`,
    '',
    'public final class BuildConfig {',
    ...lines,
    '}',
    '',
  ].join('\n');
}
