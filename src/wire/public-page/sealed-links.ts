// Public links of encrypted lists: what the page of such a link and the server say to each other. Content is sealed in both directions, and the page
// opens it with the secret in its fragment. Structure and states are as in public-links.ts; ids are those of the rows, which every
// sealed value is bound to.
import * as z from 'zod/mini';
import { limits } from '#core/model.ts';
import { generationOf, longestEnvelope } from '#core/sealing/envelope.ts';
import { maySchema } from '../public-links.ts';
import { idSchema } from '../values.ts';

/** Bytes of JSON that a character takes at most. */
const CHARACTER = 6;
/** Of a date. */
const SMALL = 4_096;

const envelopeSchema = (jsonBytes: number) =>
  z
    .strictObject({ e: z.string().check(z.maxLength(longestEnvelope(jsonBytes))) })
    .check(z.refine((envelope) => generationOf(envelope) !== null, "isn't sealed"));

const titleSchema = envelopeSchema(limits.titleCodePoints * CHARACTER);
const notesSchema = envelopeSchema(limits.notesBytes * 2);
const whenSchema = envelopeSchema(SMALL);

const sealedTaskSchema = z.strictObject({
  id: idSchema,
  /** Null: the top level of the list. */
  parent: z.nullable(idSchema),
  /** Order among its siblings, compared as bytes. */
  key: z.string(),
  title: z.optional(titleSchema),
  notes: z.optional(notesSchema),
  isDone: z.optional(z.literal(true)),
  due: z.optional(whenSchema),
  start: z.optional(whenSchema),
  repeats: z.optional(z.literal(true)),
});
/** Everything that a visitor may see of a task, sealed. */
export type SealedTask = z.infer<typeof sealedTaskSchema>;

const sealedHeadSchema = z.object({
  link: idSchema,
  scope: idSchema,
  list: idSchema,
  /** The key of this generation under the secret of the link. */
  generation: z.int(),
  wrap: z.string(),
  /** Null: it has none. */
  name: z.nullable(envelopeSchema(limits.nameCodePoints * CHARACTER)),
  may: maySchema,
});
/** An encrypted list as its page gets it, without its tasks, and what opens it. */
export type SealedHead = z.infer<typeof sealedHeadSchema>;

/** Answer of `GET /p/{token}/tasks` of an encrypted list. */
export const sealedTasksSchema = z.object({
  success: z.literal(true),
  sealed: sealedHeadSchema,
  at: z.string(),
  tasks: z.array(sealedTaskSchema),
});
/** A list with all that a visitor may see, sealed. */
export type SealedTasks = z.infer<typeof sealedTasksSchema>;

/** What `GET /p/{token}/stream` of an encrypted list sends. */
export const sealedEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('news'), tasks: z.array(sealedTaskSchema), gone: z.array(idSchema) }),
  z.object({ type: z.literal('list'), sealed: sealedHeadSchema }),
  z.object({ type: z.literal('reload') }),
  z.object({ type: z.literal('over'), why: z.enum(['ended', 'paused', 'outdated']) }),
]);
/** An event of the stream of such a page. */
export type SealedEvent = z.infer<typeof sealedEventSchema>;

/** Body of `POST /p/{token}/changes` of an encrypted list: sealed by the page, and the same five things. */
export const sealedChangeSchema = z.discriminatedUnion('do', [
  z.strictObject({
    do: z.literal('add'),
    /** Made by the page. The task's id follows from it and from the link. */
    key: idSchema,
    title: titleSchema,
    parent: z.optional(idSchema),
    after: z.optional(idSchema),
  }),
  z.strictObject({ do: z.literal('complete'), id: idSchema }),
  z.strictObject({ do: z.literal('reopen'), id: idSchema }),
  z.strictObject({ do: z.literal('title'), id: idSchema, title: titleSchema }),
  /** `was`: the sealed text that the page has merged into; null: none. Where another one is there by now, the answer is `moved`. */
  z.strictObject({
    do: z.literal('notes'),
    id: idSchema,
    was: z.nullable(z.string()),
    notes: z.nullable(notesSchema),
  }),
]);
/** One thing that a visitor of an encrypted list does. */
export type SealedChange = z.infer<typeof sealedChangeSchema>;

/** Answer of `POST /p/{token}/changes` of an encrypted list, and what `moved` says of the task. */
export const sealedAnswerSchema = z.object({ at: z.string(), task: z.nullable(sealedTaskSchema) });
/** The task as it is now; null: it is shown no more. */
export type SealedAnswer = z.infer<typeof sealedAnswerSchema>;
