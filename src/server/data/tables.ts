// The tables for Kysely, the same on SQLite and PostgreSQL. Column types that both engines agree on: text, integers within
// ±2^53, bytes. JSON is text, so that it comes back byte for byte. Times are milliseconds since the epoch.
import type { Generated } from 'kysely';
import type { Id } from '#core/ids.ts';
import type { EntityType } from '#core/model.ts';
import type { Verdict } from '#sync/rows/operation.ts';
import type { MacroRunTable, PairingTable } from './tables/device-tables.ts';
import type { ScopePhase } from '#sync/sealing/scope-state.ts';
import { type BillingTables, billingTableNames } from './tables/billing-tables.ts';
import { type CalendarTables, calendarTableNames } from './tables/calendar-tables.ts';
import { type HistoryTables, historyTableNames } from './tables/history-tables.ts';
import { type NodeTables, nodeTableNames } from './tables/node-tables.ts';
import type {
  PushDeliveryTable,
  PushKeyTable,
  PushNoticeTable,
  PushSubscriptionTable,
  ReminderDueTable,
} from './tables/push-tables.ts';
import { type MailTables, mailTableNames } from './tables/mail-tables.ts';
import type { IdentityTable, SealingTable } from './sealing-columns.ts';
import type { ScopeKind } from './store.ts';

export interface ScopeTable {
  id: Id;
  kind: ScopeKind;
  owner: number;
  version: number;
  horizon: number;
  digest: string;
  generation: number;
  updated_clock: number;
  healing_until: Generated<number>;
  /** Lowest protocol version of a device that may read it; only ever raised. */
  min_schema: Generated<number>;
  /** The list that a shared scope is; null: a personal scope. */
  root: Generated<Id | null>;
  /** Where it stands on its way to being sealed and back (sync/sealing/scope-state.ts). */
  sealing_phase: Generated<ScopePhase>;
  sealing_generation: Generated<number>;
  /** JSON: lists on their way out of a sealed scope or back, by id; null: none. */
  sealing_lists: Generated<string | null>;
}

export interface ScopeGenerationTable {
  scope: Id;
  generation: number;
  max_version: number;
}

export interface GenerationTable {
  idx: number;
  nonce: string;
  opened_at: number;
}

/** Rows. Columns besides `fields` are derived from it on every save; write only through the Store. */
export interface EntityTable {
  scope: Id;
  id: Id;
  type: EntityType;
  version: number;
  /** Null for entities without a parent. */
  parent: Id | null;
  key: string | null;
  /** Null while open. */
  status: 'done' | 'cleared' | null;
  /** Time it was moved to the trash. */
  deleted: number | null;
  created_at: number;
  updated_at: number;
  /** JSON of the registers. */
  fields: string;
  /** JSON of the default stamp, and of the registers' own stamps or null. */
  stamp: string;
  stamps: string | null;
  /** The task of a completion or a `mine` row. */
  about: Id | null;
  /** Place in the order of reading from the start (shelf.ts). */
  shelf: string;
  /** How often it has changed its scope. */
  hops: Generated<number>;
}

/** The scope of an id, purged ids included. */
export interface DirectoryTable {
  id: Id;
  scope: Id;
}

export interface TombstoneTable {
  scope: Id;
  id: Id;
  version: number;
  /** When it was written; 0: unknown. */
  at: Generated<number>;
  /** The scope that the row moved to; null: it was purged. The following belong to the move. */
  moved_to: Generated<Id | null>;
  /** The row's first version there, and its last one here. */
  moved_version: Generated<number | null>;
  was_version: Generated<number | null>;
  /** Its hop counter there. */
  moved_hops: Generated<number | null>;
}

export interface MemberTable {
  scope: Id;
  account: number;
  role: 'owner' | 'member';
  /** The last time that they joined; 0: unknown. */
  joined_at: Generated<number>;
  /** Account number of who invited them; null: nobody, or unknown. */
  invited_by: Generated<number | null>;
}

/** Accounts that once were members of a scope and are no longer. */
export interface FormerMemberTable {
  account: number;
  scope: Id;
  left_at: number;
}

/** How the person of an account is shown to others. */
export interface ProfileTable {
  account: number;
  name: string;
  initials: string;
  emoji: string | null;
  color: string;
}

/** A list that is, was, or is about to be shared (sharing/). */
export interface SharedListTable {
  /** The scope that it is in while it is shared. */
  scope: Id;
  list: Id;
  /** Account number of who shared it. */
  author: number;
  state: 'filling' | 'open' | 'emptying' | 'closed';
  /** Rows that were to move, about. */
  total: number;
  /** Grows with every change that rows have to follow, and how far they have. */
  wanted: number;
  settled: number;
  created_at: number;
  /** JSON: the directory of keys that its scope begins with; null: it isn't encrypted. */
  keys: Generated<string | null>;
  /** When it was made private again, or sharing it came to nothing. */
  closed_at: number | null;
}

export interface DeviceTable {
  number: Generated<number>;
  id: Id;
  account: number;
  last_seq: Generated<number>;
  acked_seq: Generated<number>;
  last_stamp: Generated<number>;
  /** About when it last contacted the server; 0: unknown. */
  last_seen: Generated<number>;
  /** The session it last used; null: unknown. */
  session: Generated<Id | null>;
  /** How far it had read all scopes of its account (sync/reading-mark.ts); 0: unknown. */
  heard_version: Generated<number>;
}

export interface OpResultTable {
  device: Id;
  seq: number;
  operation: Id;
  verdict: Verdict;
}

/** Base texts of notes for edits under way, each with its merged edits. */
export interface NoteEpochTable {
  scope: Id;
  note: Id;
  seed: Id;
  state: string | null;
  text: string;
  /** When it ended; 0 while its edits continue in the row itself. */
  at: number;
}

/** One person's account: sign-in address, password hash, and states of its life. */
export interface AccountTable {
  /** Random, 31 bits, chosen by the code that creates the account. */
  id: number;
  /** Canonical: lower-case. */
  email: string;
  password_hash: string;
  personal_scope: Id;
  created_at: number;
  verified_at: number | null;
  disabled_at: number | null;
  deleted_at: number | null;
  /** Limits for this account, in the syntax of RATE_LIMITS. */
  rates: Generated<string | null>;
  /** When it is erased unless its owner signs in before. */
  erase_at: number | null;
  /** Incremented whenever credentials change: a sign-in that began before is void. */
  entry_version: Generated<number>;
}

/** A registered passkey. */
export interface PasskeyTable {
  /** The authenticator's own id, base64url. */
  id: string;
  account: number;
  public_key: Uint8Array;
  counter: number;
  /** Transports, separated by commas. */
  transports: string;
  name: string;
  created_at: number;
  last_used_at: number | null;
}

/** Open challenges for passkeys. */
export interface CeremonyTable {
  challenge: string;
  /** Null: any account, to sign in. */
  account: number | null;
  purpose: 'register' | 'sign_in' | 'confirm';
  expires_at: number;
}

export interface OneTimeCodeTable {
  account: number;
  /** Sealed. */
  secret: Uint8Array;
  /** Null until the first code was right. */
  confirmed_at: number | null;
  /** Time step of the newest used code. */
  last_step: number;
}

export interface RecoveryCodeTable {
  account: number;
  hash: Uint8Array;
  used_at: number | null;
}

/** Content of attached files that a scope holds. */
export interface BlobTable {
  scope: Id;
  /** SHA-256, hexadecimal. */
  hash: string;
  bytes: number;
  created_at: number;
}

/** Content that an account has sent lately. */
export interface FileSenderTable {
  account: number;
  hash: string;
  sent_at: number;
}

/** Content that an attachment in a scope names, and that its author has not sent yet. */
export interface FileWantedTable {
  scope: Id;
  hash: string;
  /** The author’s. */
  account: number;
  noted_at: number;
}

/** Codes sent to an address to be verified. */
export interface EmailProofTable {
  account: number;
  email: string;
  code_hash: Uint8Array;
  tries: number;
  expires_at: number;
}

/** A sign-in of an app, a device or a program, found by the digest of its token. */
export interface SessionTable {
  id: Id;
  account: number;
  kind: 'web' | 'device' | 'api';
  access: Generated<'read' | 'write'>;
  /** SHA-256 of the token; the token itself is stored nowhere. */
  token_hash: Uint8Array;
  /** The hash that was valid until `rotated_at`. */
  previous_token_hash: Uint8Array | null;
  rotated_at: number | null;
  name: string;
  user_agent: string;
  created_at: number;
  last_used_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  /** When it last re-authenticated; null: never since it began. */
  confirmed_at: number | null;
}

/** No longer written: limits are recorded in files (limits/journal.ts). */
export interface ThrottleTable {
  key: string;
  /** JSON. */
  state: string;
  updated_at: number;
}

export interface SecurityEventTable {
  id: Generated<number>;
  at: number;
  account: number | null;
  type: string;
  /** JSON. */
  detail: string;
}

/** Operations whose target was lost in a restore. */
export interface ParkedTable {
  number: Generated<number>;
  scope: Id;
  /** The id that has to come back first. */
  target: Id;
  account: number;
  /** Device number. */
  device: number;
  /** Effective time of the operation. */
  at: number;
  until: number;
  /** JSON. */
  operation: string;
}

/** Moves of large trees that are under way (moving/mover.ts). */
export interface TransferTable {
  /** The operation that moved the root. */
  id: Id;
  /** The scope that is left. */
  scope: Id;
  root: Id;
  started_at: number;
  /** Account number. */
  author: number;
  /** Device number. */
  author_device: number;
  /** The process that carries it out, until when, and in which generation; null: none. */
  holder: Id | null;
  held_until: number;
  held_in: number;
}

/** Labels of a person and of shared lists that stand for each other (labels/). */
export interface LabelTwinTable {
  account: number;
  /** Of the person, or of the list that the label came from. */
  personal_label: Id;
  /** The shared list's. */
  scope: Id;
  shared_label: Id;
}

/** A promo code of an affiliate, with its terms. */
export interface PromoCodeTable {
  /** In capitals. */
  code: string;
  partner: string;
  discount_percentage: number;
  discount_num_months: number;
  commission_percentage: number;
  created_at: number;
  disabled_at: number | null;
  /** The partner's own address, which can't refer itself; null: unknown. */
  partner_email: Generated<string | null>;
  /** From then on it is not accepted anymore; null: without end. */
  ends_at: Generated<number | null>;
}

/** The promo code of an account, with its terms when it was redeemed. */
export interface PromoRedemptionTable {
  account: number;
  code: string;
  partner: string;
  discount_percentage: number;
  discount_num_months: number;
  commission_percentage: number;
  redeemed_at: number;
}

/** A release with its notes, public from `made_generally_available_at` on. */
export interface AppReleaseTable {
  version: string;
  id: Id;
  notes_markdown: string;
  /** Rendered from the markdown by site/release-notes.ts; nothing else writes it. */
  notes_html: string;
  made_generally_available_at: number | null;
  created_at: number;
  updated_at: number;
}

/** A release of the desktop client, offered once the release of that version is available. */
export interface DesktopReleaseTable {
  version: string;
  /** A `SignedRelease` (wire/releases), as JSON. */
  signed: string;
  staged_percent: number;
  created_at: number;
}

/** An address signed up for the newsletter or as an affiliate; counts once confirmed. */
export interface SignUpTable {
  list: 'affiliate' | 'newsletter';
  email: string;
  token_hash: Uint8Array;
  created_at: number;
  confirmed_at: number | null;
}

export interface ContactMessageTable {
  id: Id;
  email: string;
  subject: string;
  message: string;
  created_at: number;
}

/** Sums by day, without anything about visitors. */
export interface VisitCountTable {
  /** YYYY-MM-DD in UTC. */
  day: string;
  what: 'page' | 'first' | 'download';
  /** Empty: no referrer. */
  ref: string;
  count: number;
}

/** A link that invites to a shared list. */
export interface ListInvitationTable {
  token_hash: Uint8Array;
  /** The token under the key of the server, so that its members can copy the link again. */
  token_sealed: Uint8Array;
  scope: Id;
  /** Who made it. */
  account: number;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  /** How many people have joined by it. */
  uses: Generated<number>;
}

/** A link by which anyone looks into a list. */
export interface PublicLinkTable {
  id: Id;
  scope: Id;
  token_hash: Uint8Array;
  /** The token under the key of the server, so that the members of the list can copy it again. */
  token_sealed: Uint8Array;
  /** Null: the list's own. */
  name: string | null;
  /** One bit for each of `linkPermissions`, in their order. */
  may: number;
  /** Who made it, or took it over. */
  account: number;
  created_at: number;
  paused_at: number | null;
  deleted_at: number | null;
  visits: Generated<number>;
  changes: Generated<number>;
  visited_at: number | null;
  /** Of an encrypted list: `LinkKeys` as JSON. */
  keys: string | null;
}

/** The logo of a public link. */
export interface PublicLogoTable {
  link: Id;
  scope: Id;
  /** Names this picture. */
  mark: string;
  png: Uint8Array;
}

/** Earlier addresses of accounts: their owners can restore them for a while. */
export interface EmailUndoTable {
  token_hash: Uint8Array;
  account: number;
  /** The earlier address; reserved meanwhile. */
  email: string;
  changed_at: number;
  expires_at: number;
}

/** A link that resets a password, one per account. */
export interface PasswordResetTable {
  account: number;
  token_hash: Uint8Array;
  /** Digest of the password hash at the request: any change of the password voids the link. */
  password_stamp: Uint8Array;
  expires_at: number;
}

/** Written by the readiness probe. */
export interface ProbeTable {
  id: number;
  count: number;
}

export interface SchemaVersionTable {
  version: number;
  name: string;
  applied_at: number;
}

/** Every table by name, for Kysely. */
export interface Tables extends CalendarTables, BillingTables, HistoryTables, MailTables, NodeTables {
  scope: ScopeTable;
  scope_generation: ScopeGenerationTable;
  sealing: SealingTable;
  generation: GenerationTable;
  entity: EntityTable;
  directory: DirectoryTable;
  tombstone: TombstoneTable;
  member: MemberTable;
  former_member: FormerMemberTable;
  profile: ProfileTable;
  identity: IdentityTable;
  shared_list: SharedListTable;
  device: DeviceTable;
  op_result: OpResultTable;
  note_epoch: NoteEpochTable;
  account: AccountTable;
  session: SessionTable;
  passkey: PasskeyTable;
  ceremony: CeremonyTable;
  one_time_code: OneTimeCodeTable;
  recovery_code: RecoveryCodeTable;
  email_proof: EmailProofTable;
  blob: BlobTable;
  file_sender: FileSenderTable;
  file_wanted: FileWantedTable;
  macro_run: MacroRunTable;
  pairing: PairingTable;
  throttle: ThrottleTable;
  security_event: SecurityEventTable;
  parked: ParkedTable;
  transfer: TransferTable;
  label_twin: LabelTwinTable;
  promo_code: PromoCodeTable;
  promo_redemption: PromoRedemptionTable;
  app_release: AppReleaseTable;
  desktop_release: DesktopReleaseTable;
  sign_up: SignUpTable;
  contact_message: ContactMessageTable;
  visit_count: VisitCountTable;
  list_invitation: ListInvitationTable;
  public_link: PublicLinkTable;
  public_logo: PublicLogoTable;
  password_reset: PasswordResetTable;
  email_undo: EmailUndoTable;
  push_key: PushKeyTable;
  push_subscription: PushSubscriptionTable;
  reminder_due: ReminderDueTable;
  push_delivery: PushDeliveryTable;
  push_notice: PushNoticeTable;
  probe: ProbeTable;
  schema_version: SchemaVersionTable;
}

/** The name of a table. */
export type TableName = keyof Tables;

/** Every table, referenced ones before those that reference them. */
export const tableNames = [
  'schema_version',
  'generation',
  'account',
  'session',
  'passkey',
  'ceremony',
  'one_time_code',
  'recovery_code',
  'email_proof',
  'scope',
  'scope_generation',
  'sealing',
  'blob',
  'file_sender',
  'file_wanted',
  'member',
  'former_member',
  'profile',
  'identity',
  'shared_list',
  'directory',
  'entity',
  'tombstone',
  'device',
  'op_result',
  ...historyTableNames,
  'note_epoch',
  'parked',
  'transfer',
  'label_twin',
  ...mailTableNames,
  ...calendarTableNames,
  'push_key',
  'push_subscription',
  'reminder_due',
  'push_delivery',
  'push_notice',
  'macro_run',
  'pairing',
  'throttle',
  'security_event',
  'promo_code',
  'promo_redemption',
  ...billingTableNames,
  ...nodeTableNames,
  'app_release',
  'desktop_release',
  'sign_up',
  'contact_message',
  'visit_count',
  'list_invitation',
  'public_link',
  'public_logo',
  'password_reset',
  'email_undo',
  'probe',
] as const satisfies readonly (keyof Tables)[];
