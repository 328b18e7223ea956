// Queries over given rows, without a running app: what the server holds of an account, an export, a file. Changes keep
// it up to date if it lives on. The language itself is in core/search; a running app has its own query context.
import type { PhraseContext } from '#core/dates/reader.ts';
import type { Id } from '#core/ids.ts';
import type { RowChange } from '../replica/replica-types.ts';
import type { Row } from '../rows/row.ts';
import { isTrashed, placeOf } from '../rows/row-reading.ts';
import { Asking, type Asked } from './asking.ts';
import { TaskIndex } from './task-index.ts';
import type { RowSource, World } from './world.ts';
import { rowAndAbove } from '../rows/ancestors.ts';

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
    for (const row of rowAndAbove(this.#rows.get(id), (at) => this.#rows.get(at))) {
      if (isTrashed(row)) return true;
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

/** Answers queries over a set of rows: a person's scope and the scopes shared with them. */
export class RowTable {
  readonly #table: Table;
  readonly #asking: Asking;
  readonly #world: World;

  /** `context` gives the moment, the zone and the habits for reading words for days, anew for every query. */
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

  /** Takes in changes, at a cost proportional to them. */
  apply(changes: readonly RowChange[]): void {
    for (const { id, after } of changes) {
      if (after) this.#table.put(after);
      else this.#table.drop(id);
    }
    this.#world.index.apply(changes);
    this.#asking.apply(changes);
  }

  /**
   * Never fails: `query.problems` names what was not understood, and then nothing matches; `question.unknown` lists
   * names that do not exist.
   */
  ask(text: string): Asked {
    return this.#asking.ask(text);
  }

  /** Matching tasks, in the order and number that the query asks for; without `sort:` open ones first. */
  find(asked: Asked): Id[] {
    return this.#asking.find(asked);
  }

  /** Whether one task matches. */
  matches(asked: Asked, id: Id): boolean {
    const slot = this.#world.index.slotOf(id);
    return slot !== undefined && asked.matches(slot);
  }
}
