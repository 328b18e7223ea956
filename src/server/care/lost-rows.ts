// What a person had said of tasks that they may no longer read (snoozes, reminders, private labels): kept for 30 days, so that it is there
// again when they come back, and emptied then. The row itself stays, empty: an id that was purged could never be used again.
import type { Kysely } from 'kysely';
import type { Id } from '#core/ids.ts';
import { DAY_MS } from '#core/time.ts';
import { registersOf } from '#sync/rows/row.ts';
import type { Tables } from '../data/tables.ts';
import type { Exchange } from '../sync/exchange.ts';
import type { Plan } from '../sync/planned.ts';
import { serverFor, sharingDevice, type Author } from '../sharing/plans.ts';
import type { Pace } from './pace.ts';

/** How long after leaving a list, or after a task has left it, what was one's own of it stays. */
const KEPT_MS = 30 * DAY_MS;
const ACCOUNTS_AT_ONCE = 100;
/** Rows looked at in one step, and emptied in one transaction. */
const STEP = 64;

export interface LostRowPorts {
  readonly db: Kysely<Tables>;
  readonly exchange: Pick<Exchange, 'carryOut'>;
  readonly newId: () => Id;
  readonly pace: Pace;
  readonly now: number;
}

/** A personal row about something that its person may not read. */
interface LostRow {
  readonly id: Id;
  readonly about: Id;
  /** The scope that it is in. */
  readonly holder: Id;
  readonly saysSomething: boolean;
}

/** Empties rows of the person's own, as far as they say anything. */
function emptyingPlan(personal: Id, ids: readonly Id[], newId: () => Id): Plan {
  return {
    scopes: [personal],
    want: { rows: ids.map((id) => ({ scope: personal, id })), ancestors: [], siblings: [] },
    decide(view) {
      const [x, g] = [newId(), newId()];
      return ids.flatMap((id) => {
        const row = view.row(personal, id);
        if (row?.type !== 'mine') return [];
        return Object.keys(registersOf(row))
          .filter((field) => field !== 'of')
          .map((field) => ({
            scope: personal,
            action: { a: 'set', id, field, value: null } as const,
            u: newId(),
            x,
            g,
          }));
      });
    },
  };
}

class LostRows {
  readonly #ports: LostRowPorts;

  constructor(ports: LostRowPorts) {
    this.#ports = ports;
  }

  async empty(): Promise<number> {
    let emptied = 0;
    let after = -1;
    for (;;) {
      const people = await this.#people(after);
      for (const person of people) emptied += await this.#emptyOf(person);
      const last = people.at(-1);
      if (last === undefined || people.length < ACCOUNTS_AT_ONCE) return emptied;
      after = last.account;
    }
  }

  /** Who is, or was, in somebody's list. */
  async #people(after: number): Promise<readonly Author[]> {
    const { db, pace } = this.#ports;
    await pace.rest();
    const found = await db
      .selectFrom('account')
      .select(['account.id', 'account.personal_scope'])
      .where('account.id', '>', after)
      .where('account.deleted_at', 'is', null)
      .where((where) =>
        where.or([
          where.exists(
            where
              .selectFrom('former_member')
              .select('former_member.scope')
              .whereRef('former_member.account', '=', 'account.id'),
          ),
          where.exists(
            where
              .selectFrom('member')
              .select('member.scope')
              .whereRef('member.account', '=', 'account.id')
              .whereRef('member.scope', '!=', 'account.personal_scope'),
          ),
        ]),
      )
      .orderBy('account.id')
      .limit(ACCOUNTS_AT_ONCE)
      .execute();
    return found.map(({ id, personal_scope: personal }) => ({ account: id, personal }));
  }

  async #emptyOf(person: Author): Promise<number> {
    let emptied = 0;
    let after = '' as Id;
    for (;;) {
      const rows = await this.#unreadable(person, after);
      const due = await this.#due(person, rows);
      if (due.length > 0) await this.#carryOut(person, due);
      emptied += due.length;
      const last = rows.at(-1);
      if (last === undefined || rows.length < STEP) return emptied;
      after = last.id;
    }
  }

  /** Personal rows that say something of what is in a scope to which the person does not belong. */
  async #unreadable({ account, personal }: Author, after: Id): Promise<readonly LostRow[]> {
    const { db, pace } = this.#ports;
    await pace.rest();
    const found = await db
      .selectFrom('entity')
      .innerJoin('directory', 'directory.id', 'entity.about')
      .leftJoin('member', (join) =>
        join.onRef('member.scope', '=', 'directory.scope').on('member.account', '=', account),
      )
      .select(['entity.id', 'entity.fields', 'directory.id as about', 'directory.scope as holder'])
      .where('entity.scope', '=', personal)
      .where('entity.type', '=', 'mine')
      .where('entity.about', 'is not', null)
      .where('entity.id', '>', after)
      .where('member.account', 'is', null)
      .orderBy('entity.id')
      .limit(STEP)
      .execute();
    return found.map(({ fields, ...row }) => ({
      ...row,
      saysSomething: Object.keys(JSON.parse(fields)).length > 1,
    }));
  }

  /** Those whose subject has been out of reach for long enough. Of what cannot be said since when, nothing is emptied. */
  async #due({ account, personal }: Author, rows: readonly LostRow[]): Promise<readonly Id[]> {
    const saying = rows.filter(({ saysSomething }) => saysSomething);
    if (saying.length === 0) return [];
    const { db, now } = this.#ports;
    const left = await db
      .selectFrom('former_member')
      .select(['scope', 'left_at'])
      .where('account', '=', account)
      .execute();
    const present = await db.selectFrom('member').select('scope').where('account', '=', account).execute();
    const leftAt = new Map(left.map(({ scope, left_at: at }) => [scope, at]));
    const moves = await db
      .selectFrom('tombstone')
      .select((select) => ['id', select.fn.max('at').as('at')])
      .where('scope', 'in', [personal, ...present.map(({ scope }) => scope), ...leftAt.keys()])
      .where(
        'id',
        'in',
        saying.map(({ about }) => about),
      )
      .where('moved_to', 'is not', null)
      .groupBy('id')
      .execute();
    const movedAt = new Map(moves.map(({ id, at }) => [id, Number(at)]));
    return saying
      .filter(({ about, holder }) => {
        const since = Math.max(leftAt.get(holder) ?? -1, movedAt.get(about) ?? -1);
        return since >= 0 && since < now - KEPT_MS;
      })
      .map(({ id }) => id);
  }

  async #carryOut(person: Author, ids: readonly Id[]): Promise<void> {
    const { exchange, newId } = this.#ports;
    const actor = serverFor(person, [[person.personal, 'owner']]);
    const plan = emptyingPlan(person.personal, ids, newId);
    const refused = await exchange.carryOut(actor, sharingDevice(person.account), plan);
    if (refused !== null) throw new Error('What was a person’s own of a list that they left was not emptied');
  }
}

/** Empties what was said of tasks that have been out of their person's reach for 30 days. Returns how many rows said something. */
export function emptyLostRows(ports: LostRowPorts): Promise<number> {
  return new LostRows(ports).empty();
}
