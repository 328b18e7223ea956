// Who is where in a shared list, on the live socket: what a device says of its person, and what it is told of others. Kept in
// memory alone, on both sides; nothing depends on it, and any of it may be lost.
import * as z from 'zod/mini';
import { idSchema } from './values.ts';

/** Selected tasks that are named; of more there is the number. */
export const mostSelected = 50;
/** What was not said again for so long is over, on the server and on the devices that were told, each by its own clock. */
export const presenceLastsMs = 15_000;
/** Between two places that a device says, unless the server asks for more (`pause`). */
export const presencePauseMs = 100;
/** How often a place is said again that has not changed. */
export const presenceBeatMs = 5_000;

const pageSchema = z.int().check(z.gte(0), z.lt(2 ** 32));
const placeShape = {
  /** Selected tasks, the first ones. */
  sel: z.array(idSchema).check(z.maxLength(mostSelected)),
  /** The task with the cursor; null: the list is open without one. */
  focus: z.nullable(idSchema),
  /** What of it is being written; absent: nothing. */
  field: z.optional(z.enum(['title', 'notes'])),
  /** How many tasks are selected. */
  n: z.int().check(z.gte(0), z.lte(1_000_000)),
};

/** Client → server: where its person is in a shared list. */
export const hereSchema = z.object({
  type: z.literal('here'),
  scope: idSchema,
  /** A number that this page of the app has drawn: one person may have several pages. It names no device. */
  page: pageSchema,
  ...placeShape,
  /** This page is in the list no longer. */
  leaves: z.optional(z.literal(true)),
});
/** Where a person is, as their device says it: on changes at most ten times a second, and every five seconds. */
export type Here = z.infer<typeof hereSchema>;

const whoSchema = z.object({ account: z.int(), page: pageSchema, ...placeShape });
/** Where a page of a member is. Name and color are in the rows of members. */
export type Who = z.infer<typeof whoSchema>;

/** Whether two places of one page are the same. */
export function samePlace(a: Omit<Who, 'account' | 'page'>, b: Omit<Who, 'account' | 'page'>): boolean {
  return (
    a.focus === b.focus &&
    a.field === b.field &&
    a.n === b.n &&
    a.sel.length === b.sel.length &&
    a.sel.every((id, at) => id === b.sel[at])
  );
}

/** Server → client: where people are now in a shared list, as far as it has changed or was said again. */
export const thereSchema = z.object({
  type: z.literal('there'),
  scope: idSchema,
  /** How many members are connected, the reader included. A device says nothing unless they are two. 0: the reader is out. */
  present: z.int(),
  who: z.array(whoSchema),
  /** Accounts and pages that are there no longer. */
  gone: z.array(z.tuple([z.int(), pageSchema])),
  /**
   * Milliseconds between two places that a device says until it hears otherwise; absent: `presencePauseMs`. Where many move the
   * others are told less often, and what is said in between would be heard by nobody.
   */
  pause: z.optional(z.int().check(z.gte(0))),
});
/** News of the people in a shared list. */
export type There = z.infer<typeof thereSchema>;

/** Between the processes of one installation: who is connected to `node`, and where they are. */
export const presenceNewsSchema = z.object({
  /** The process that says it. */
  node: z.string(),
  /** Null: it only says that it is alive. */
  scope: z.nullable(idSchema),
  /** All accounts that it has connected in the scope. */
  accounts: z.array(z.int()),
  who: z.array(whoSchema),
  gone: z.array(z.tuple([z.int(), pageSchema])),
  /** It wants to be told what the others know of the scope. */
  asks: z.optional(z.literal(true)),
});
/** What one process tells the others about people in shared lists. */
export type PresenceNews = z.infer<typeof presenceNewsSchema>;
