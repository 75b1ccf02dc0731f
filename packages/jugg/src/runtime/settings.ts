import { join } from 'node:path';
import { z } from 'zod';
import { readJson } from '../shared/files.ts';
import { juggDirs } from '../shared/paths.ts';

/**
 * All settings with their defaults. A value comes from the `JUGG_*` environment, else the project's
 * `.jugg/settings.json`, else the user's `settings.json` in the state folder, else the default here.
 */
export const settingsSchema = z.strictObject({
  softTimeoutMs: z
    .number()
    .int()
    .min(0)
    .max(40_000)
    .default(25_000)
    .describe('How long a call waits for its job before it answers "running"; MCP clients give up at 60 s.'),
  idleExitMs: z
    .number()
    .int()
    .min(1000)
    .default(4 * 3600_000)
    .describe('A server that was started in the background ends after this time without a call.'),
  jobsKept: z.number().int().min(10).default(200).describe('Finished jobs that stay answerable.'),
  jobsKeptDays: z.number().int().min(1).default(14).describe('Days that finished jobs stay answerable.'),
  allowedHosts: z
    .array(z.string())
    .default([])
    .describe(
      'More values of the Host header that are let in; they then need the token. User settings only.',
    ),
  allowedOrigins: z
    .array(z.string())
    .default([])
    .describe(
      'More values of the Origin header that are let in; they then need the token. User settings only.',
    ),
  allowAppGetters: z
    .boolean()
    .default(false)
    .describe(
      "Whether view-inspect calls getters of the app's own classes that no field of the same name stands behind.",
    ),
  adbServer: z.boolean().default(true).describe('Whether a running adb server is asked for devices.'),
});
export type Settings = z.output<typeof settingsSchema>;

/** What a project's file must not decide: a cloned repository is not the user. */
const USER_ONLY: ReadonlySet<string> = new Set([
  'allowedHosts',
  'allowedOrigins',
  'idleExitMs',
  'jobsKept',
  'jobsKeptDays',
]);

export interface LoadedSettings {
  readonly settings: Settings;
  /** What was wrong in which place, and was left out. */
  readonly problems: readonly string[];
}

/** Merges the places that settings come from; a value that does not fit is left out and named in `problems`. */
export async function loadSettings(
  projectDir: string | null,
  env: NodeJS.ProcessEnv = process.env,
): Promise<LoadedSettings> {
  const problems: string[] = [];
  const user = pick(
    await readJson(join(juggDirs(env).state, 'settings.json')),
    'user settings',
    () => true,
    problems,
  );
  const project = projectDir
    ? pick(
        await readJson(join(projectDir, '.jugg', 'settings.json')),
        '.jugg/settings.json',
        (key) => !USER_ONLY.has(key),
        problems,
      )
    : {};
  const environment = pick(fromEnvironment(env), 'environment', () => true, problems);
  return { settings: settingsSchema.parse({ ...user, ...project, ...environment }), problems };
}

function pick(
  source: unknown,
  place: string,
  allowed: (key: string) => boolean,
  problems: string[],
): Record<string, unknown> {
  if (typeof source !== 'object' || source === null) return {};
  const picked: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(source)) {
    const schema = Object.hasOwn(settingsSchema.shape, key)
      ? settingsSchema.shape[key as keyof typeof settingsSchema.shape]
      : undefined;
    if (!schema) problems.push(`${place}: unknown setting "${key}"`);
    else if (!allowed(key)) problems.push(`${place}: "${key}" can only be set in the user's settings`);
    else if (!schema.safeParse(value).success)
      problems.push(`${place}: "${key}" does not take ${JSON.stringify(value)}`);
    else picked[key] = value;
  }
  return picked;
}

/** `JUGG_SOFT_TIMEOUT_MS=100` → `{softTimeoutMs: 100}`; values are JSON where they parse as such. */
function fromEnvironment(env: NodeJS.ProcessEnv): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const key of Object.keys(settingsSchema.shape)) {
    const value = env[`JUGG_${key.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`];
    if (value === undefined) continue;
    try {
      found[key] = JSON.parse(value);
    } catch {
      found[key] = value;
    }
  }
  return found;
}
