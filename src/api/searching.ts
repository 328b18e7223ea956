// The search language over an account's rows: its table is built on the first search, cached while there is room, and
// updated with later changes. Rows are read in pages, with other requests answered in between.
import { plainContext } from '#core/dates/plain-context.ts';
import type { Id } from '#core/ids.ts';
import type { Problem as QueryProblem } from '#core/search/query.ts';
import type { Clock } from '#sync/replica/ports.ts';
import type { RowChange } from '#sync/replica/replica-types.ts';
import { RowTable } from '#sync/query/row-table.ts';
import type { Row } from '#sync/rows/row.ts';
import type { ApiActor, Found, Searching } from './ports.ts';
import { withoutSealed } from './sealed-reads.ts';

/** The problem of a query in words: what, where, and what would be right. */
export function wordsFor({ message, hint, start, end }: QueryProblem, query: string): string {
  const said = query.slice(start, Math.min(end, start + LONGEST_QUOTE));
  const advice = hint === null || hint === '' ? '' : ` Try ${JSON.stringify(hint)}.`;
  return `At character ${start + 1}, ${JSON.stringify(said)}: ${message}${advice}`;
}

const LONGEST_QUOTE = 60;

/** Total rows of all cached tables. */
const KEPT_ROWS = 300_000;
const PAGE_ROWS = 2_000;

/** What a server gives for it: whole scopes with what changed in them. */
interface SearchedStore {
  changes(
    scope: Id,
    from: number,
    maxRows: number,
  ): Promise<{
    readonly rows: readonly Row[];
    readonly gone: readonly Id[];
    readonly moved: readonly { readonly id: Id }[];
    readonly to: number;
    readonly more: boolean;
  }>;
  /** `horizon`: what was deleted up to this version is no longer said. */
  scope(id: Id): Promise<{ readonly version: number; readonly horizon: number } | null>;
}

interface Kept {
  readonly table: RowTable;
  readonly scopes: readonly Id[];
  readonly versions: Map<Id, number>;
  readonly rows: Map<Id, Row>;
  /** Concurrent searches wait for the same read. */
  reading: Promise<void>;
}

interface SearchPorts {
  readonly store: SearchedStore;
  readonly clock: Clock;
  readonly nextTurn: (work: () => void) => void;
}

/** The table that searches of an account look through. Days begin at midnight UTC: programs state no other zone. */
export function tableOf(
  { account, personalScope }: Pick<ApiActor, 'account' | 'personalScope'>,
  rows: Iterable<Row>,
  clock: Pick<Clock, 'now'>,
): RowTable {
  return new RowTable(personalScope, rows, () => plainContext(clock.now(), 'UTC'), account);
}

/** What a query finds in a table; `rowOf` has the rows that were given to it. */
export function foundIn(table: RowTable, rowOf: (id: Id) => Row | undefined, query: string): Found {
  const asked = table.ask(query);
  const unknown = asked.question.unknown.map(({ start, end }) => query.slice(start, end));
  return {
    // Half a query would find what nobody asked for.
    rows: asked.query.problems.length > 0 ? [] : table.find(asked).flatMap((id) => rowOf(id) ?? []),
    isSorted: asked.query.directives.sort !== null,
    warnings: [
      ...asked.query.problems.map((problem) => wordsFor(problem, query)),
      ...unknown.map((text) => `Nothing has the name in ${JSON.stringify(text)}.`),
    ],
  };
}

class KeptTables implements Searching {
  readonly #ports: SearchPorts;
  readonly #kept = new Map<number, Kept>();

  constructor(ports: SearchPorts) {
    this.#ports = ports;
  }

  async find(actor: ApiActor, scopes: readonly Id[], query: string): Promise<Found> {
    const { table, rows } = await this.#current(actor, scopes);
    return foundIn(table, (id) => rows.get(id), query);
  }

  async #current(actor: ApiActor, scopes: readonly Id[]): Promise<Kept> {
    const known = this.#kept.get(actor.account);
    let table = known && known.scopes.join() === scopes.join() ? known : this.#make(actor, scopes);
    const reading = table.reading.then(() => this.#refresh(table));
    table.reading = reading.catch(() => undefined);
    this.#kept.delete(actor.account);
    this.#kept.set(actor.account, table);
    try {
      await reading;
    } catch (error) {
      this.#kept.delete(actor.account);
      if (!(error instanceof Stale)) throw error;
      table = this.#make(actor, scopes);
      await this.#refresh(table);
      this.#kept.set(actor.account, table);
    }
    this.#makeRoom();
    return table;
  }

  #make({ account, personalScope }: ApiActor, scopes: readonly Id[]): Kept {
    return {
      table: tableOf({ account, personalScope }, [], this.#ports.clock),
      scopes,
      versions: new Map(),
      rows: new Map(),
      reading: Promise.resolve(),
    };
  }

  async #refresh(table: Kept): Promise<void> {
    const { store, nextTurn } = this.#ports;
    for (const scope of table.scopes) {
      const head = await store.scope(scope);
      if (head === null) continue;
      let from = table.versions.get(scope) ?? 0;
      // A tombstone already removed by housekeeping would be missed: the table is rebuilt.
      if (from > head.version || (from > 0 && from < head.horizon)) throw new Stale();
      while (from < head.version) {
        const page = await store.changes(scope, from, PAGE_ROWS);
        const left = [...page.gone, ...page.moved.map(({ id }) => id)];
        take(table, { scope, rows: page.rows.map(withoutSealed), left });
        from = page.to;
        table.versions.set(scope, from);
        if (!page.more) break;
        await new Promise<void>((resolve) => nextTurn(resolve));
      }
    }
  }

  #makeRoom(): void {
    let rows = 0;
    for (const table of this.#kept.values()) rows += table.rows.size;
    for (const [oldest, table] of this.#kept) {
      if (rows <= KEPT_ROWS) return;
      this.#kept.delete(oldest);
      rows -= table.rows.size;
    }
  }
}

/** Searches over what a server stores. */
export function createSearching(ports: SearchPorts): Searching {
  return new KeptTables(ports);
}

interface Page {
  readonly scope: Id;
  readonly rows: readonly Row[];
  /** What is no longer in this scope. */
  readonly left: readonly Id[];
}

function take({ table, rows: held }: Kept, { scope, rows, left }: Page): void {
  const changes: RowChange[] = rows.map((after) => ({ id: after.id, before: held.get(after.id), after }));
  for (const id of left) {
    const before = held.get(id);
    // It may have come to another scope already.
    if (before?.scope === scope) changes.push({ id, before, after: undefined });
  }
  table.apply(changes);
  for (const { id, after } of changes) {
    if (after) held.set(id, after);
    else held.delete(id);
  }
}

class Stale extends Error {}
