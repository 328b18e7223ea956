// Rows at hand that queries are asked of, without a running app: what the server holds of an account, an export, a file.
// Kept up by changes where it is kept at all. The language itself is core/search; a running app has a world of its own.
import type { PhraseContext } from '#core/dates/reader.ts';
import type { Id } from '#core/ids.ts';
import type { RowChange } from '../replica-types.ts';
import type { Row } from '../row.ts';
import { isTrashed, placeOf } from '../row-reading.ts';
import { Asking, type Asked } from './asking.ts';
import { TaskIndex } from './task-index.ts';
import type { RowSource, World } from './world.ts';

class Table implements RowSource {
  readonly scope: Id;
  readonly #rows = new Map<Id, Row>();
  readonly #children = new Map<Id, Row[]>();

  constructor(scope: Id, rows: Iterable<Row>) {
    this.scope = scope;
    for (const row of rows) this.#add(row);
  }

  row(id: Id): Row | undefined {
    return this.#rows.get(id);
  }

  children(parent: Id): readonly Row[] {
    return this.#children.get(parent) ?? [];
  }

  all(): Iterable<Row> {
    return this.#rows.values();
  }

  isHidden(id: Id): boolean {
    for (let row = this.#rows.get(id); row !== undefined;) {
      if (isTrashed(row)) return true;
      const parent = placeOf(row)?.parent;
      row = parent === undefined ? undefined : this.#rows.get(parent);
    }
    return false;
  }

  put(row: Row): void {
    this.drop(row.id);
    this.#add(row);
  }

  drop(id: Id): void {
    const parent = placeOf(this.#rows.get(id))?.parent;
    this.#rows.delete(id);
    const siblings = parent === undefined ? undefined : this.#children.get(parent);
    if (parent === undefined || !siblings) return;
    const left = siblings.filter((row) => row.id !== id);
    if (left.length > 0) this.#children.set(parent, left);
    else this.#children.delete(parent);
  }

  #add(row: Row): void {
    this.#rows.set(row.id, row);
    const parent = placeOf(row)?.parent;
    if (parent === undefined) return;
    const siblings = this.#children.get(parent);
    if (siblings) siblings.push(row);
    else this.#children.set(parent, [row]);
  }
}

/** Answers queries over some rows: those of a person's scope and of the scopes that are shared with them. */
export class RowTable {
  readonly #table: Table;
  readonly #asking: Asking;
  readonly #world: World;

  /** `context` gives the moment, the zone and the habits that words for days are read with, anew for every query. */
  constructor(scope: Id, rows: Iterable<Row>, context: () => PhraseContext) {
    const table = new Table(scope, rows);
    this.#table = table;
    this.#world = {
      replica: table,
      index: new TaskIndex(table),
      facts: { isHidden: (id) => table.isHidden(id) },
      showsSnoozed: () => false,
      context,
    };
    this.#asking = new Asking(this.#world);
  }

  /** Takes over what has changed. Work is that of the changes. */
  apply(changes: readonly RowChange[]): void {
    for (const { id, after } of changes) {
      if (after) this.#table.put(after);
      else this.#table.drop(id);
    }
    this.#world.index.apply(changes);
    this.#asking.apply(changes);
  }

  /** Never fails: `query.problems` and `question.unknown` say what was not understood and is left out. */
  ask(text: string): Asked {
    return this.#asking.ask(text);
  }

  /** Tasks that match, in the order and as many as the query says; without `sort:` open ones first. */
  find(asked: Asked): Id[] {
    return this.#asking.find(asked);
  }

  /** Whether one task is among what is asked for. */
  matches(asked: Asked, id: Id): boolean {
    const slot = this.#world.index.slotOf(id);
    return slot !== undefined && asked.matches(slot);
  }
}
