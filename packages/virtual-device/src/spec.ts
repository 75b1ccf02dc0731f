import { createHash } from 'node:crypto';
import { z } from 'zod';
import { AUTH_MODES } from './adbd/auth.ts';
import type { DeviceConfig } from './app-process/config.ts';

/** Where the parts of an app process are on this machine; all paths absolute. */
const runtimeSchema = z.object({
  java: z.string(),
  classPath: z.array(z.string()).min(1),
  frameworkJar: z.string(),
  nativeJar: z.string(),
  cacheDir: z.string(),
});

/** What a virtual device is started with: the JSON file that `virtual-device.mjs` gets as its only argument. */
export const specSchema = z.object({
  /** Also a file name. */
  name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/),
  /** 0: the first free one from {@link FIRST_PORT} on. */
  port: z.int().min(0).max(65_535).default(0),
  /** The profile: which Android the device says it is. The framework inside is always API 35. */
  api: z.int().min(26).max(36).default(35),
  /** Screen in px. */
  size: z.tuple([z.int().min(200).max(8000), z.int().min(200).max(8000)]).default([1080, 2400]),
  /** Dots per inch. */
  density: z.int().min(72).max(1000).default(420),
  locale: z.string().min(2).default('en-US'),
  stateDir: z.string(),
  runtime: runtimeSchema,
  /** The device ends when this process does. */
  ownerPid: z.int().positive().optional(),
  /** The device ends after so long without a client and without an app. */
  idleExitMs: z.int().positive().optional(),
  /** Starts any APK. Otherwise only those whose SHA-256 is in `<stateDir>/<name>/trusted-apks`: an APK is host code. */
  trustAll: z.boolean().default(false),
  /** Whether adb clients need a key, and who says yes to it. */
  auth: z.enum(AUTH_MODES).default('none'),
});

export type Spec = z.infer<typeof specSchema>;

/** adb looks for emulators on 5555..5585; virtual devices keep out of its way. */
export const FIRST_PORT = 15_555;

/** The screen and settings that app processes start with. */
export function configOf({ size, density, locale }: Spec): DeviceConfig {
  const [widthPx, heightPx] = size;
  return { widthPx, heightPx, densityDpi: density, locale, uiMode: 'day', fontScale: 1 };
}

export function specDigest(spec: Spec): string {
  return createHash('sha256').update(JSON.stringify(spec)).digest('hex');
}
