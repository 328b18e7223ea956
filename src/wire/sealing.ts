// Messages about the sealing of an account's own scope: `/sealing/v1`, JSON, cookie. What a sealed value is: core/sealing.
// States and steps are sync/sealing/scope-state.ts; here is only what crosses the network.
import * as z from 'zod/mini';
import { reformedSchema, scopeSealingSchema, wireRowSchema } from './sync.ts';
import { idSchema, jsonSchema } from './values.ts';

const WRAP_NAME = /^[a-z][a-z0-9-]{0,39}$/;

/** Sizes of these messages. */
export const sealingLimits = {
  /** Characters of a directory's body. */
  directoryCharacters: 1024 * 1024,
  /** Characters of a wrap. */
  wrapCharacters: 400,
  wraps: 16,
  /** Registers of one `POST /sealing/v1/reencode`. */
  reencodings: 500,
  /** Rows of one answer of `GET /sealing/v1/left`. */
  leftRows: 500,
  /** Rows of a list that is opened in a sealed scope: it leaves in one piece. */
  openedRows: 5_000,
} as const;

/** A directory as it is kept (sync/sealing/directory.ts). The server reads number and state in it, and can't write it. */
export const sealedDirectorySchema = z.object({
  body: z.string().check(z.maxLength(sealingLimits.directoryCharacters)),
  mac: z.string().check(z.maxLength(100)),
});

const wrapSchema = z.string().check(z.minLength(1), z.maxLength(sealingLimits.wrapCharacters));
const wrapNameSchema = z.string().check(z.regex(WRAP_NAME));
const countSchema = z.int().check(z.gte(0));

/**
 * The query by which a device asks to be told how everything stands where another one was first, as an answer like any other (`refused`). Without
 * it that is the error `moved` or `unfinished`, as earlier devices know it.
 */
export const MOVED_IS_TOLD = 'moved=told';

/** Answer of `GET /sealing/v1`, of a step that was made and of a directory that was told. */
export const sealingSchema = z.object({
  scope: idSchema,
  state: scopeSealingSchema,
  /** Null: there never was one. */
  directory: z.nullable(sealedDirectorySchema),
  /** The account key under a recovery code (`code`), a passphrase (`passphrase`) and others, by name. */
  wraps: z.record(wrapNameSchema, wrapSchema),
  /** Registers not yet in the form that the state leads to; an estimate unless it is 0. Null: nothing is under way. */
  left: z.nullable(countSchema),
  /** Contents of attachments that are not yet in the form that the state leads to; null: the scope never was sealed. */
  filesLeft: z.nullable(countSchema),
  at: z.object({
    /** Grows with each change of the wraps. */
    wrapsVersion: countSchema,
  }),
  /** Nothing was changed, because another device was first or registers are left: the rest says how it stands. */
  refused: z.optional(z.enum(['moved', 'unfinished'])),
});
/** Everything that the server keeps about the sealing of the account's own scope. */
export type Sealing = z.infer<typeof sealingSchema>;

/** Changes of wraps by name; null removes one, those that aren't named stay. */
const wrapChangesSchema = z.record(wrapNameSchema, z.nullable(wrapSchema));

/**
 * Body of `POST /sealing/v1/step`. The directory already says the state that the step leads to. `catch-up` is for a server that was restored
 * to an earlier state than the directory of its devices says: it goes where that state is finished from, `sealing` for `sealed` and
 * `unsealing` for `plain`. `lists` changes nothing but which lists are on their way out of a sealed scope or back.
 */
export const sealingStepSchema = z.object({
  /** The state that the device has seen. */
  from: scopeSealingSchema,
  step: z.enum(['begin', 'rotate', 'unseal', 'finish', 'catch-up', 'lists']),
  directory: sealedDirectorySchema,
  wraps: z.optional(wrapChangesSchema),
  /** Of the wraps that the device has seen: where others are kept by now, the step isn't made. */
  wrapsVersion: z.optional(countSchema),
});
/** A step on the way to being sealed and back. */
export type SealingStep = z.infer<typeof sealingStepSchema>;

/** Body of `POST /sealing/v1/wraps`: a new code, a passphrase set or removed, the directory told again. */
export const wrapChangeSchema = z.object({
  /** Of the wraps that the device has seen. */
  wrapsVersion: countSchema,
  /** Says the present state, with a higher number than the one that is kept. */
  directory: z.optional(sealedDirectorySchema),
  wraps: wrapChangesSchema,
});
/** A change of wraps. */
export type WrapChange = z.infer<typeof wrapChangeSchema>;

/**
 * Body of `POST /sealing/v1/directory`: the directory told again, with a higher number than the one that is kept, in the present state. By it a
 * device says that it has the key, or has it no more.
 */
export const directoryTellingSchema = z.object({ directory: sealedDirectorySchema });
/** The directory told again. */
export type DirectoryTelling = z.infer<typeof directoryTellingSchema>;

/**
 * Answer of `GET /sealing/v1/left?after=&limit=`: rows that hold registers in the earlier form, as they are kept. With `&list=`: those of a
 * list that is opened, and the labels on its tasks, as far as they are sealed.
 */
export const sealingLeftSchema = z.object({
  state: scopeSealingSchema,
  rows: z.array(wireRowSchema),
  /** Where to go on; null at the end of the scope. Rows are passed over, so `rows` can be empty before that. */
  next: z.nullable(idSchema),
});
/** A page of rows that a device brings into their new form. */
export type SealingLeft = z.infer<typeof sealingLeftSchema>;

/** Body of `POST /sealing/v1/reencode`: registers in their new form (sync/sealing/reencoding.ts). */
export const reencodeSchema = z.object({
  /** The state that they were brought into this form for. */
  state: scopeSealingSchema,
  items: z.array(reformedSchema).check(z.minLength(1), z.maxLength(sealingLimits.reencodings)),
});
/** Registers in their new form. */
export type Reencode = z.infer<typeof reencodeSchema>;

/** Answer of `POST /sealing/v1/reencode`. */
export const reencodedSchema = z.object({
  /** The scope isn't in that state any more: nothing was changed. */
  refused: z.optional(z.literal('moved')),
  done: countSchema,
  /** Positions in the request, each with the reason why the register stays as it is. `gone`: the row isn't there. */
  skipped: z.array(z.tuple([countSchema, z.enum(['changed', 'form', 'gone'])])),
});
/** What became of registers that were sent in their new form. */
export type Reencoded = z.infer<typeof reencodedSchema>;

const hashSchema = z.string().check(z.regex(/^[0-9a-f]{64}$/));

/**
 * Body of `POST /sealing/v1/files`: the content of an attachment in its new form. It was uploaded before, as the content of any attachment is;
 * this makes the attachment name it.
 */
export const fileFormSchema = z.object({
  /** Where the attachment is: one that was sealed may have been moved to a shared list since. */
  scope: idSchema,
  /** The state of that scope, which it was brought into this form for. */
  state: scopeSealingSchema,
  id: idSchema,
  /** SHA-256 of the content that was read: only that one is replaced. */
  from: hashSchema,
  to: z.object({
    hash: hashSchema,
    sizeBytes: z.int().check(z.gte(0), z.lte(Number.MAX_SAFE_INTEGER)),
    /** The register of this name: an envelope where the content is sealed now, null where it is as it is. */
    content: jsonSchema,
  }),
});
/** The content of an attachment in its new form. */
export type FileForm = z.infer<typeof fileFormSchema>;

/**
 * Answer of `POST /sealing/v1/files`. `changed`: the attachment names another content by now, or is gone. `form`: it isn't in the form that the
 * state asks for. `missing`: the scope doesn't hold the content that it would name.
 */
export const fileFormedSchema = z.object({ done: z.enum(['done', 'changed', 'form', 'missing']) });
/** What became of a content that was sent in its new form. */
export type FileFormed = z.infer<typeof fileFormedSchema>;

/**
 * Body of a refusal of these routes.
 * - `moved` the scope is in another state than the device has seen (`now`), or directory or wraps were changed meanwhile
 * - `unfinished` registers are `left`; `invalid` what was sent can't be; others are those of the app's other routes
 */
export const sealingRefusalSchema = z.object({
  success: z.literal(false),
  code: z.string(),
  error: z.string(),
  now: z.optional(scopeSealingSchema),
  left: z.optional(countSchema),
});
/** A refusal of the sealing routes. */
export type SealingRefusal = z.infer<typeof sealingRefusalSchema>;

const publicKeySchema = z.string().check(z.regex(/^[\w-]{43}$/));

/** Body of `POST /sealing/v1/identity`: the public keys of the account, by which others wrap the keys of lists for it. */
export const identitySchema = z.object({ agree: publicKeySchema, verify: publicKeySchema });

/** Answer of `GET /sealing/v1/lists/{scope}/members`: the members that the server knows. Null: their account has told no keys. */
export const listMembersSchema = z.object({
  members: z.array(z.object({ account: z.int(), identity: z.nullable(identitySchema) })),
});
