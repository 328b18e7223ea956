// The tables of mail that becomes tasks.
import type { Generated } from 'kysely';
import type { Id } from '#core/ids.ts';

/** The address of a list, which turns mail into tasks. */
export interface MailAddressTable {
  scope: Id;
  list: Id;
  /** SHA-256 of the code at the end of the address. */
  code_hash: Uint8Array;
  /** The code, sealed, to be shown again. */
  sealed_code: Uint8Array;
  created_at: number;
  /** The scope of the list when the code was sealed; null: the present one. */
  sealed_in: Generated<Id | null>;
}

/** Mail that became a task, or already was one. */
export interface MailReceiptTable {
  /** Id of the message in the spool. */
  id: Id;
  /** Owner of the list. */
  account: number;
  bytes: number;
  at: number;
}

/** When an account was last warned that it receives too much mail. */
export interface MailWarningTable {
  account: number;
  at: number;
}
