// The older history of all scopes, spread over several databases: which scope goes where, and the leader's work on it. How the parts
// are done is in the files beside this one, and why in docs/decisions/0062.
import type { Kysely } from 'kysely';
import type { Id } from '#core/ids.ts';
import type { Log } from '../log.ts';
import type { PostgresConnection, Statement } from '../postgres/postgres-connection.ts';
import { storageTrouble } from '../storage-trouble.ts';
import { carryOlder, type GroupPorts, KEPT_TWICE_MS, RECENT_MS } from './copying.ts';
import { eraseAsked, eraseScope } from './erasing.ts';
import type { GroupTables, HistoryGroups } from './groups.ts';
import { eachInGroup, finishMoves, moveScope } from './moving.ts';

/** Looked at in one statement. */
const PAGE = 1_000;
/** What a scope takes about, until it is seen: so that many that come at once do not all go to one group. */
const EXPECTED_BYTES = 2_000_000;

const SQL = {
  page: {
    name: 'older-due',
    text:
      'SELECT s.id, p.scope IS NULL, f.at < $3 AND (p.scope IS NULL OR ' +
      '(p.copied_at < $4 AND p.target IS NULL AND p.leaving IS NULL)), p.place ' +
      'FROM (SELECT id FROM scope WHERE id > $1 ORDER BY id LIMIT $2) s ' +
      'LEFT JOIN LATERAL (SELECT at FROM history h WHERE h.scope = s.id ORDER BY version, seq LIMIT 1) f ON true ' +
      'LEFT JOIN history_place p ON p.scope = s.id ORDER BY s.id',
  },
  place: {
    name: 'older-place',
    text:
      'INSERT INTO history_place (scope, place, copied, copied_at, freed) ' +
      'SELECT scope, place, 0, $3, 0 FROM unnest($1::text[], $2::text[]) v (scope, place) ' +
      'ON CONFLICT (scope) DO NOTHING',
  },
  empty: {
    name: 'older-empty',
    text: 'SELECT place, count(*) FROM history_place WHERE copied = 0 GROUP BY place',
  },
  scopes: {
    name: 'older-scopes',
    text: 'SELECT count(*) FROM history_place WHERE place = $1 OR target = $1',
  },
  leave: {
    name: 'group-leave',
    text:
      'DELETE FROM history_group g WHERE g.name = $1 AND NOT EXISTS (SELECT 1 FROM history_place p ' +
      'WHERE p.place = g.name OR p.target = g.name OR p.leaving = g.name)',
  },
} as const satisfies Record<string, Statement>;

/** How much was done, in entries and scopes. */
export interface OlderReport {
  readonly erased: number;
  readonly moved: number;
  readonly placed: number;
  readonly freed: number;
  readonly copied: number;
}

/** How work on it goes on and ends. */
export interface OlderPace {
  readonly now: number;
  /** Between two steps. Rejects when the work is to end. */
  readonly rest: () => Promise<void>;
  /** Hears of a group that is away, and of anything else that keeps some of the work from being done. */
  readonly onError: (error: unknown) => void;
}

/** A group as an operator sees it. */
export interface GroupState {
  readonly name: string;
  readonly scopes: number;
  /** Null: it can't be reached. */
  readonly bytes: number | null;
}

/** The older history, as housekeeping and operators deal with it. Reading it is the Store's. */
export class OlderHistory {
  readonly #home: PostgresConnection;
  readonly #groups: HistoryGroups;
  readonly #log: Log;

  constructor(home: PostgresConnection, groups: HistoryGroups, log: Log) {
    this.#home = home;
    this.#groups = groups;
    this.#log = log;
  }

  get names(): readonly string[] {
    return this.#groups.names;
  }

  /** What only the leader does, now and then. */
  async run(pace: OlderPace): Promise<OlderReport> {
    const ports = this.#ports(pace.rest, await this.#away(pace.onError));
    const erased = await eraseAsked(ports, pace.now, pace.onError);
    const moved = await finishMoves(ports, pace.onError);
    return { erased, moved, ...(await this.#carry(ports, pace)) };
  }

  /** The tables of one group. Rejects while it is away. */
  tables(name: string): Promise<Kysely<GroupTables>> {
    return this.#groups.tables(name);
  }

  /** Erases what waits for it. Rejects while something of it can't be. */
  async finishErasing({ now, rest }: Pick<OlderPace, 'now' | 'rest'>): Promise<void> {
    const failures: unknown[] = [];
    await eraseAsked(this.#ports(rest), now, (error) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  }

  /** Removes a scope from every group. Rejects while one of them is away. */
  async eraseScope(scope: Id, rest: OlderPace['rest']): Promise<void> {
    await eraseScope(this.#ports(rest), scope);
  }

  /** Moves a scope while it is in use; false: nothing of it lies in a group. */
  async move(scope: Id, target: string, rest: OlderPace['rest']): Promise<boolean> {
    return await moveScope(this.#ports(rest), scope, target);
  }

  /**
   * Moves everything out of a group; with nothing left there, it is no group of this installation any more. `moved`: scopes. Servers that
   * run with it go on putting new scopes there, so that it may take a second time.
   */
  async drain(
    name: string,
    rest: OlderPace['rest'],
  ): Promise<{ readonly moved: number; readonly isEmpty: boolean }> {
    const ports = this.#ports(rest);
    const rooms = await this.#rooms((other) => other !== name);
    const moved = await eachInGroup(ports, name, (scope) => moveScope(ports, scope, rooms.next()));
    const left = await this.#home.write((session) => session.run(SQL.leave, name));
    return { moved, isEmpty: left === 1 };
  }

  /** Gives the space of what was deleted back to the groups. */
  async scrub(): Promise<void> {
    for (const name of this.names) await this.#groups.vacuum(name);
  }

  async states(): Promise<readonly GroupState[]> {
    return await Promise.all(
      this.names.map(async (name) => {
        const [cells] = await this.#home.all(SQL.scopes, name);
        const bytes = await this.#groups.bytes(name).catch(() => null);
        return { name, scopes: Number(cells?.[0] ?? 0), bytes };
      }),
    );
  }

  #ports(rest: OlderPace['rest'], away = new Set<string>()): GroupPorts {
    return { home: this.#home, groups: this.#groups, log: this.#log, away, rest };
  }

  /** The groups that don't answer now, each told once. */
  async #away(onError: OlderPace['onError']): Promise<Set<string>> {
    const away = new Set<string>();
    for (const name of this.names) {
      try {
        await this.#groups.bytes(name);
      } catch (error) {
        away.add(name);
        onError(error);
      }
    }
    return away;
  }

  /** Looks at every scope whose history begins long ago: gives it a place, or carries on what is due. */
  async #carry(
    ports: GroupPorts,
    { now, rest, onError }: OlderPace,
  ): Promise<Pick<OlderReport, 'placed' | 'freed' | 'copied'>> {
    const { away } = ports;
    const report = { placed: 0, freed: 0, copied: 0 };
    const rooms = await this.#rooms((name) => !away.has(name), onError);
    for (let after = ''; ;) {
      await rest();
      const found = await this.#home.all(SQL.page, after, PAGE, now - RECENT_MS, now - KEPT_TWICE_MS);
      const due = found.filter(([, , isDue]) => isDue === true);
      const fresh = due.filter(([, isNew]) => isNew === true).map(([id]) => id as Id);
      if (fresh.length > 0 && rooms.isAny) {
        const places = fresh.map(() => rooms.next());
        // A while before anything is copied: what removes history just now sees the place first, or is over by then.
        const placed = this.#home.write((session) => session.run(SQL.place, fresh, places, now));
        report.placed += await placed.catch((error: unknown) => {
          onError(error);
          return 0;
        });
      }
      for (const [id, , , place] of due.filter(([, isNew]) => isNew !== true)) {
        if (away.has(place as string)) continue;
        try {
          const { freed, copied } = await carryOlder(ports, id as Id, now);
          report.freed += freed;
          report.copied += copied;
        } catch (error) {
          if (storageTrouble(error) === 'unavailable') away.add(place as string);
          onError(error);
        }
      }
      const last = found.at(-1);
      if (last === undefined) return report;
      after = last[0] as string;
    }
  }

  /** Gives out the groups that have the least in them. */
  async #rooms(
    isWanted: (name: string) => boolean,
    onError: (error: unknown) => void = () => undefined,
  ): Promise<{ readonly isAny: boolean; next(): string }> {
    const waiting = new Map(
      (await this.#home.all(SQL.empty)).map(([name, n]) => [name as string, Number(n)]),
    );
    const rooms: { name: string; bytes: number }[] = [];
    for (const name of this.names.filter(isWanted)) {
      try {
        const expected = EXPECTED_BYTES * (waiting.get(name) ?? 0);
        rooms.push({ name, bytes: (await this.#groups.bytes(name)) + expected });
      } catch (error) {
        onError(error);
      }
    }
    return {
      isAny: rooms.length > 0,
      next() {
        const [first, ...others] = rooms;
        if (first === undefined) throw new Error('No other group of the history can be reached.');
        const least = others.reduce((best, room) => (room.bytes < best.bytes ? room : best), first);
        least.bytes += EXPECTED_BYTES;
        return least.name;
      },
    };
  }
}
