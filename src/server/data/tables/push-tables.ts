// The tables of what is told to browsers that are closed: a part of tables.ts, whose rules hold here too.
import type { Generated } from 'kysely';
import type { Id } from '#core/ids.ts';

/** The key pair that signs requests to push services; one row. */
export interface PushKeyTable {
  id: number;
  /** Base64url. */
  public_key: string;
  /** Sealed. */
  private_key: Uint8Array;
}

/** A browser that receives reminders while its session is valid. */
export interface PushSubscriptionTable {
  id: Id;
  account: number;
  session: Id;
  endpoint: string;
  p256dh: string;
  auth: string;
  /** IANA zone of the device. */
  zone: string;
  /** 1: messages may name tasks. */
  titles: number;
  created_at: number;
  seen_at: number;
}

/** Tasks with reminders, by the scope of the person who set them. Derived from rows. */
export interface ReminderDueTable {
  scope: Id;
  task: Id;
  /** When it has to be looked at; 0: now, null: nothing ahead. */
  next_at: number | null;
  /** Incremented with every relevant change. */
  revision: number;
}

/** Messages for browsers, recorded before they are sent. */
export interface PushDeliveryTable {
  number: Generated<number>;
  subscription: Id;
  account: number;
  scope: Id;
  task: Id;
  kind: 'ring' | 'close' | 'told';
  /** Of what is told: the comment, if it is one. */
  register: string;
  /** Of what is told: the account number of who did it. */
  moment: number;
  at: number;
  /** `sending`: begun and never finished; `over`: need not be sent any more. */
  state: 'waiting' | 'sending' | 'sent' | 'failed' | 'over';
  tries: number;
  next_try: number;
}

/** The last mention or assignment of a person about a task that they were told of, or are to be. */
export interface PushNoticeTable {
  account: number;
  task: Id;
  kind: 'mention' | 'assigned';
  /** Empty: not a comment. */
  comment: Id | '';
  author: number;
  /** When it is to be told; null: it was. */
  next_at: number | null;
  /** 0: never. */
  told_at: number;
}
