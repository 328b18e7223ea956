// Public links: a window into one list, for anyone who has its address. What the app asks about the links of a list, and what
// the page of a link and the server say to each other. A visitor has no account; ids on the page hold for that link alone.
import * as z from 'zod/mini';
import type { SharingState } from './sharing.ts';
import { idSchema, msSchema, notesSchema, textSchema, titleSchema, whenSchema } from './values.ts';

/** What a link may permit besides looking, in the order in which they are shown. */
export const linkPermissions = ['add', 'complete', 'titles', 'notes', 'labels'] as const;
/** Adding tasks, completing them, editing titles, editing notes, or seeing labels. */
export type LinkPermission = (typeof linkPermissions)[number];

/** Links of one list at most. */
export const mostPublicLinks = 50;
/** A public name at most, in code points. */
export const publicNameCodePoints = 120;
/** A logo as it is sent at most; stored it is smaller or the same. */
export const logoBytes = 512 * 1024;
/** A logo at most, in pixels of width and of height. */
export const logoPixels = 512;

const mayBe = {
  add: z.boolean(),
  complete: z.boolean(),
  titles: z.boolean(),
  notes: z.boolean(),
  labels: z.boolean(),
} as const;
/** What a link permits, each by name. */
export const maySchema = z.object(mayBe);
/** What a link permits, each by name. */
export type LinkMay = z.infer<typeof maySchema>;

/**
 * Of a link of an encrypted list: the key of one generation under the secret in the link's fragment (`wrap`), and that secret under the key of
 * the list (`secret`). The server opens neither.
 */
export const linkKeysSchema = z.strictObject({
  generation: z.int().check(z.gte(1)),
  wrap: z.string().check(z.minLength(1), z.maxLength(400)),
  secret: z.string().check(z.minLength(1), z.maxLength(400)),
});
/** What a link of an encrypted list is opened and copied with. */
export type LinkKeys = z.infer<typeof linkKeysSchema>;

const publicLinkSchema = z.object({
  id: idSchema,
  /** The last part of the address `/p/{token}`; null: this server cannot read it anymore, and a new link has to be made. */
  token: z.nullable(z.string()),
  /** What visitors see instead of the list's own name; null: that. */
  name: z.nullable(z.string()),
  /** Changes with the logo; null: none. The picture: `GET …/links/{link}/logo`. */
  logo: z.nullable(z.string()),
  may: maySchema,
  /** Since when it shows nothing and permits nothing; null: it works. */
  pausedAt: z.nullable(msSchema),
  /** Paused because who made it does not belong to the list anymore. The owner may let it go on, and makes it theirs. */
  isOrphan: z.boolean(),
  /** Account number of who made it, or took it over. */
  account: z.int(),
  createdAt: msSchema,
  /** Whether the person of this account may change and delete it: its maker and the owner of the list. */
  isMine: z.boolean(),
  /** How often its page was opened, how often something was changed by it, and when it was opened last. */
  visits: z.int(),
  changes: z.int(),
  visitedAt: z.nullable(msSchema),
  /** Pages that are open right now on this server. */
  open: z.int(),
  /** Of a link of an encrypted list; absent: visitors need no key. */
  keys: z.optional(linkKeysSchema),
  /** The list has got a new key since, so the link opens nothing. */
  isOutdated: z.optional(z.literal(true)),
});
/** A public link as the members of its list see it. */
export type PublicLink = z.infer<typeof publicLinkSchema>;

/** Answer of `GET` and `POST /app/api/sharing/lists/{list}/links`, and of all calls below it except the logo itself. */
export const publicLinksSchema = z.object({
  success: z.literal(true),
  list: idSchema,
  /** The scope that the list is in now. */
  scope: idSchema,
  state: z.enum(['private', 'filling', 'open', 'emptying'] satisfies SharingState[]),
  /** The list stays encrypted, and so does what its links show. */
  isEncrypted: z.optional(z.literal(true)),
  /** While on the way: rows that have moved, and all of them, about. */
  moved: z.optional(z.int()),
  total: z.optional(z.int()),
  /** Rows of a list out of an encrypted scope that its devices have not opened yet; absent: there are none. */
  sealed: z.optional(z.int()),
  /** Oldest first. */
  links: z.array(publicLinkSchema),
  /** The link that this call made. */
  made: z.optional(idSchema),
  /** Changes that this call took back (`undo`). */
  undone: z.optional(z.int()),
});
/** The public links of a list. */
export type PublicLinks = z.infer<typeof publicLinksSchema>;

const publicNameSchema = z.nullable(textSchema(publicNameCodePoints));

/**
 * Body of `POST /app/api/sharing/lists/{list}/links`. A list that is not shared becomes a scope of its own first, as by sharing;
 * nobody is invited. What is absent is not permitted. `keys`: of an encrypted list, whose links have no names of their own.
 */
export const newPublicLinkSchema = z.strictObject({
  name: z.optional(publicNameSchema),
  keys: z.optional(linkKeysSchema),
  may: z.optional(z.partial(z.strictObject(mayBe))),
});
/** A link to be made. */
export type NewPublicLink = z.infer<typeof newPublicLinkSchema>;

/** Body of `POST /app/api/sharing/lists/{list}/links/{link}`: what is absent stays. `DELETE` there ends the link. */
export const publicLinkChangeSchema = z.strictObject({
  name: z.optional(publicNameSchema),
  may: z.optional(z.partial(z.strictObject(mayBe))),
  isPaused: z.optional(z.boolean()),
});
/** A change of a link. */
export type PublicLinkChange = z.infer<typeof publicLinkChangeSchema>;

/**
 * Body of `POST /app/api/sharing/lists/{list}/links/{link}/undo`: takes back what visitors changed by the link in the last so many
 * minutes, as far as nobody has changed it again. The answer counts it in `undone`. `POST …/logo` takes a PNG as it is
 * (`content-type: image/png`) and `DELETE …/logo` removes it.
 */
export const undoVisitsSchema = z.strictObject({
  minutes: z.int().check(z.gte(1), z.lte(7 * 24 * 60)),
});

/** An id as one link shows it: means nothing to another link or to the API. */
const localIdSchema = z.string().check(z.regex(/^[\w-]{22}$/));

const shownLabelSchema = z.object({ name: z.string(), color: z.string() });
/** A label of a task, for links that show labels. */
export type ShownLabel = z.infer<typeof shownLabelSchema>;

const shownTaskSchema = z.strictObject({
  id: localIdSchema,
  /** Null: the top level of the list. */
  parent: z.nullable(localIdSchema),
  /** Order among its siblings, compared as bytes. */
  key: z.string(),
  title: z.string(),
  /** Markdown; absent: none. */
  notes: z.optional(z.string()),
  isDone: z.optional(z.literal(true)),
  due: z.optional(whenSchema),
  start: z.optional(whenSchema),
  repeats: z.optional(z.literal(true)),
  labels: z.optional(z.array(shownLabelSchema)),
});
/** Everything that a visitor may see of a task. */
export type ShownTask = z.infer<typeof shownTaskSchema> & {
  /** The page of an encrypted list couldn't open all of it. No server says so. */
  readonly isLocked?: true;
};

const shownListSchema = z.object({
  name: z.string(),
  /** Names the logo, and changes with it: the picture is `/p/{token}/logo?v={logo}`. Null: none. */
  logo: z.nullable(z.string()),
  may: maySchema,
});
/** A list as its page shows it, without its tasks. */
export type ShownList = z.infer<typeof shownListSchema>;

/** Answer of `GET /p/{token}/tasks`. */
export const shownTasksSchema = z.object({
  success: z.literal(true),
  ...shownListSchema.shape,
  /** Where the stream goes on: its `Last-Event-ID`, `{generation}.{version}`. */
  at: z.string(),
  /** In no order. */
  tasks: z.array(shownTaskSchema),
});
/** A list with all that a visitor may see. */
export type ShownTasks = z.infer<typeof shownTasksSchema>;

/**
 * What `GET /p/{token}/stream` sends, each as the data of an unnamed event whose id is where it leaves the page. `news`: tasks that
 * are new or different, and those that are shown no more. `list`: name, logo or permissions. `reload`: too much has happened,
 * or before: read `tasks` anew. `over`: the link was deleted or paused, or ended with
 * a new key of its encrypted list (`outdated`); nothing follows.
 */
export const streamEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('news'), tasks: z.array(shownTaskSchema), gone: z.array(localIdSchema) }),
  z.object({ type: z.literal('list'), ...shownListSchema.shape }),
  z.object({ type: z.literal('reload') }),
  z.object({ type: z.literal('over'), why: z.enum(['ended', 'paused', 'outdated']) }),
]);
/** An event of the stream of a page. */
export type StreamEvent = z.infer<typeof streamEventSchema>;

/** A visitor's own name for themselves, in code points at most. Shown as not verified. */
export const nicknameCodePoints = 40;

const nickname = { nick: z.optional(textSchema(nicknameCodePoints)) } as const;
const onTask = { ...nickname, id: localIdSchema } as const;

/** Body of `POST /p/{token}/changes`: the only five things that a visitor can do. Each may be sent again. */
export const visitorChangeSchema = z.discriminatedUnion('do', [
  z.strictObject({
    do: z.literal('add'),
    ...nickname,
    /** Made by the page: sent again it adds nothing. */
    key: idSchema,
    title: titleSchema,
    notes: z.optional(notesSchema),
    /** Absent: the top level of the list. */
    parent: z.optional(localIdSchema),
    /** Directly after this sibling; absent: at the end. */
    after: z.optional(localIdSchema),
  }),
  z.strictObject({ do: z.literal('complete'), ...onTask }),
  z.strictObject({ do: z.literal('reopen'), ...onTask }),
  z.strictObject({ do: z.literal('title'), ...onTask, title: titleSchema }),
  /** `was`: the text that the editing began with; what others wrote meanwhile stays. */
  z.strictObject({ do: z.literal('notes'), ...onTask, was: notesSchema, notes: notesSchema }),
]);
/** One thing that a visitor does. */
export type VisitorChange = z.infer<typeof visitorChangeSchema>;

/** Answer of `POST /p/{token}/changes`: the task as it is now; null: it is shown no more. */
export const visitorAnswerSchema = z.object({
  success: z.literal(true),
  /** The state that the task was read in: what the stream says of it from before is older. */
  at: z.string(),
  task: z.nullable(shownTaskSchema),
});
/** What became of a visitor's change. */
export type VisitorAnswer = z.infer<typeof visitorAnswerSchema>;
