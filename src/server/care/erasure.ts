// Erases accounts after their grace period, in small steps beside a running server. The data follows from column names, so
// that later tables are not forgotten: `account`, and `scope` for everything in the scopes the account owns. Recorded in
// the ledger first: a restored backup does not bring an account back.
import { DAY_MS } from '#core/time.ts';
import { sql, type Kysely } from 'kysely';
import type { Id } from '#core/ids.ts';
import { setOwner, wantSettling } from '../data/members.ts';
import type { OlderHistory } from '../data/history-groups/older-history.ts';
import type { Billing } from '../billing/billing.ts';
import type { Tables } from '../data/tables.ts';
import type { Letters } from '../mail/letters.ts';
import type { Spool } from '../mail/spool.ts';
import type { Ledger } from './ledger.ts';
import type { Pace } from './pace.ts';

/** How long after the request an account is kept, and signing in keeps it: seven days. */
export const ERASURE_GRACE_MS = 7 * DAY_MS;
const STEP = 500;

export interface ErasurePorts {
  readonly db: Kysely<Tables>;
  readonly pace: Pace;
  readonly now: number;
  readonly ledger: Pick<Ledger, 'record' | 'disguise'>;
  readonly letters: Letters;
  /** Null: the server receives no mail. */
  readonly spool: Pick<Spool, 'forget'> | null;
  /** Null: all history is in the database itself. */
  readonly older: Pick<OlderHistory, 'eraseScope'> | null;
  /** Null: nobody pays. */
  readonly billing: Pick<Billing, 'erasing'> | null;
}

interface Erased {
  readonly id: number;
  readonly email: string;
  readonly verified_at: number | null;
  readonly personal_scope: Id;
}

/** Tables that may hold very many rows of one scope, with the column by which they are deleted in steps. */
const STEPPED: Readonly<Record<string, string>> = {
  entity: 'id',
  directory: 'id',
  tombstone: 'id',
  history: 'version',
  history_entity: 'version',
  note_epoch: 'note',
};

/** Tables in which an account is also the author of other people's data; there its number remains, without meaning. */
const AUTHORED: ReadonlySet<string> = new Set(['history']);

type AnyTables = Record<string, Record<string, unknown>>;

class Erasure {
  readonly #ports: ErasurePorts;
  /** The same database, with names only known at run time. */
  readonly #db: Kysely<AnyTables>;

  constructor(ports: ErasurePorts) {
    this.#ports = ports;
    this.#db = ports.db as unknown as Kysely<AnyTables>;
  }

  async erase(account: Erased): Promise<void> {
    const { db, now, ledger, letters } = this.#ports;
    await ledger.record([{ type: 'account_erased', at: now, email: ledger.disguise(account.email) }]);
    await db.updateTable('account').set({ deleted_at: now }).where('id', '=', account.id).execute();
    await this.#unsettle(account.id);
    for (const scope of await this.#scopesLeft(account)) await this.#eraseScope(scope);
    await this.#eraseDevices(account.id);
    for (const { name, columns } of await this.#tables()) {
      if (!columns.has('account') || AUTHORED.has(name)) continue;
      await this.#ports.pace.rest();
      await this.#db.deleteFrom(name).where('account', '=', account.id).execute();
    }
    await this.#ports.spool?.forget(account.id);
    await letters.send({
      kind: 'erased',
      isProved: account.verified_at !== null,
      to: account.email,
      subject: 'Your account was erased',
      text: 'We erased your Posthaste account and everything in it. Backups that still have it are deleted within 35 days.\n',
    });
    await db.deleteFrom('account').where('id', '=', account.id).execute();
  }

  /** The rows of its lists say its name, until they are looked through (sharing/settling.ts). */
  async #unsettle(account: number): Promise<void> {
    const { db } = this.#ports;
    const present = await db.selectFrom('member').select('scope').where('account', '=', account).execute();
    const former = await db
      .selectFrom('former_member')
      .select('scope')
      .where('account', '=', account)
      .execute();
    await wantSettling(
      db,
      [...present, ...former].map(({ scope }) => scope),
    );
  }

  async #tables() {
    const tables = await this.#db.introspection.getTables();
    return tables.map(({ name, columns }) => ({ name, columns: new Set(columns.map((of) => of.name)) }));
  }

  /** Scopes that go with the account. A shared one passes to the member who joined first. */
  async #scopesLeft({ id, personal_scope: personal }: Erased): Promise<readonly Id[]> {
    const { db } = this.#ports;
    const owned = await db.selectFrom('scope').select('id').where('owner', '=', id).execute();
    const left: Id[] = [personal];
    for (const scope of owned.map((row) => row.id).filter((each) => each !== personal)) {
      const heir = await db
        .selectFrom('member')
        .select('account')
        .where('scope', '=', scope)
        .where('account', '!=', id)
        .orderBy('joined_at')
        .orderBy('account')
        .limit(1)
        .executeTakeFirst();
      if (!heir) {
        left.push(scope);
        continue;
      }
      await db.transaction().execute((tx) => setOwner(tx, scope, heir.account));
    }
    return left;
  }

  async #eraseScope(scope: Id): Promise<void> {
    const { db, pace, older } = this.#ports;
    // First: afterwards nobody knows where it lies.
    await older?.eraseScope(scope, () => pace.rest());
    for (const { name, columns } of await this.#tables()) {
      if (!columns.has('scope')) continue;
      const step = STEPPED[name];
      if (step === undefined) {
        await pace.rest();
        await this.#db.deleteFrom(name).where('scope', '=', scope).execute();
      } else await this.#eraseInSteps(name, step, scope);
    }
    await db.deleteFrom('scope').where('id', '=', scope).execute();
  }

  async #eraseInSteps(table: string, column: string, scope: Id): Promise<void> {
    for (;;) {
      await this.#ports.pace.rest();
      const taken = await this.#db
        .selectFrom(table)
        .select(column)
        .where('scope', '=', scope)
        .orderBy(column)
        .limit(STEP)
        .execute();
      const last = taken.at(-1)?.[column];
      if (last === undefined) return;
      await this.#db
        .deleteFrom(table)
        .where('scope', '=', scope)
        .where(sql.ref(column), '<=', last)
        .execute();
    }
  }

  /** Verdicts and contacts are deleted by device. */
  async #eraseDevices(account: number): Promise<void> {
    const { db, pace } = this.#ports;
    const devices = await db.selectFrom('device').select('id').where('account', '=', account).execute();
    for (const { id } of devices) {
      await pace.rest();
      await db.deleteFrom('op_result').where('device', '=', id).execute();
    }
  }
}

/** Resolves with the number of erased accounts. An interrupted erasure continues with the next run. */
export async function eraseAccounts(ports: ErasurePorts): Promise<number> {
  const { db, now } = ports;
  // Accounts that a replayed ledger marks as erased come from a restored backup.
  const due = await db
    .selectFrom('account')
    .select(['id', 'email', 'verified_at', 'personal_scope'])
    .where((where) => where.or([where('erase_at', '<=', now), where('deleted_at', 'is not', null)]))
    .execute();
  const erasure = new Erasure(ports);
  let erased = 0;
  for (const account of due) {
    // A subscription that nobody could end would go on taking money.
    if (ports.billing !== null && !(await ports.billing.erasing(account.id))) continue;
    await erasure.erase(account);
    erased += 1;
  }
  return erased;
}
