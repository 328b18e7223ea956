// The security log of accounts: sign-ins, refusals, ended sessions, limits hit.
// Contains no secrets and no full addresses. Kept for 90 days. Not here: the request log.
import type { Kysely } from 'kysely';
import type { Clock } from '#sync/replica/ports.ts';
import type { EssentialWrites } from '../care/room.ts';
import type { Tables } from '../data/tables.ts';

/** What happened to an account. */
export type SecurityEventType =
  | 'signed_up'
  | 'signed_in'
  | 'sign_in_failed'
  | 'signed_out'
  | 'session_ended'
  | 'password_changed'
  | 'email_changed'
  | 'email_verified'
  | 'email_put_back'
  | 'passkey_added'
  | 'passkey_removed'
  | 'codes_on'
  | 'codes_off'
  | 'recovery_codes_renewed'
  | 'erasure_asked'
  | 'erasure_withdrawn'
  | 'account_disabled'
  | 'account_enabled'
  | 'trash_emptied'
  | 'encryption_turned_on'
  | 'encryption_keys_renewed'
  | 'encryption_turned_off'
  | 'encryption_ways_changed'
  | 'public_link_made'
  | 'public_link_deleted'
  | 'limit_hit';

export interface SecurityEvent {
  readonly type: SecurityEventType;
  /** Null: no account is known. */
  readonly account: number | null;
  /** Truncated address, kind of session, endpoint. */
  readonly detail: Readonly<Record<string, string | number>>;
}

/** The security log: written by endpoints, read to tell known networks from new ones. */
export interface SecurityEvents {
  record(event: SecurityEvent): Promise<void>;
  /** Whether somebody signed in to the account from this network within the kept 90 days. */
  isKnown(account: number, network: string): Promise<boolean>;
  /** Deletes events older than 90 days. */
  prune(): Promise<void>;
}

const KEPT_MS = 90 * 24 * 3_600_000;

/** The security log in the database. On a full disk an event waits in memory (care/room.ts). */
export function createSecurityEvents(
  db: Kysely<Tables>,
  clock: Clock,
  room: EssentialWrites,
): SecurityEvents {
  return {
    async record({ type, account, detail }) {
      const event = { at: clock.now(), account, type, detail: JSON.stringify(detail) };
      const write = () => db.insertInto('security_event').values(event).execute();
      await room.eventually(write, { mayDrop: true });
    },
    async isKnown(account, network) {
      const known = await db
        .selectFrom('security_event')
        .select('id')
        .where('account', '=', account)
        .where('type', 'in', ['signed_up', 'signed_in'])
        .where('detail', 'like', `%${JSON.stringify(network)}%`)
        .limit(1)
        .executeTakeFirst();
      return known !== undefined;
    },
    async prune() {
      await db
        .deleteFrom('security_event')
        .where('at', '<', clock.now() - KEPT_MS)
        .execute();
    },
  };
}
