// The tables as Kysely sees them, the same on SQLite and PostgreSQL. Column types that both engines agree on: text,
// integers within ±2^53, bytes. JSON is text, so that it comes back byte for byte. Times are milliseconds since the epoch.
import type { Generated } from 'kysely';
import type { Id } from '#core/ids.ts';
import type { EntityType } from '#core/model.ts';
import type { Verdict } from '#sync/operation.ts';
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

/** Rows. What stands in columns besides `fields` is derived from it on every save; write only through the Store. */
export interface EntityTable {
  scope: Id;
  id: Id;
  type: EntityType;
  version: number;
  /** Null for entities that hang nowhere. */
  parent: Id | null;
  key: string | null;
  /** Null while open. */
  status: 'done' | 'cleared' | null;
  /** In the trash since. */
  deleted: number | null;
  created_at: number;
  updated_at: number;
  /** JSON of the registers. */
  fields: string;
  /** JSON of the default stamp, and of the registers' own stamps or null. */
  stamp: string;
  stamps: string | null;
  /** What a completion or a `mine` row is about. */
  about: Id | null;
  /** Place in the order of a read from the start (shelf.ts). */
  shelf: string;
}

/** Which scope an id belongs to, purged ids included. */
export interface DirectoryTable {
  id: Id;
  scope: Id;
}

export interface TombstoneTable {
  scope: Id;
  id: Id;
  version: number;
  /** When it was written; 0 when nobody noted it. */
  at: Generated<number>;
}

export interface MemberTable {
  scope: Id;
  account: number;
  role: 'owner' | 'member';
}

export interface DeviceTable {
  number: Generated<number>;
  id: Id;
  account: number;
  last_seq: Generated<number>;
  acked_seq: Generated<number>;
  last_stamp: Generated<number>;
  /** About when it last spoke to the server; 0 when nobody noted it. */
  last_seen: Generated<number>;
  /** It last spoke under; null when nobody noted it. */
  session: Generated<Id | null>;
  /** Version of the personal scope it had been told everything up to; 0: not known. */
  heard_version: Generated<number>;
}

export interface OpResultTable {
  device: Id;
  seq: number;
  operation: Id;
  verdict: Verdict;
}

export interface HistoryTable {
  scope: Id;
  version: number;
  /** Order within the version. */
  seq: number;
  /** Target of the operation. */
  entity: Id;
  account: number;
  device: number;
  at: number;
  /** JSON of the operation, and of what it replaced. */
  operation: string;
  replaced: string;
}

/** Entities that a history entry changed besides its target. */
export interface HistoryEntityTable {
  scope: Id;
  entity: Id;
  version: number;
  seq: number;
}

/** Texts of notes that edits may still start from, each with what was edited in. */
export interface NoteEpochTable {
  scope: Id;
  note: Id;
  seed: Id;
  state: string | null;
  text: string;
  /** When it ended; 0 while its edits go on in the row itself. */
  at: number;
}

export interface AccountTable {
  /** Random, 31 bits, given by whoever creates the account. */
  id: number;
  /** Canonical: lower-case. */
  email: string;
  password_hash: string;
  personal_scope: Id;
  created_at: number;
  verified_at: number | null;
  disabled_at: number | null;
  deleted_at: number | null;
  /** Limits of its own, in the words of RATE_LIMITS. */
  rates: Generated<string | null>;
  /** When it is erased unless somebody signs in before. */
  erase_at: number | null;
}

export interface PasskeyTable {
  /** The authenticator's own, base64url. */
  id: string;
  account: number;
  public_key: Uint8Array;
  counter: number;
  /** How it is reached, separated by commas. */
  transports: string;
  name: string;
  created_at: number;
  last_used_at: number | null;
}

/** Challenges given out to passkeys. */
export interface CeremonyTable {
  challenge: string;
  /** Null: whoever signs in. */
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
  /** Time step of the newest code that was used. */
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

/** Codes sent to an address that is to be proved. */
export interface EmailProofTable {
  account: number;
  email: string;
  code_hash: Uint8Array;
  tries: number;
  expires_at: number;
}

export interface SessionTable {
  id: Id;
  account: number;
  kind: 'web' | 'device' | 'api';
  access: Generated<'read' | 'write'>;
  /** SHA-256 of the token; the token itself is nowhere. */
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
  /** When it last proved who it is; null: never since it began. */
  confirmed_at: number | null;
}

/** Not written any more: what limits have counted is in files (limits/journal.ts). */
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

/** Operations that name what a restored database has lost. */
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

export interface PromoCodeTable {
  /** In capitals. */
  code: string;
  partner: string;
  discount_percentage: number;
  discount_num_months: number;
  commission_percentage: number;
  created_at: number;
  disabled_at: number | null;
}

/** One promo code for an account, with its terms as they were when it was redeemed. */
export interface PromoRedemptionTable {
  account: number;
  code: string;
  partner: string;
  discount_percentage: number;
  discount_num_months: number;
  commission_percentage: number;
  redeemed_at: number;
}

export interface AppReleaseTable {
  version: string;
  id: Id;
  notes_markdown: string;
  /** Made from the markdown by site/release-notes.ts; nothing else writes it. */
  notes_html: string;
  made_generally_available_at: number | null;
  created_at: number;
  updated_at: number;
}

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

/** Sums by day; nothing about who. */
export interface VisitCountTable {
  /** YYYY-MM-DD in UTC. */
  day: string;
  what: 'page' | 'first' | 'download';
  /** Empty: nobody referred the visitor. */
  ref: string;
  count: number;
}

export interface ListInvitationTable {
  token_hash: Uint8Array;
  scope: Id;
  account: number;
  list_name: string;
  initials: string;
  color: string;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
}

export interface PasswordResetTable {
  account: number;
  token_hash: Uint8Array;
  /** Digest of the password hash it was asked for: any other password ends it. */
  password_stamp: Uint8Array;
  expires_at: number;
}

/** The address of a list, by which mail becomes tasks in it. */
export interface MailAddressTable {
  scope: Id;
  list: Id;
  /** SHA-256 of the code that the address ends with. */
  code_hash: Uint8Array;
  /** The code, sealed: people want to see it again. */
  sealed_code: Uint8Array;
  created_at: number;
}

/** Mail that became a task, or was one already. */
export interface MailReceiptTable {
  /** Of the message in the spool. */
  id: Id;
  /** Owner of the list. */
  account: number;
  bytes: number;
  at: number;
}

/** When an account was told that it receives more mail than is asked for. */
export interface MailWarningTable {
  account: number;
  at: number;
}

/** The one pair of keys that signs what is sent to push services. */
export interface PushKeyTable {
  id: number;
  /** Base64url. */
  public_key: string;
  /** Sealed. */
  private_key: Uint8Array;
}

/** A browser that reminders are sent to while its session is good. */
export interface PushSubscriptionTable {
  id: Id;
  account: number;
  session: Id;
  endpoint: string;
  p256dh: string;
  auth: string;
  /** IANA zone of the device. */
  zone: string;
  /** 1: what is sent may name tasks. */
  titles: number;
  created_at: number;
  seen_at: number;
}

/** Tasks that have reminders, by the scope of the person whose they are. Derived from rows. */
export interface ReminderDueTable {
  scope: Id;
  task: Id;
  /** When it has to be looked at; 0: now, null: nothing lies ahead. */
  next_at: number | null;
  /** Grows with every change that matters. */
  revision: number;
}

/** What was to be sent to a browser, written down before it is. */
export interface PushDeliveryTable {
  number: Generated<number>;
  subscription: Id;
  account: number;
  scope: Id;
  task: Id;
  kind: 'ring' | 'close';
  register: string;
  moment: number;
  at: number;
  /** `sending` was begun and never finished; `over` needs no sending any more. */
  state: 'waiting' | 'sending' | 'sent' | 'failed' | 'over';
  tries: number;
  next_try: number;
}

/** What the readiness probe writes to. */
export interface ProbeTable {
  id: number;
  count: number;
}

export interface SchemaVersionTable {
  version: number;
  name: string;
  applied_at: number;
}

export interface Tables {
  scope: ScopeTable;
  scope_generation: ScopeGenerationTable;
  generation: GenerationTable;
  entity: EntityTable;
  directory: DirectoryTable;
  tombstone: TombstoneTable;
  member: MemberTable;
  device: DeviceTable;
  op_result: OpResultTable;
  history: HistoryTable;
  history_entity: HistoryEntityTable;
  note_epoch: NoteEpochTable;
  account: AccountTable;
  session: SessionTable;
  passkey: PasskeyTable;
  ceremony: CeremonyTable;
  one_time_code: OneTimeCodeTable;
  recovery_code: RecoveryCodeTable;
  email_proof: EmailProofTable;
  blob: BlobTable;
  throttle: ThrottleTable;
  security_event: SecurityEventTable;
  parked: ParkedTable;
  promo_code: PromoCodeTable;
  promo_redemption: PromoRedemptionTable;
  app_release: AppReleaseTable;
  sign_up: SignUpTable;
  contact_message: ContactMessageTable;
  visit_count: VisitCountTable;
  list_invitation: ListInvitationTable;
  password_reset: PasswordResetTable;
  mail_address: MailAddressTable;
  mail_receipt: MailReceiptTable;
  mail_warning: MailWarningTable;
  push_key: PushKeyTable;
  push_subscription: PushSubscriptionTable;
  reminder_due: ReminderDueTable;
  push_delivery: PushDeliveryTable;
  probe: ProbeTable;
  schema_version: SchemaVersionTable;
}

export type TableName = keyof Tables;

/** Every table, those referred to before those that refer to them. */
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
  'blob',
  'member',
  'directory',
  'entity',
  'tombstone',
  'device',
  'op_result',
  'history',
  'history_entity',
  'note_epoch',
  'parked',
  'mail_address',
  'mail_receipt',
  'mail_warning',
  'push_key',
  'push_subscription',
  'reminder_due',
  'push_delivery',
  'throttle',
  'security_event',
  'promo_code',
  'promo_redemption',
  'app_release',
  'sign_up',
  'contact_message',
  'visit_count',
  'list_invitation',
  'password_reset',
  'probe',
] as const satisfies readonly (keyof Tables)[];
