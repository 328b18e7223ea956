// The record of what matters for the safety of an account: sign-ins, refusals, sessions ended, limits hit.
// Holds neither secrets nor addresses in full. Kept 90 days. Not here: the request log.
import type { Kysely } from 'kysely';
import type { Clock } from '#sync/ports.ts';
import type { Tables } from '../data/tables.ts';

export type SecurityEventType =
  | 'signed_up'
  | 'signed_in'
  | 'sign_in_failed'
  | 'signed_out'
  | 'session_ended'
  | 'password_changed'
  | 'email_changed'
  | 'email_verified'
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
  | 'limit_hit';

export interface SecurityEvent {
  readonly type: SecurityEventType;
  /** Null when nobody knows whose. */
  readonly account: number | null;
  /** Truncated address, kind of session, door. */
  readonly detail: Readonly<Record<string, string | number>>;
}

export interface SecurityEvents {
  record(event: SecurityEvent): Promise<void>;
  /** Forgets what is older than 90 days. */
  prune(): Promise<void>;
}

const KEPT_MS = 90 * 24 * 3_600_000;

export function createSecurityEvents(db: Kysely<Tables>, clock: Clock): SecurityEvents {
  return {
    async record({ type, account, detail }) {
      await db
        .insertInto('security_event')
        .values({ at: clock.now(), account, type, detail: JSON.stringify(detail) })
        .execute();
    },
    async prune() {
      await db
        .deleteFrom('security_event')
        .where('at', '<', clock.now() - KEPT_MS)
        .execute();
    },
  };
}
