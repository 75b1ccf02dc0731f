import { z } from 'zod';

/** An intent extra of a type that `am start --e…` has; the value is always written as a string, a list with commas. */
const extraSchema = z.object({
  type: z.enum([
    'string',
    'null',
    'int',
    'bool',
    'long',
    'float',
    'double',
    'uri',
    'component',
    'ints',
    'intList',
    'longs',
    'longList',
    'floats',
    'floatList',
    'doubles',
    'doubleList',
    'strings',
    'stringList',
  ]),
  value: z.string(),
});

export type IntentExtra = z.infer<typeof extraSchema>;

/** An intent in the protocol's form. */
export const intentSchema = z.object({
  /** `pkg/.Name` or `pkg/full.Name`. */
  component: z.string().optional(),
  action: z.string().optional(),
  data: z.string().optional(),
  type: z.string().optional(),
  categories: z.array(z.string()).optional(),
  flags: z.int().optional(),
  packageName: z.string().optional(),
  /** All of it, opaque: from an app, with what the other fields cannot say. */
  parcel: z.string().optional(),
  /** What the receiver shall be allowed to use, as the flags say. */
  grantedUris: z.array(z.string()).optional(),
  extras: z.record(z.string(), extraSchema).optional(),
});

/** A started service: what brings it back when its process ends. */
export const serviceStartsSchema = z.object({
  /** `pkg/.Name` */
  component: z.string(),
  /** It comes back even if there is nothing to do again (`Service.START_STICKY`). */
  sticky: z.boolean(),
  /** What it has not done, or wants to be told again (`START_REDELIVER_INTENT`), oldest first. */
  starts: z.array(
    z.object({
      id: z.int(),
      intent: intentSchema,
      /** `Service.START_FLAG_REDELIVERY`, `START_FLAG_RETRY` */
      startFlags: z.int(),
    }),
  ),
});
export type ServiceStarts = z.infer<typeof serviceStartsSchema>;
