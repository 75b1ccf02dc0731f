import { z } from 'zod';

/** Screen and user settings of the device; lengths in px. */
export const deviceConfigSchema = z.object({
  widthPx: z.int().min(100).max(10_000),
  heightPx: z.int().min(100).max(10_000),
  densityDpi: z.int().min(60).max(1000),
  /** BCP 47 tag, e.g. `en-US`. */
  locale: z.string().min(2),
  uiMode: z.enum(['day', 'night']),
  fontScale: z.number().min(0.3).max(4),
});

export type DeviceConfig = z.infer<typeof deviceConfigSchema>;
