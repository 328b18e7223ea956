// The replication protocol: `POST /sync/v1`, `GET /snapshot/v1/{scope}` and the `/live` socket. JSON.
import * as z from 'zod/mini';
import { limits, type EntityType, type UnknownType } from '#core/model.ts';
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
const hopsSchema = versionSchema;
const timeSchema = z.int().check(z.gte(-8.64e15), z.lte(8.64e15));
const fieldNameSchema = z.string().check(z.minLength(1), z.maxLength(200));

/**
 * The state of a scope on its way to being sealed and back (sync/sealing/scope-state.ts). One that never was sealed is plain in
 * generation 0.
 */
export const scopeSealingSchema = z.object({
  phase: z.enum(['sealing', 'sealed', 'unsealing', 'plain']),
  generation: z.int().check(z.gte(0), z.lte(4_294_967_295)),
  /** Lists of a sealed scope on their way out of it or back (sync/sealing/scope-state.ts). */
  lists: z.optional(z.record(idSchema, z.enum(['open', 'await', 'close']))),
});

/** A sealed value (core/sealing/envelope.ts). Whether its scope takes it is found out with its row. */
const envelopeSchema = z.strictObject({ e: z.string().check(z.maxLength(limits.pushBytes)) });
const orSealed = <T extends z.ZodMiniType>(schema: T) => z.union([schema, envelopeSchema]);

const positionSchema = z.strictObject({
  parent: idSchema,
  after: z.optional(idSchema),
  before: z.optional(idSchema),
  at: z.optional(z.enum(['start', 'end'])),
});

const nextOccurrenceSchema = z.strictObject({
  due: z.nullable(orSealed(whenSchema)),
  start: z.nullable(orSealed(whenSchema)),
  repeat: z.optional(orSealed(repeatRuleSchema)),
  title: z.optional(z.nullable(orSealed(titleSchema))),
  notes: z.optional(z.nullable(orSealed(notesSchema))),
  duration: z.optional(z.nullable(orSealed(durationSchema))),
  series: z.optional(z.nullable(orSealed(seriesValuesSchema))),
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
    /** Base64; apply decides how much is too much. */
    update: orSealed(z.string().check(z.maxLength(limits.pushBytes))),
    text: orSealed(z.string().check(z.maxLength(limits.pushBytes))),
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

/** When, by which device and with which of its operations a register was written (`Stamp` in sync/rows/row.ts). */
export const stampSchema = z.tuple([versionSchema, timeSchema, z.int(), z.int()]);

/** A register in another form, of the same meaning (sync/sealing/reencoding.ts). */
export const reformedSchema = z.object({
  id: idSchema,
  /** The register's name up to now. */
  from: fieldNameSchema,
  to: z.object({ name: fieldNameSchema, value: jsonSchema }),
  /** Of the value that was read. */
  stamp: stampSchema,
});

/** As `reformedSchema`, of a row that moves. */
export const alongSchema = z.object({
  ...reformedSchema.shape,
  /** Of what says how the content of an attachment is sealed: the hash that the attachment named beside it. Both change under their stamps. */
  hash: z.optional(z.string().check(z.maxLength(100))),
});
/** A register in another form, as it is sent. */
export type Reformed = z.infer<typeof alongSchema>;

/** What goes along with moves of one request, at most. */
export const alongLimits = { registers: 20_000, bytes: 4 * 1024 * 1024 } as const;

/** Body of `POST /sync/v1`. */
export const syncRequestSchema = z.strictObject({
  schema: z.int().check(z.gte(1), z.lte(1_000)),
  device: idSchema,
  /**
   * The account whose copy it is for. Where the session is another account's, nothing is judged: members of one list would
   * write there for each other. Only for servers that name the feature.
   */
  account: z.optional(z.int()),
  clientNow: timeSchema,
  /**
   * The server's time at that moment as far as the device knows it: at most what it really was. Absent: no answer has
   * told it yet.
   */
  sentAt: z.optional(timeSchema),
  /** Operations in sequence order. Checked one by one, so that a malformed one does not block the queue. */
  ops: z.array(z.unknown()).check(z.maxLength(limits.pushOperations)),
  /** Verdicts up to this sequence number are on the device's disk. */
  ack: versionSchema,
  /** Scopes on the device. A readable scope that is missing here is answered from the start. */
  cursors: z.record(idSchema, cursorSchema),
  /**
   * Where the device stood in scopes that it requests anew (version 0): it may still hold rows from then. Of others, what it has seen
   * beyond its cursor: rows in pages, and rows that moved there. A server that knows the first meaning alone goes by the cursor.
   */
  stood: z.optional(z.record(idSchema, cursorSchema)),
  /**
   * The generation of the key that the content of operations is sealed with, by the scope that they name; 0 or absent: it is
   * plain. Protocol 8.
   */
  sealed: z.optional(z.record(idSchema, scopeSealingSchema.shape.generation)),
  /** The scope that an operation is sealed for, by its id, where it is another one than it names: its row has moved since. Protocol 8. */
  sealedFor: z.optional(z.record(idSchema, idSchema)),
  /**
   * By the id of an operation that takes a task from an encrypted list to another scope, or there: the registers of all that moves, in
   * the form of the scope that they go to. Protocol 8.
   */
  along: z.optional(z.record(idSchema, z.array(alongSchema).check(z.maxLength(alongLimits.registers)))),
  maxRows: z.optional(z.int().check(z.gte(1), z.lte(5_000))),
});
/** A device's changes and its position in every scope. `schema` is the protocol version (version.ts). */
export type SyncRequest = z.infer<typeof syncRequestSchema>;

/**
 * What a server says of an operation. A device that does not know a word treats it like `invalid`: the change goes to
 * Recovered. So a new word may only ever be a refusal; one for a success needs a new protocol version (version.ts).
 */
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

/** The type of a row as a device hears it: one that it does not know is kept and not looked into. */
const heardTypeSchema = z.string().check(z.regex(/^[A-Za-z]\w{0,39}$/)) as unknown as z.ZodMiniType<
  EntityType | UnknownType
>;

/**
 * A row on the wire: version, fields, creation and update time; `m` and `fm` are the default and the per-register
 * stamps. `h` is its hop counter, 0 if absent: how often it changed its scope. Rows of one id are ordered by hops, then
 * by version, as versions of different scopes cannot be compared.
 */
export const wireRowSchema = z.object({
  id: idSchema,
  type: heardTypeSchema,
  v: versionSchema,
  f: z.record(z.string(), jsonSchema),
  m: stampSchema,
  fm: z.optional(z.record(z.string(), stampSchema)),
  c: timeSchema,
  u: timeSchema,
  h: z.optional(hopsSchema),
});
/** A row as it is sent; codec.ts (sync/rows) converts it. */
export type WireRow = z.infer<typeof wireRowSchema>;

const scopeChangesSchema = z.object({
  scope: idSchema,
  generation: z.string(),
  /** The cursor before and after these rows. A page never splits a version. */
  from: versionSchema,
  to: versionSchema,
  rows: z.array(wireRowSchema),
  /** Rows that were purged, or moved to a scope that the account may not read. Says nothing of rows of other scopes. */
  gone: z.array(idSchema),
  /**
   * Rows that moved to a scope that the account may read, as `[id, its scope now, its hops there, its last version here,
   * its first version there]`. Protocol 6.
   */
  moved: z.optional(z.array(z.tuple([idSchema, idSchema, hopsSchema, versionSchema, versionSchema]))),
  more: z.boolean(),
  /** Digest of the scope at `to`, present when `more` is false; the device compares it with its own. */
  digest: z.optional(z.string()),
  /** The device's cursor was older than the horizon or unknown: drop the rows of the scope, keep the queue. */
  resync: z.optional(z.boolean()),
  /** Too many rows for this answer: read them from `/snapshot`, then go on from `to`. */
  bootstrap: z.optional(z.boolean()),
  /**
   * The server's history does not contain what the device has seen: it was restored to an older state. Comes with
   * `resync`; no operation of the request was judged. Protocol 2 only.
   */
  rollback: z.optional(
    // The server's generations, newest first, each with the scope's version at its end.
    z.object({ known: z.array(z.tuple([z.string(), versionSchema])) }),
  ),
});
/** The changes of one scope since the cursor of the request. */
export type ScopeChanges = z.infer<typeof scopeChangesSchema>;

/** Answer of `POST /sync/v1`. */
export const syncResponseSchema = z.object({
  serverNow: timeSchema,
  deviceNumber: z.int(),
  account: z.int(),
  personalScope: idSchema,
  /** In sequence order, one for each operation sent: a verdict, maybe one that only a newer program knows. */
  results: z.array(z.tuple([seqSchema, z.string().check(z.regex(/^[a-z]\w{0,39}$/i))])),
  changes: z.array(scopeChangesSchema),
  /** Scopes no longer readable: their rows must go. */
  left: z.array(idSchema),
  /**
   * Scopes in `cursors` that the server has never heard of, or that the account never belonged to as far as it knows:
   * after a restore. Their rows and operations are kept. Protocol 6.
   */
  unknown: z.optional(z.array(idSchema)),
  /**
   * The content of the operations isn't in the form that their scope takes now, or a note was changed meanwhile that only devices
   * can merge: none was judged, and `results` is empty. The device takes in the changes, makes the same operations anew, with the same
   * numbers and ids, and sends them again. Or the first one without a result takes something out of a sealed scope, or into one, that the
   * device has to open first, or to say that it comes. Protocol 8.
   */
  reseal: z.optional(z.boolean()),
  /** The state of each readable scope that is, or once was, on its way to being sealed. Protocol 8. */
  sealing: z.optional(z.record(idSchema, scopeSealingSchema)),
  minSchema: z.int(),
  backoffMs: z.optional(z.int()),
  /** How many days the trash is kept; absent: an older server, which does not say. */
  trashDays: z.optional(z.int()),
  /** What the server can do beyond its protocol version (features.ts); absent: an older server, which can do none of it. */
  features: z.optional(z.array(z.string().check(z.maxLength(40)))),
});
/** The server's verdicts and changes. */
export type SyncResponse = z.infer<typeof syncResponseSchema>;

/** Codes of the error bodies of the sync routes; they decide what a device does. */
export const syncErrorCodes = [
  /** The session is missing or over: keep working locally, ask to sign in. */
  'signed_out',
  /** This device id belongs to somebody else, or its storage was cloned: make a new id and keep the queue. */
  'device_conflict',
  /** The server does not know this protocol version yet: keep everything and try again later. */
  'too_new',
  /** The server no longer speaks this protocol version: keep everything and update the app. */
  'too_old',
  'invalid',
  'too_large',
  'busy',
] as const;
/** A code of the sync routes' errors. */
export type SyncErrorCode = (typeof syncErrorCodes)[number];

/** Parts of a snapshot in the order in which a device reads them; together they are the scope, and no row is in two. */
export const snapshotParts = ['frame', 'hot', 'cold'] as const;
/** `frame`: lists, labels, settings. `hot`: open tasks and recently completed ones. `cold`: the rest. */
export type SnapshotPart = (typeof snapshotParts)[number];

const snapshotPlaceSchema = z.object({
  part: z.enum(snapshotParts),
  /** Opaque; null starts the part. */
  after: z.nullable(z.string().check(z.maxLength(200))),
});
/** A position in a snapshot: the part, and the place in it. */
export type SnapshotPlace = z.infer<typeof snapshotPlaceSchema>;

/** Answer of `GET /snapshot/v1/{scope}` with a `part`: one page of the scope's rows. */
export const partPageSchema = z.object({
  scope: idSchema,
  rows: z.array(wireRowSchema),
  /** Where to go on; null at the end of the scope. */
  next: z.nullable(snapshotPlaceSchema),
  /** Approximate number of rows in the scope, for progress; on the first page. */
  total: z.optional(z.int().check(z.gte(0))),
  /**
   * Generation of the server that read the page. If it differs from the cursor's, the server may hold an older state:
   * ask for changes first.
   */
  generation: z.optional(z.string().check(z.maxLength(64))),
});
/** One page of a scope's rows, as it is sent. */
export type WirePartPage = z.infer<typeof partPageSchema>;

export const snapshotPageSchema = z.object({
  scope: idSchema,
  rows: z.array(wireRowSchema),
  next: z.nullable(idSchema),
});
/** One page of a scope's rows in the order of ids, for requests that name no part. */
export type WireSnapshotPage = z.infer<typeof snapshotPageSchema>;

/** Server → client on the live socket: news of rows. What else it says is live.ts. */
export const newsMessageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('poke'), scope: idSchema, to: versionSchema }),
  /** Small deltas are included when `from` equals what the socket was last told; otherwise the client pulls. */
  z.object({ type: z.literal('delta'), changes: scopeChangesSchema }),
  z.object({ type: z.literal('left'), scope: idSchema }),
  /** `after`: milliseconds to wait before coming back, so that not everybody is there at once. Other servers go on. */
  z.object({
    type: z.literal('bye'),
    reason: z.enum(['signed_out', 'shutdown']),
    after: z.optional(z.number()),
  }),
]);

/**
 * Client → server on the live socket: its cursors, so that the server can send deltas. What a newer client says besides
 * is passed over, and so are its messages of other types.
 */
export const liveHelloSchema = z.object({
  type: z.literal('hello'),
  device: idSchema,
  cursors: z.record(idSchema, z.object(cursorSchema.shape)),
});
/** The client's first message on the live socket. */
export type LiveHello = z.infer<typeof liveHelloSchema>;
