// Makes the database agree with the ledger before a started server answers: after a restore the database holds sessions,
// memberships, accounts, passkeys, codes and passwords that had ended since the backup. Idempotent.
import type { Kysely } from 'kysely';
import type { Id } from '#core/ids.ts';
import { codesMark, passkeyMark, passwordMark, recoveryCodesMark } from '../accounts/credential-marks.ts';
import { NO_PASSWORD } from '../accounts/password-hash.ts';
import type { Store } from '../data/store.ts';
import type { Tables } from '../data/tables.ts';
import { endedMarks, type Ledger, type LedgerEntry } from './ledger.ts';
import {
  recreateScopes,
  replayMemberships,
  completeMoves,
  replayMoves,
  replayOwners,
  replaySharing,
} from './scopes-replay.ts';

const STEP = 500;

export interface Replayed {
  readonly sessions: number;
  readonly scopes: number;
  readonly memberships: number;
  /** Shared lists that were made private again, invitation links that had ended, and lists with another owner. */
  readonly sharing: number;
  /** Lists that were moved to another scope again, or all the way. */
  readonly moves: number;
  readonly accounts: number;
  readonly addresses: number;
  readonly passkeys: number;
  /** One-time codes, and sets of recovery codes. */
  readonly codes: number;
  /** Accounts that need a new password. */
  readonly passwords: number;
  /** Unreadable lines of the ledger. */
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

async function eraseAccounts(
  db: Kysely<Tables>,
  entries: readonly LedgerEntry[],
  disguises: Ledger['disguises'],
): Promise<number> {
  const erased = new Map<string, number>();
  for (const entry of entries) if (entry.type === 'account_erased') erased.set(entry.email, entry.at);
  if (erased.size === 0) return 0;
  const accounts = await db
    .selectFrom('account')
    .select(['id', 'email', 'created_at'])
    .where('deleted_at', 'is', null)
    .execute();
  // Somebody may have signed up with the same address since.
  const again = accounts.flatMap(({ id, email, created_at: createdAt }) => {
    const erasedAt = disguises(email)
      .map((form) => erased.get(form))
      .find((at) => at !== undefined);
    return erasedAt !== undefined && createdAt <= erasedAt ? [{ id, erasedAt }] : [];
  });
  for (const { id, erasedAt } of again)
    await db.updateTable('account').set({ deleted_at: erasedAt }).where('id', '=', id).execute();
  return again.length;
}

/** A list gets a new address when one is requested. */
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

async function endFeeds(db: Kysely<Tables>, entries: readonly LedgerEntry[]): Promise<number> {
  const ended = new Set(
    entries.flatMap((entry) => (entry.type === 'calendar_feed_ended' ? [entry.hash] : [])),
  );
  if (ended.size === 0) return 0;
  const known = await db.selectFrom('calendar_feed').select(['account', 'token_hash']).execute();
  const again = known.filter(({ token_hash: hash }) => ended.has(Buffer.from(hash).toString('hex')));
  for (const { account } of again)
    await db.deleteFrom('calendar_feed').where('account', '=', account).execute();
  return again.length;
}

async function endPasskeys(db: Kysely<Tables>, entries: readonly LedgerEntry[]): Promise<number> {
  const ended = endedMarks({ entries }, 'passkey');
  if (ended.size === 0) return 0;
  const known = await db.selectFrom('passkey').select('id').execute();
  const again = known.filter(({ id }) => ended.has(passkeyMark(id)));
  for (const { id } of again) await db.deleteFrom('passkey').where('id', '=', id).execute();
  return again.length;
}

/** Returns the accounts that lost codes. */
async function endCodes(db: Kysely<Tables>, entries: readonly LedgerEntry[]): Promise<readonly number[]> {
  const ended = endedMarks({ entries }, 'codes');
  if (ended.size === 0) return [];
  const known = await db.selectFrom('one_time_code').select(['account', 'secret']).execute();
  const again = known.filter(({ secret }) => ended.has(codesMark(secret)));
  for (const { account } of again) {
    await db.deleteFrom('recovery_code').where('account', '=', account).execute();
    await db.deleteFrom('one_time_code').where('account', '=', account).execute();
  }
  return again.map(({ account }) => account);
}

/** The codes of the app stay, and new recovery codes can be created. */
async function endRecoveryCodes(db: Kysely<Tables>, entries: readonly LedgerEntry[]): Promise<number> {
  const ended = endedMarks({ entries }, 'recovery_codes');
  if (ended.size === 0) return 0;
  const known = await db.selectFrom('recovery_code').select(['account', 'hash']).execute();
  let changed = 0;
  for (const [account, codes] of Map.groupBy(known, (code) => code.account)) {
    if (!ended.has(recoveryCodesMark(codes.map(({ hash }) => hash)))) continue;
    await db.deleteFrom('recovery_code').where('account', '=', account).execute();
    changed += 1;
  }
  return changed;
}

/** The newer password is not in the backup: the account needs a new one. */
async function endPasswords(
  db: Kysely<Tables>,
  entries: readonly LedgerEntry[],
  unguarded: ReadonlySet<number>,
): Promise<number> {
  const ended = endedMarks({ entries }, 'password');
  if (ended.size === 0 && unguarded.size === 0) return 0;
  const known = await db
    .selectFrom('account')
    .select(['id', 'password_hash'])
    .where('password_hash', '!=', NO_PASSWORD)
    .where('deleted_at', 'is', null)
    .execute();
  const again = known.filter(
    ({ id, password_hash: stored }) => unguarded.has(id) || ended.has(passwordMark(stored)),
  );
  for (const { id } of again)
    await db
      .updateTable('account')
      .set((row) => ({ password_hash: NO_PASSWORD, entry_version: row('entry_version', '+', 1) }))
      .where('id', '=', id)
      .execute();
  return again.length;
}

async function endCredentials(
  db: Kysely<Tables>,
  entries: readonly LedgerEntry[],
): Promise<Pick<Replayed, 'passkeys' | 'codes' | 'passwords'>> {
  const recoveryCodes = await endRecoveryCodes(db, entries);
  const passkeys = await endPasskeys(db, entries);
  const ended = endedMarks({ entries }, 'codes');
  const replaced = new Set<number>();
  for (const entry of entries)
    if (entry.type === 'codes_set' && !ended.has(entry.mark)) replaced.add(entry.account);
  const codes = await endCodes(db, entries);
  // Their new codes are not in the backup: the password alone must not open an account that was protected by both.
  const unguarded = new Set(codes.filter((account) => replaced.has(account)));
  const passwords = await endPasswords(db, entries, unguarded);
  return { passkeys, codes: codes.length + recoveryCodes, passwords };
}

/** Applies every entry of the ledger to the database; returns how many rows each kind changed. */
export async function replayLedger(
  {
    db,
    store,
  }: { readonly db: Kysely<Tables>; readonly store: Pick<Store, 'write' | 'openGeneration' | 'transfers'> },
  ledger: Ledger,
  now: number,
): Promise<Replayed> {
  const { entries, damaged } = await ledger.read();
  const sessions = await revokeSessions(db, entries);
  // Before the scopes: a list that was shared anew has one record that is open.
  const ended = await replaySharing(db, entries);
  return {
    sessions,
    scopes: await recreateScopes(db, entries, now),
    memberships: await replayMemberships(db, entries),
    sharing: ended + (await replayOwners(db, entries)),
    moves: (await replayMoves({ db, store }, entries, now)) + (await completeMoves({ db, store }, now)),
    accounts: await eraseAccounts(db, entries, (email) => ledger.disguises(email)),
    addresses: (await endAddresses(db, entries)) + (await endFeeds(db, entries)),
    ...(await endCredentials(db, entries)),
    damaged,
  };
}
