// What others changed in shared lists since the person saw them: which rows, and which lists have any. Pure bookkeeping over rows;
// when something counts as seen is part.ts.
import type { Id } from '#core/ids.ts';
import type { RowChange } from '#sync/replica/replica-types.ts';
import { PREDICTED, type Row, type Stamp } from '#sync/rows/row.ts';

/** Up to where a person has seen a list. */
export interface SeenUpTo {
  /** Version of its scope. */
  readonly version: number;
  /** Milliseconds; for somebody who has never opened it: when they joined. */
  readonly time: number;
}

/** How a device number is known: one of the person's own, somebody else's, or not yet. */
export type Whose = 'own' | 'others' | 'unknown';

export interface UnreadSource {
  readonly scope: Id;
  row(id: Id): Row | undefined;
  whose(device: number): Whose;
  /** Of the list at the top of a scope. */
  seenUpTo(scope: Id): SeenUpTo;
}

const COUNTED: ReadonlySet<string> = new Set(['task', 'list']);
/** Where its own sidebar has a list is for each to say. */
const UNCOUNTED: ReadonlySet<string> = new Set(['place', 'notesDoc']);

export class Unread {
  readonly #source: UnreadSource;
  /** By scope: the unread rows, with the version of what is unread. */
  readonly #rows = new Map<Id, Map<Id, number>>();

  /** Grows with every row that becomes unread. */
  grown = 0;

  constructor(source: UnreadSource) {
    this.#source = source;
  }

  apply(changes: readonly RowChange[]): void {
    for (const { id, before, after } of changes) {
      if (after !== undefined) this.note(after);
      if (before !== undefined && before.scope !== after?.scope) this.#rows.get(before.scope)?.delete(id);
    }
  }

  /** The person has seen the list up to there by now, here or on another device. */
  reconsider(scope: Id): void {
    for (const id of this.#rows.get(scope)?.keys() ?? []) {
      const row = this.#source.row(id);
      if (row) this.note(row);
    }
  }

  /** The row was looked at: it is read, here. */
  look(scope: Id, id: Id): void {
    this.#rows.get(scope)?.delete(id);
  }

  /** Everything in the list was looked at. Returns the version up to which; null: nothing was unread. */
  lookAt(scope: Id): number | null {
    const rows = this.#rows.get(scope);
    if (rows === undefined || rows.size === 0) return null;
    const version = Math.max(...rows.values());
    rows.clear();
    return version;
  }

  /** Unread rows of a list, the list itself among them. */
  in(scope: Id): ReadonlyMap<Id, number> {
    return this.#rows.get(scope) ?? NONE;
  }

  /** Lists with unread rows, by their scopes. */
  get scopes(): readonly Id[] {
    return [...this.#rows].flatMap(([scope, { size }]) => (size > 0 ? [scope] : []));
  }

  /** `seen`: up to where its list was seen, where many rows of one list are noted. */
  note(row: Row, seen?: SeenUpTo): void {
    const { id, scope } = row;
    if (scope === this.#source.scope || !COUNTED.has(row.type)) return;
    const version = this.#versionOf(row, seen ?? this.#source.seenUpTo(scope));
    let rows = this.#rows.get(scope);
    if (rows === undefined) this.#rows.set(scope, (rows = new Map<Id, number>()));
    if (version === 0) rows.delete(id);
    else if (rows.get(id) !== version) {
      rows.set(id, version);
      this.grown += 1;
    }
  }

  /** The newest unread version of a row; 0: there is none. */
  #versionOf(row: Row, seen: SeenUpTo): number {
    let newest = 0;
    const look = ([version, time, device]: Stamp) => {
      if (version === PREDICTED || version <= seen.version || version <= newest || time <= seen.time) return;
      if (this.#source.whose(device) === 'others') newest = version;
    };
    if (row.type !== 'list') look(row.stamp);
    const { stamps } = row;
    for (const register in stamps)
      if (row.type !== 'list' || !UNCOUNTED.has(register)) look(stamps[register] as Stamp);
    return newest;
  }
}

const NONE: ReadonlyMap<Id, number> = new Map();
