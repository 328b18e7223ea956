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

/** Mail on its way to becoming a task, where several servers share a database. */
export interface MailWaitingTable {
  id: Id;
  scope: Id;
  list: Id;
  /** Owner of the scope when it came. */
  account: number;
  /** Of the envelope. */
  sender: string;
  at: number;
  bytes: number;
  /** The server that makes a task of it. */
  holder: string;
  /** As it was sent. */
  raw: Uint8Array;
}

/** A letter on its way to the mail server, likewise. */
export interface LetterTable {
  name: string;
  /** The server that sends it. */
  holder: string;
  /** Under the key of the server. */
  sealed: Uint8Array;
}

/** When an account was last warned that it receives too much mail. */
export interface MailWarningTable {
  account: number;
  at: number;
}

/** The tables by name. */
export interface MailTables {
  mail_address: MailAddressTable;
  mail_receipt: MailReceiptTable;
  mail_warning: MailWarningTable;
  mail_waiting: MailWaitingTable;
  letter: LetterTable;
}

/** Their names. */
export const mailTableNames = [
  'mail_address',
  'mail_receipt',
  'mail_warning',
  'mail_waiting',
  'letter',
] as const satisfies readonly (keyof MailTables)[];
