// The search language over an account's rows: a table of them is made when somebody asks, kept while there is room, and
// brought up to date by what has changed since. Rows come in pages, and other requests are answered in between.
import type { PhraseContext } from '#core/dates/reader.ts';
import type { Id } from '#core/ids.ts';
import type { Clock } from '#sync/ports.ts';
import type { RowChange } from '#sync/replica-types.ts';
import { RowTable } from '#sync/query/row-table.ts';
import type { Row } from '#sync/row.ts';
import type { AccountActor } from '../access/authorise.ts';
import type { Store } from '../data/store.ts';

/** Rows in all tables that are kept. */
const KEPT_ROWS = 300_000;
const PAGE_ROWS = 2_000;

export interface Found {
  /** In the order of the query. */
  readonly rows: readonly Row[];
  /** The query itself says in which order. */
  readonly isSorted: boolean;
  /** What was not understood or names nothing. */
  readonly warnings: readonly string[];
}

export interface Searching {
  find(actor: AccountActor, scopes: readonly Id[], query: string): Promise<Found>;
}

interface Kept {
  readonly table: RowTable;
  readonly scopes: readonly Id[];
  readonly versions: Map<Id, number>;
  readonly rows: Map<Id, Row>;
  /** Who asks while it is read waits for the same reading. */
  reading: Promise<void>;
}

export function createSearching(ports: {
  readonly store: Pick<Store, 'snapshot' | 'changes' | 'scope'>;
  readonly clock: Clock;
  readonly nextTurn: (work: () => void) => void;
}): Searching {
  const kept = new Map<number, Kept>();
  const pause = () => new Promise<void>((resolve) => ports.nextTurn(resolve));

  function context(): PhraseContext {
    return {
      now: ports.clock.now(),
      zone: 'UTC',
      order: 'dmy',
      hour12: false,
      dayStart: 0,
      weekStart: 1,
      nextWeek: 'first day',
      prefers: 'future',
      current: null,
      hours: { morning: 9, afternoon: 15, evening: 18, night: 20 },
    };
  }

  function make(personal: Id, scopes: readonly Id[]): Kept {
    return {
      table: new RowTable(personal, [], context),
      scopes,
      versions: new Map(),
      rows: new Map(),
      reading: Promise.resolve(),
    };
  }

  function take(table: Kept, rows: readonly Row[], gone: readonly Id[]): void {
    const changes: RowChange[] = rows.map((after) => ({
      id: after.id,
      before: table.rows.get(after.id),
      after,
    }));
    for (const id of gone) {
      const before = table.rows.get(id);
      if (before) changes.push({ id, before, after: undefined });
    }
    table.table.apply(changes);
    for (const { id, after } of changes) {
      if (after) table.rows.set(id, after);
      else table.rows.delete(id);
    }
  }

  async function refresh(table: Kept): Promise<void> {
    for (const scope of table.scopes) {
      const head = await ports.store.scope(scope);
      let from = table.versions.get(scope) ?? 0;
      // A tombstone that housekeeping forgot would be missed: then the table is made anew.
      if (head === null || (from > 0 && from < head.horizon)) throw new Stale();
      while (from < head.version) {
        const page = await ports.store.changes(scope, from, PAGE_ROWS);
        take(table, page.rows, page.gone);
        from = page.to;
        table.versions.set(scope, from);
        if (!page.more) break;
        await pause();
      }
    }
  }

  async function current(actor: AccountActor, scopes: readonly Id[]): Promise<Kept> {
    const known = kept.get(actor.account);
    const isSame = known?.scopes.join() === scopes.join();
    let table = known && isSame ? known : make(actor.personalScope, scopes);
    const reading = table.reading.then(() => refresh(table));
    table.reading = reading.catch(() => undefined);
    kept.delete(actor.account);
    kept.set(actor.account, table);
    try {
      await reading;
    } catch (error) {
      kept.delete(actor.account);
      if (!(error instanceof Stale)) throw error;
      table = make(actor.personalScope, scopes);
      await refresh(table);
      kept.set(actor.account, table);
    }
    makeRoom();
    return table;
  }

  function makeRoom(): void {
    let rows = 0;
    for (const table of kept.values()) rows += table.rows.size;
    for (const [oldest, table] of kept) {
      if (rows <= KEPT_ROWS) return;
      kept.delete(oldest);
      rows -= table.rows.size;
    }
  }

  return {
    async find(actor, scopes, query) {
      const { table, rows } = await current(actor, scopes);
      const asked = table.ask(query);
      const unknown = asked.question.unknown.map(({ start, end }) => query.slice(start, end));
      return {
        rows: table.find(asked).flatMap((id) => rows.get(id) ?? []),
        isSorted: asked.query.directives.sort !== null,
        warnings: [
          ...asked.query.problems.map(({ message }) => message),
          ...unknown.map((text) => `Nothing is called what ${JSON.stringify(text)} asks for.`),
        ],
      };
    },
  };
}

class Stale extends Error {}
