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
