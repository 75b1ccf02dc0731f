import { z } from 'zod';
import { intentSchema } from './intent-schema.ts';

/** The part of the protocol that is about processes which use each other: binders, services, content providers. */

const empty = z.object({});

/** A parcel: its items (opaque, base64), and beside them its binders by their owner's pid and number. */
const parcelSchema = z.object({
  data: z.string(),
  binders: z.array(z.tuple([z.int(), z.int()])),
});
export type WireParcel = z.infer<typeof parcelSchema>;

const bindingSchema = z.object({
  name: z.string(),
  type: z.enum(['b', 's', 'i', 'l', 'f', 'd', 'n']),
  value: z.string(),
});

export const BINDER_METHODS = {
  /** A call of a binder of this process; `onCall`: for the thread that waits for the answer to that call of its own. */
  transact: {
    params: z.object({
      /** The daemon's number of it. */
      call: z.int(),
      onCall: z.int().optional(),
      callerPid: z.int(),
      callerUid: z.int(),
      node: z.int(),
      code: z.int(),
      oneWay: z.boolean(),
      parcel: parcelSchema,
    }),
    result: z.object({ handled: z.boolean(), parcel: parcelSchema }),
  },
  /** The answer to a call of this process; without a parcel the other process is gone. */
  transacted: {
    params: z.object({ call: z.int(), handled: z.boolean(), parcel: parcelSchema.optional() }),
    result: empty,
  },
  /** Nobody holds this binder, after it was sent so many times. */
  binderUnreferenced: { params: z.object({ node: z.int(), sent: z.int() }), result: empty },
  /** Another process has ended; `stopped`: its app was stopped by force or removed. */
  processGone: { params: z.object({ pid: z.int(), stopped: z.boolean() }), result: empty },
  /** To what the event `findComponent` asked. */
  componentFound: {
    params: z.object({
      id: z.int(),
      found: z.boolean(),
      /** `pkg/full.Name` */
      component: z.string().optional(),
      /** Why this app may not use it at all. */
      denied: z.string().optional(),
      /** What the app has to hold to bind the service, to read from the provider, to write to it. */
      permission: z.string().optional(),
      readPermission: z.string().optional(),
      writePermission: z.string().optional(),
      pathPermissions: z
        .array(
          z.object({
            kind: z.enum(['literal', 'prefix', 'pattern']),
            path: z.string(),
            readPermission: z.string().optional(),
            writePermission: z.string().optional(),
          }),
        )
        .optional(),
      /** What the app was granted of the URI that it asked for, or of anything of the provider. */
      grants: z.object({ read: z.boolean(), write: z.boolean(), any: z.boolean() }).optional(),
      /** Its process, when it was to be started. */
      pid: z.int().optional(),
      /** Why that could not be started. */
      failed: z.string().optional(),
    }),
    result: empty,
  },
  /** What the shell's `content` asks of a provider of this process; `file`: a host path to read into or write from. */
  content: {
    params: z.object({
      verb: z.enum(['query', 'insert', 'update', 'delete', 'call', 'gettype', 'read', 'write']),
      uri: z.string(),
      callerUid: z.int(),
      projection: z.array(z.string()).optional(),
      where: z.string().optional(),
      sort: z.string().optional(),
      method: z.string().optional(),
      argument: z.string().optional(),
      values: z.array(bindingSchema),
      extras: z.array(bindingSchema),
      file: z.string().optional(),
    }),
    /** What the tool prints, and the exception of the provider. */
    result: z.object({ text: z.string().optional(), trouble: z.string().optional() }),
  },
  /** To what the event `uriPermission` asked; `trouble` is the text of a SecurityException. */
  uriPermissionAnswer: {
    params: z.object({
      id: z.int(),
      trouble: z.string().optional(),
      allowed: z.boolean().optional(),
      permissions: z.array(z.object({ uri: z.string(), flags: z.int(), timeMs: z.number() })).optional(),
    }),
    result: empty,
  },
  /** Another process has called `notifyChange`. */
  contentChanged: { params: z.object({ uris: z.array(z.string()) }), result: empty },
} as const;

export const BINDER_EVENTS = [
  /** A call of a binder of another process, made while serving the daemon's call `within`. */
  z.object({
    event: z.literal('transact'),
    params: z.object({
      call: z.int(),
      pid: z.int(),
      node: z.int(),
      code: z.int(),
      oneWay: z.boolean(),
      within: z.int().optional(),
      parcel: parcelSchema,
    }),
  }),
  /** A binder that this process was given so many times is not used any more. */
  z.object({
    event: z.literal('releaseBinder'),
    params: z.object({ pid: z.int(), node: z.int(), times: z.int() }),
  }),
  /** A component of another process is needed; with `start` in a process that runs. */
  z.object({
    event: z.literal('findComponent'),
    params: z.discriminatedUnion('kind', [
      z.object({
        kind: z.enum(['service', 'activity']),
        id: z.int(),
        start: z.boolean(),
        intent: intentSchema,
      }),
      z.object({
        kind: z.literal('provider'),
        id: z.int(),
        start: z.boolean(),
        authority: z.string(),
        /** What is wanted of it. */
        uri: z.string().optional(),
      }),
    ]),
  }),
  /** Grants of single URIs: gives, takes back, asks; `flags` as `Intent.FLAG_GRANT_*`. */
  z.object({
    event: z.literal('uriPermission'),
    params: z.object({
      id: z.int(),
      ask: z.enum(['mayGrant', 'grant', 'revoke', 'check', 'take', 'release', 'persisted', 'outgoing']),
      uris: z.array(z.string()).optional(),
      flags: z.int().optional(),
      packageName: z.string().optional(),
      uid: z.int().optional(),
    }),
  }),
  z.object({ event: z.literal('contentChanged'), params: z.object({ uris: z.array(z.string()) }) }),
] as const;
