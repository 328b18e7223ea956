// The replication protocol: `POST /sync/v1`, `GET /snapshot/v1/{scope}` and the `/live` socket. JSON.
import * as z from 'zod/mini';
import { limits } from '#core/model.ts';
import {
  durationSchema,
  entityTypeSchema,
  idSchema,
  jsonSchema,
  notesSchema,
  repeatRuleSchema,
  seriesValuesSchema,
  titleSchema,
  whenSchema,
} from './values.ts';

const seqSchema = z.int().check(z.gte(1), z.lte(Number.MAX_SAFE_INTEGER));
const versionSchema = z.int().check(z.gte(0), z.lte(Number.MAX_SAFE_INTEGER));
const timeSchema = z.int().check(z.gte(-8.64e15), z.lte(8.64e15));
const fieldNameSchema = z.string().check(z.minLength(1), z.maxLength(200));

const positionSchema = z.strictObject({
  parent: idSchema,
  after: z.optional(idSchema),
  before: z.optional(idSchema),
  at: z.optional(z.enum(['start', 'end'])),
});

const nextOccurrenceSchema = z.strictObject({
  due: z.nullable(whenSchema),
  start: z.nullable(whenSchema),
  repeat: z.optional(repeatRuleSchema),
  title: z.optional(z.nullable(titleSchema)),
  notes: z.optional(z.nullable(notesSchema)),
  duration: z.optional(z.nullable(durationSchema)),
  series: z.optional(z.nullable(seriesValuesSchema)),
});

const head = {
  q: seqSchema,
  u: idSchema,
  scope: idSchema,
  t: timeSchema,
  b: versionSchema,
  x: z.optional(idSchema),
  g: z.optional(idSchema),
};

/** Shape of one operation. Values of registers are checked per type by `checkRegister` in registers.ts. */
export const operationSchema = z.discriminatedUnion('a', [
  z.strictObject({
    ...head,
    a: z.literal('create'),
    id: idSchema,
    type: entityTypeSchema,
    fields: z.record(fieldNameSchema, jsonSchema),
    place: z.optional(positionSchema),
    createdAt: z.optional(timeSchema),
  }),
  z.strictObject({
    ...head,
    a: z.literal('set'),
    id: idSchema,
    field: fieldNameSchema,
    value: jsonSchema,
    only: z.optional(seqSchema),
  }),
  z.strictObject({
    ...head,
    a: z.literal('place'),
    id: idSchema,
    place: positionSchema,
    only: z.optional(seqSchema),
  }),
  z.strictObject({ ...head, a: z.literal('delete'), id: idSchema, only: z.optional(seqSchema) }),
  z.strictObject({ ...head, a: z.literal('restore'), id: idSchema, only: z.optional(seqSchema) }),
  z.strictObject({
    ...head,
    a: z.literal('note'),
    id: idSchema,
    seed: idSchema,
    /** Base64; how much of it is too much apply says. */
    update: z.string().check(z.maxLength(limits.pushBytes)),
    text: z.string().check(z.maxLength(limits.pushBytes)),
  }),
  z.strictObject({
    ...head,
    a: z.literal('complete'),
    id: idSchema,
    occ: versionSchema,
    at: timeSchema,
    next: z.nullable(nextOccurrenceSchema),
    anew: z.optional(z.array(idSchema).check(z.maxLength(limits.anewTasks))),
  }),
  z.strictObject({
    ...head,
    a: z.literal('reopen'),
    id: idSchema,
    occ: versionSchema,
    previous: z.nullable(nextOccurrenceSchema),
  }),
  z.strictObject({
    ...head,
    a: z.literal('reoffer'),
    id: idSchema,
    type: entityTypeSchema,
    fields: z.record(fieldNameSchema, jsonSchema),
    place: z.optional(positionSchema),
    at: timeSchema,
    times: z.record(fieldNameSchema, timeSchema),
    createdAt: timeSchema,
  }),
]);

const cursorSchema = z.strictObject({
  generation: z.string().check(z.maxLength(64)),
  version: versionSchema,
});

export const syncRequestSchema = z.strictObject({
  schema: z.int().check(z.gte(1), z.lte(1_000)),
  device: idSchema,
  clientNow: timeSchema,
  /** Operations in sequence order. Checked one by one, so that a malformed one does not block the queue. */
  ops: z.array(z.unknown()).check(z.maxLength(limits.pushOperations)),
  /** Verdicts up to this sequence number are on the device's disk. */
  ack: versionSchema,
  /** Scopes already held. A scope the account may read and that is missing here is answered from the start. */
  cursors: z.record(idSchema, cursorSchema),
  /** Where the device stood in scopes that it asks for afresh (version 0): rows from then may still be held. */
  stood: z.optional(z.record(idSchema, cursorSchema)),
  maxRows: z.optional(z.int().check(z.gte(1), z.lte(5_000))),
});
export type SyncRequest = z.infer<typeof syncRequestSchema>;

export const verdictSchema = z.enum([
  'ok',
  'superseded',
  'already',
  'exists',
  'gone',
  'cycle',
  'badparent',
  'forbidden',
  'invalid',
  'limit',
  'parked',
]);

const stampSchema = z.tuple([versionSchema, timeSchema, z.int(), z.int()]);

/** A row on the wire; `m` and `fm` are the default and the per-register stamps. */
const wireRowSchema = z.object({
  id: idSchema,
  type: entityTypeSchema,
  v: versionSchema,
  f: z.record(z.string(), jsonSchema),
  m: stampSchema,
  fm: z.optional(z.record(z.string(), stampSchema)),
  c: timeSchema,
  u: timeSchema,
});
export type WireRow = z.infer<typeof wireRowSchema>;

const scopeChangesSchema = z.object({
  scope: idSchema,
  generation: z.string(),
  /** Cursor these rows start from and the one they lead to. A page never splits a version. */
  from: versionSchema,
  to: versionSchema,
  rows: z.array(wireRowSchema),
  /** Purged for good. */
  gone: z.array(idSchema),
  more: z.boolean(),
  /** Sum of the scope at `to`, present when `more` is false; the device compares it with its own. */
  digest: z.optional(z.string()),
  /** The device's cursor was older than the horizon or unknown: forget held rows of the scope, keep the queue. */
  resync: z.optional(z.boolean()),
  /** Too much for this answer: take the rows from `/snapshot`, then go on from `to`. */
  bootstrap: z.optional(z.boolean()),
  /**
   * The server's history does not contain what the device has seen: it was put back to an older state. Together with
   * `resync`; no operation of the request was judged. Protocol 2 only.
   */
  rollback: z.optional(
    // Generations that the server knows, newest first, each with the scope's version at its end.
    z.object({ known: z.array(z.tuple([z.string(), versionSchema])) }),
  ),
});
export type ScopeChanges = z.infer<typeof scopeChangesSchema>;

export const syncResponseSchema = z.object({
  serverNow: timeSchema,
  deviceNumber: z.int(),
  account: z.int(),
  personalScope: idSchema,
  /** In sequence order, one per operation sent. */
  results: z.array(z.tuple([seqSchema, verdictSchema])),
  changes: z.array(scopeChangesSchema),
  /** Scopes no longer readable: their rows must go. */
  left: z.array(idSchema),
  minSchema: z.int(),
  backoffMs: z.optional(z.int()),
  /** How long what is in the trash stays there; absent: an older server, which does not say. */
  trashDays: z.optional(z.int()),
});
export type SyncResponse = z.infer<typeof syncResponseSchema>;

/** Error bodies of the sync routes; `code` decides what a device does. */
export const syncErrorCodes = [
  /** The session is missing or over: keep working locally, ask to sign in. */
  'signed_out',
  /** This device id belongs to somebody else, or its storage was cloned: make a new id and keep the queue. */
  'device_conflict',
  /** The server does not speak a protocol this new yet: keep everything and ask again later. */
  'too_new',
  /** The server speaks this old a protocol no longer: keep everything and update the app. */
  'too_old',
  'invalid',
  'too_large',
  'busy',
] as const;
export type SyncErrorCode = (typeof syncErrorCodes)[number];

/** In the order in which a device reads them; together they are the scope, and no row is in two. */
export const snapshotParts = ['frame', 'hot', 'cold'] as const;
/** `frame`: lists, labels, settings. `hot`: open tasks and what was done lately. `cold`: the rest. */
export type SnapshotPart = (typeof snapshotParts)[number];

const snapshotPlaceSchema = z.object({
  part: z.enum(snapshotParts),
  /** Opaque; null begins the part. */
  after: z.nullable(z.string().check(z.maxLength(200))),
});
export type SnapshotPlace = z.infer<typeof snapshotPlaceSchema>;

export const partPageSchema = z.object({
  scope: idSchema,
  rows: z.array(wireRowSchema),
  /** Where to read on; null when the scope has been read to its end. */
  next: z.nullable(snapshotPlaceSchema),
  /** Rows of the scope about now, for showing progress; with the first page. */
  total: z.optional(z.int().check(z.gte(0))),
  /** Of the server that read the page. Another one than the cursor's may be an older state: ask for changes first. */
  generation: z.optional(z.string().check(z.maxLength(64))),
});
export type WirePartPage = z.infer<typeof partPageSchema>;

export const snapshotPageSchema = z.object({
  scope: idSchema,
  rows: z.array(wireRowSchema),
  next: z.nullable(idSchema),
});
export type WireSnapshotPage = z.infer<typeof snapshotPageSchema>;

/** Server → client on the live socket. */
export const liveMessageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('poke'), scope: idSchema, to: versionSchema }),
  /** Small deltas ride along when `from` equals what the socket was last told; otherwise the client pulls. */
  z.object({ type: z.literal('delta'), changes: scopeChangesSchema }),
  z.object({ type: z.literal('left'), scope: idSchema }),
  z.object({ type: z.literal('bye'), reason: z.enum(['signed_out', 'shutdown']) }),
]);
export type LiveMessage = z.infer<typeof liveMessageSchema>;

/** Client → server on the live socket: what it holds, so that deltas can be sent. */
export const liveHelloSchema = z.strictObject({
  type: z.literal('hello'),
  device: idSchema,
  cursors: z.record(idSchema, cursorSchema),
});
export type LiveHello = z.infer<typeof liveHelloSchema>;
