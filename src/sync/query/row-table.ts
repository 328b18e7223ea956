// Queries over given rows, without a running app: what the server holds of an account, an export, a file. Changes keep
// it up to date if it lives on. The language itself is in core/search; a running app has its own query context.
import type { PhraseContext } from '#core/dates/reader.ts';
import type { Id } from '#core/ids.ts';
import { Composition } from '../mounts/composition.ts';
import type { ChangeCause, RowChange } from '../replica/replica-types.ts';
import type { Row } from '../rows/row.ts';
import { isTrashed, placeOf } from '../rows/row-reading.ts';
import { Asking, type Asked } from './asking.ts';
import { TaskIndex } from './task-index.ts';
import type { RowSource, World } from './world.ts';
import { rowAndAbove } from '../rows/ancestors.ts';

/** Rows as they are stored. */
class Table implements RowSource {
  readonly scope: Id;
  readonly #rows = new Map<Id, Row>();
  readonly #children = new Map<Id, Row[]>();
  readonly #members = new Map<Id, Row>();
  readonly #listeners: ((changes: readonly RowChange[], cause: ChangeCause) => void)[] = [];

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

  /** The people of shared lists. */
  *people(): Iterable<{ readonly account: number; readonly name: string }> {
    for (const row of this.#members.values())
      if (row.type === 'member') yield { account: row.fields.account, name: row.fields.name ?? '' };
  }

  subscribe(listener: (changes: readonly RowChange[], cause: ChangeCause) => void): () => void {
    this.#listeners.push(listener);
    return () => undefined;
  }

  apply(changes: readonly RowChange[]): void {
    for (const { id, after } of changes) {
      if (after) this.put(after);
      else this.drop(id);
    }
    for (const listener of this.#listeners) listener(changes, 'remote');
  }

  put(row: Row): void {
    this.drop(row.id);
    this.#add(row);
  }

  drop(id: Id): void {
    const parent = placeOf(this.#rows.get(id))?.parent;
    this.#rows.delete(id);
    this.#members.delete(id);
    const siblings = parent === undefined ? undefined : this.#children.get(parent);
    if (parent === undefined || !siblings) return;
    const left = siblings.filter((row) => row.id !== id);
    if (left.length > 0) this.#children.set(parent, left);
    else this.#children.delete(parent);
  }

  #add(row: Row): void {
    if (row.type === 'member') this.#members.set(row.id, row);
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

  /**
   * `context` gives the moment, the zone and the habits for reading words for days, anew for every query; `account` is the number
   * of the person who searches.
   */
  constructor(scope: Id, rows: Iterable<Row>, context: () => PhraseContext, account = 0) {
    const table = new Table(scope, rows);
    this.#table = table;
    const seen = new Composition(table);
    const source: RowSource = {
      scope,
      row: (id) => seen.row(id),
      children: (parent) => seen.children(parent),
      all: () => seen.all(),
    };
    const isHidden = (id: Id): boolean => {
      for (const row of rowAndAbove(seen.row(id), (at) => seen.row(at))) if (isTrashed(row)) return true;
      return false;
    };
    const index = new TaskIndex(source);
    seen.subscribe((changes) => {
      index.apply(changes);
      this.#asking.apply(changes);
    });
    this.#world = {
      replica: source,
      index,
      facts: { isHidden },
      showsSnoozed: () => false,
      people: () => table.people(),
      account,
      context,
    };
    this.#asking = new Asking(this.#world);
  }

  /** Takes in changes, at a cost proportional to them. */
  apply(changes: readonly RowChange[]): void {
    this.#table.apply(changes);
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
