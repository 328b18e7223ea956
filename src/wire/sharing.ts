// Shared lists as the web app asks about them: sharing, the link, members, joining and leaving. Who belongs to a list is told by
// its `member` rows, which every device of a member holds; nothing here is needed to show a list.
import * as z from 'zod/mini';
import { limits, type MemberRole } from '#core/model.ts';
import { sealedDirectorySchema } from './sealing.ts';
import { idSchema, msSchema, textSchema } from './values.ts';

/** Where a list stands between private and shared. While `filling` and `emptying` its tasks are on their way. */
export type SharingState = 'private' | 'filling' | 'open' | 'emptying';

/** An invitation link as its list's members see it. */
const inviteLinkSchema = z.object({
  /** The last part of the link's address; null: this server cannot read it anymore, and a new link has to be made. */
  token: z.nullable(z.string()),
  createdAt: msSchema,
  /** Null: it does not expire. */
  expiresAt: z.nullable(msSchema),
  /** How many people have joined by it. */
  uses: z.int(),
});
/** An invitation link, with how often it was used. */
export type InviteLink = z.infer<typeof inviteLinkSchema>;

/** Answer of `GET` and `POST /app/api/sharing/lists/{list}` and of all calls below it but `leave`. */
export const sharedListSchema = z.object({
  success: z.literal(true),
  list: idSchema,
  /** The scope that the list is in now. */
  scope: idSchema,
  state: z.enum(['private', 'filling', 'open', 'emptying'] satisfies SharingState[]),
  /** While on the way: rows that have moved, and all of them, about. */
  moved: z.optional(z.int()),
  total: z.optional(z.int()),
  /** Rows of a list out of an encrypted scope that its devices have not opened yet; absent: there are none. */
  sealed: z.optional(z.int()),
  role: z.enum(['owner', 'member'] satisfies MemberRole[]),
  /** Null: there is none, it was ended, or it expired. */
  link: z.nullable(inviteLinkSchema),
  /** It stays end-to-end encrypted. */
  isEncrypted: z.optional(z.boolean()),
  /** It has an e-mail address, which who was in the list may know. */
  hasMail: z.optional(z.boolean()),
  /** Public links that show it, also those that are paused; absent: there are none. */
  publicLinks: z.optional(z.int()),
});
/** How a list is shared. */
export type SharedList = z.infer<typeof sharedListSchema>;

/** Body of `POST /app/api/sharing/lists/{list}/link`: the present link ends. */
export const newLinkSchema = z.strictObject({
  /** Days until it expires; null: never. Absent: `inviteDays`. */
  days: z.optional(z.nullable(z.int().check(z.gte(1), z.lte(365)))),
});

/** Body of `POST /app/api/sharing/lists/{list}/encrypted`: the scope that its device has chosen, and the directory of its keys. */
export const encryptedListSchema = z.strictObject({ scope: idSchema, directory: sealedDirectorySchema });
/** With what a list that stays encrypted begins. */
export type EncryptedList = z.infer<typeof encryptedListSchema>;

/** How long a link works unless said otherwise. */
export const inviteDays = 30;
/** People of one list at most. */
export const mostMembers = 100;
/** Shared lists of one account at most. */
export const mostSharedLists = 200;

const personSchema = z.object({
  name: z.string(),
  initials: z.string(),
  emoji: z.nullable(z.string()),
  /** `#rrggbb`. */
  color: z.string(),
});
/** How a person is shown to others. */
export type Person = z.infer<typeof personSchema>;

/** Answer of `GET /app/api/profile` and `POST /app/api/profile`. */
export const profileSchema = z.object({ success: z.literal(true), ...personSchema.shape });
/** How the person of this account is shown to others. */
export type Profile = z.infer<typeof profileSchema>;

/** Body of `POST /app/api/profile`: what is absent stays. */
export const profileChangeSchema = z.strictObject({
  name: z.optional(textSchema(limits.personCodePoints)),
  /** At most two characters as a reader counts them; empty: those of the name. */
  initials: z.optional(textSchema(8)),
  /** Exactly one emoji; null: the initials are shown. */
  emoji: z.optional(z.nullable(textSchema(32))),
  color: z.optional(z.string().check(z.regex(/^#[0-9a-f]{6}$/))),
});
/** A change of how a person is shown. */
export type ProfileChange = z.infer<typeof profileChangeSchema>;

/** Answer of `GET /app/api/sharing/invitations/{token}`: what a person sees before joining. */
export const invitationSchema = z.object({
  success: z.literal(true),
  /** Empty where it is encrypted. */
  listName: z.string(),
  isEncrypted: z.optional(z.boolean()),
  inviter: personSchema,
  members: z.int(),
  /** The list, if the person belongs to it already. */
  list: z.nullable(idSchema),
});
/** An invitation, as who may accept it sees it. */
export type ListInvitation = z.infer<typeof invitationSchema>;

/** Answer of `POST /app/api/sharing/invitations/{token}`: the person belongs to the list now. */
export const joinedSchema = z.object({ success: z.literal(true), list: idSchema, scope: idSchema });
/** The list that a person has joined, and its scope. */
export type JoinedList = z.infer<typeof joinedSchema>;
