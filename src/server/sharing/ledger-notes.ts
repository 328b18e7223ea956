// What the ledger says of the members and owners of shared lists, so that a restored backup does not undo it. It is written from what the
// database says: what a process that was killed had not written is written when the list is settled next.
import type { Kysely } from 'kysely';
import type { Id } from '#core/ids.ts';
import type { Ledger, LedgerEntry } from '../care/ledger.ts';
import type { Tables } from '../data/tables.ts';

/** The part of the ledger that is about shared lists. */
export interface LedgerNotes extends Pick<Ledger, 'record'> {
  /** Writes what the database says of the members and the owner of a scope, and the ledger does not. Repeated it writes nothing. */
  catchUp(scope: Id): Promise<void>;
}

type Membership = Extract<LedgerEntry, { type: 'membership_left' | 'membership_joined' }>;

/** The last that is written of each membership, and the last owner of each scope. */
class Written {
  readonly #memberships = new Map<string, Membership>();
  readonly #owners = new Map<string, number>();

  add(entries: readonly LedgerEntry[]): void {
    for (const entry of entries) {
      if (entry.type === 'membership_left' || entry.type === 'membership_joined')
        this.#memberships.set(`${entry.scope} ${entry.account}`, entry);
      else if (entry.type === 'scope_created') this.#owners.set(entry.scope, entry.owner);
      else if (entry.type === 'scope_handed') this.#owners.set(entry.scope, entry.account);
    }
  }

  membership(scope: Id, account: number): Membership | undefined {
    return this.#memberships.get(`${scope} ${account}`);
  }

  owner(scope: Id): number | undefined {
    return this.#owners.get(scope);
  }
}

/** What is written of shared lists in this ledger; it is read once, when it is first asked about. */
export function createLedgerNotes(
  db: Kysely<Tables>,
  ledger: Pick<Ledger, 'record' | 'read'>,
  now: () => number,
): LedgerNotes {
  let reading: Promise<Written> | null = null;

  function written(): Promise<Written> {
    reading ??= ledger.read().then(
      ({ entries }) => {
        const found = new Written();
        found.add(entries);
        return found;
      },
      (error: unknown) => {
        reading = null;
        throw error;
      },
    );
    return reading;
  }

  async function record(entries: readonly LedgerEntry[]): Promise<void> {
    // Read before: what is written meanwhile must not be older than what is read.
    const known = await written();
    await ledger.record(entries);
    known.add(entries);
  }

  async function missing(scope: Id): Promise<LedgerEntry[]> {
    const known = await written();
    const members = await db.selectFrom('member').selectAll().where('scope', '=', scope).execute();
    const former = await db.selectFrom('former_member').selectAll().where('scope', '=', scope).execute();
    const owner = members.find(({ role }) => role === 'owner')?.account;
    const entries: LedgerEntry[] = [];
    for (const { account, role, joined_at: at } of members) {
      const last = known.membership(scope, account);
      // Who made the list is its member by that.
      if (last === undefined && role === 'owner') continue;
      if (last?.type !== 'membership_joined' || last.at !== at)
        entries.push({ type: 'membership_joined', at, scope, account });
    }
    for (const { account, left_at: at } of former) {
      const last = known.membership(scope, account);
      if (last?.type !== 'membership_left' || last.at !== at)
        entries.push({ type: 'membership_left', at, scope, account });
    }
    if (owner !== undefined && known.owner(scope) !== owner)
      entries.push({ type: 'scope_handed', at: Math.round(now()), scope, account: owner });
    return entries;
  }

  return {
    record,
    async catchUp(scope) {
      const entries = await missing(scope);
      if (entries.length > 0) await record(entries);
    },
  };
}
