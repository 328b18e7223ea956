// Makes the database agree with the ledger again, before a started server answers: after a restore the database holds
// sessions, memberships and accounts that had been ended since the backup. Doing it twice changes nothing.
import type { Kysely } from 'kysely';
import type { Id } from '#core/ids.ts';
import type { Tables } from '../data/tables.ts';
import type { Ledger, LedgerEntry } from './ledger.ts';

const STEP = 500;

export interface Replayed {
  readonly sessions: number;
  readonly memberships: number;
  readonly accounts: number;
  readonly addresses: number;
  /** Lines of the ledger that could not be read. */
  readonly damaged: number;
}

async function revokeSessions(db: Kysely<Tables>, entries: readonly LedgerEntry[]): Promise<number> {
  const revoked = entries.filter((entry) => entry.type === 'session_revoked');
  let changed = 0;
  for (let from = 0; from < revoked.length; from += STEP) {
    const step = revoked.slice(from, from + STEP);
    const result = await db
      .updateTable('session')
      .set({ revoked_at: Math.max(...step.map((entry) => entry.at)) })
      .where(
        'id',
        'in',
        step.map((entry) => entry.session as Id),
      )
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    changed += Number(result.numUpdatedRows);
  }
  return changed;
}

async function endMemberships(db: Kysely<Tables>, entries: readonly LedgerEntry[]): Promise<number> {
  const last = new Map<string, Extract<LedgerEntry, { scope: unknown }>>();
  for (const entry of entries)
    if (entry.type === 'membership_left' || entry.type === 'membership_joined')
      last.set(`${entry.scope}${entry.account}`, entry);
  let changed = 0;
  for (const { type, scope, account } of last.values()) {
    if (type === 'membership_joined') continue;
    const result = await db
      .deleteFrom('member')
      .where('scope', '=', scope as Id)
      .where('account', '=', account)
      .executeTakeFirst();
    changed += Number(result.numDeletedRows);
  }
  return changed;
}

async function eraseAccounts(
  db: Kysely<Tables>,
  entries: readonly LedgerEntry[],
  disguise: Ledger['disguise'],
): Promise<number> {
  const erased = new Map<string, number>();
  for (const entry of entries) if (entry.type === 'account_erased') erased.set(entry.email, entry.at);
  if (erased.size === 0) return 0;
  const accounts = await db
    .selectFrom('account')
    .select(['id', 'email', 'created_at'])
    .where('deleted_at', 'is', null)
    .execute();
  // Somebody may have signed up anew with the same address since.
  const again = accounts.flatMap(({ id, email, created_at: createdAt }) => {
    const erasedAt = erased.get(disguise(email));
    return erasedAt !== undefined && createdAt <= erasedAt ? [{ id, erasedAt }] : [];
  });
  for (const { id, erasedAt } of again)
    await db.updateTable('account').set({ deleted_at: erasedAt }).where('id', '=', id).execute();
  return again.length;
}

/** The list is given another one when somebody asks for it. */
async function endAddresses(db: Kysely<Tables>, entries: readonly LedgerEntry[]): Promise<number> {
  const ended = entries.flatMap((entry) =>
    entry.type === 'mail_address_ended' ? [Buffer.from(entry.hash, 'hex')] : [],
  );
  let changed = 0;
  for (let from = 0; from < ended.length; from += STEP) {
    const result = await db
      .deleteFrom('mail_address')
      .where('code_hash', 'in', ended.slice(from, from + STEP))
      .executeTakeFirst();
    changed += Number(result.numDeletedRows);
  }
  return changed;
}

export async function replayLedger(db: Kysely<Tables>, ledger: Ledger): Promise<Replayed> {
  const { entries, damaged } = await ledger.read();
  return {
    sessions: await revokeSessions(db, entries),
    memberships: await endMemberships(db, entries),
    accounts: await eraseAccounts(db, entries, (email) => ledger.disguise(email)),
    addresses: await endAddresses(db, entries),
    damaged,
  };
}
