// The rows as they were in the past: a view over the current ones that goes back write by write, by the content that
// each replaced. The server's history has it register by register; this device's journal has it as undo operations,
// which go through the same `apply` as all others. The cost depends on the changes, not on the number of rows. Nothing
// is written.
import type { Id } from '#core/ids.ts';
import { apply, type ApplyContext, type ApplyState } from '../rows/apply.ts';
import type { Action } from '../rows/operation.ts';
import { keyAt, type Sibling } from '../rows/placement.ts';
import { placeOf } from '../rows/row-reading.ts';
import type { Replica, RowChange } from './replica-types.ts';
import { withFields, PREDICTED, type Fields, type Row } from '../rows/row.ts';
import { SiblingIndex } from '../rows/sibling-index.ts';

/** The content that one write replaced. */
export type Replaced =
  /** Registers as they were, null for the default; null for an entity that did not exist. */
  | { readonly registers: readonly { readonly id: Id; readonly fields: Fields | null }[] }
  /** Actions that undo the write, in the order to apply them; `created`: ids that did not exist before. */
  | { readonly inverses: readonly Action[]; readonly created: ReadonlySet<Id> };

/** A writer that has seen everything, so that no undo is refused. */
const WRITER = { version: PREDICTED, time: 0, device: -1, base: PREDICTED, account: 0 };

const anything = () => null;

function unconditional(action: Action): Action {
  if (!('only' in action)) return action;
  const { only: _only, ...plain } = action;
  return plain as Action;
}

/** The rows at an earlier moment, reached by undoing one write after another. Only in memory. */
export class Past implements ApplyState {
  readonly checks = { register: anything, creation: anything };
  readonly #now: Pick<Replica, 'row' | 'children' | 'scope'>;
  readonly #rows = new Map<Id, Row | undefined>();
  readonly #siblings = new SiblingIndex();
  readonly #families = new Set<Id>();
  #step = new Map<Id, Row | undefined>();
  #writes = 0;

  /** `now` must not change while this is in use; after a change, make another one. */
  constructor(now: Pick<Replica, 'row' | 'children' | 'scope'>) {
    this.#now = now;
  }

  readonly areKeysProvisional = (): boolean => true;
  readonly absence = (): 'unknown' => 'unknown';

  row(id: Id): Row | undefined {
    return this.#rows.has(id) ? this.#rows.get(id) : this.#now.row(id);
  }

  /** All placed rows under a parent, trashed ones included, in order. Live: do not keep it. */
  children(parent: Id): readonly Row[] {
    return this.#families.has(parent) ? this.#siblings.of(parent) : this.#now.children(parent);
  }

  neighbour(
    parent: Id,
    from: string | null,
    direction: 'ascending' | 'descending',
    skip: Id,
  ): Sibling | undefined {
    this.#adopt(parent);
    return this.#siblings.neighbour(parent, from, direction, skip);
  }

  put(row: Row): void {
    this.#put(row.id, row);
  }

  /** Goes back to before one write. */
  takeBack(replaced: Replaced): void {
    if ('registers' in replaced) {
      for (const { id, fields } of replaced.registers) this.#putRegisters(id, fields);
      return;
    }
    for (const inverse of replaced.inverses) this.#make(inverse);
    for (const id of replaced.created) this.#put(id, undefined);
  }

  /** The changes since the last call: `before` is newer, `after` older. */
  endStep(): RowChange[] {
    const step = this.#step;
    this.#step = new Map();
    return [...step].flatMap(([id, before]) => {
      const after = this.row(id);
      return before === after ? [] : [{ id, before, after }];
    });
  }

  /** Applies known changes again, without computing them. */
  replay(changes: readonly RowChange[]): void {
    for (const { id, after } of changes) this.#put(id, after);
    this.#step = new Map();
  }

  #make(inverse: Action): void {
    // A row keeps its place in the trash; it needs no living parent here.
    if (inverse.a === 'place') {
      const { place } = keyAt(this, inverse.id, inverse.place);
      this.#putRegisters(inverse.id, { place });
    } else if (inverse.a === 'restore') this.#putRegisters(inverse.id, { del: null });
    else {
      this.#writes += 1;
      const context: ApplyContext = { ...WRITER, scope: this.#now.scope, seq: this.#writes };
      apply(this, unconditional(inverse), context);
    }
  }

  #putRegisters(id: Id, fields: Fields | null): void {
    const row = this.row(id);
    // Purged rows have no history.
    if (row === undefined) return;
    if (fields === null) {
      this.#put(id, undefined);
      return;
    }
    const given = Object.entries({ ...row.fields, ...fields }).filter(([, value]) => value !== null);
    this.#put(id, withFields(row, Object.fromEntries(given)));
  }

  #put(id: Id, row: Row | undefined): void {
    const before = this.row(id);
    if (!this.#step.has(id)) this.#step.set(id, before);
    for (const one of [before, row]) {
      const parent = one === undefined ? undefined : placeOf(one)?.parent;
      if (parent !== undefined) this.#adopt(parent);
    }
    this.#rows.set(id, row);
    this.#siblings.replace(before, row);
  }

  /**
   * Keeps the children of a parent in order from here on; the first call for a parent costs as much as it has children.
   */
  #adopt(parent: Id): void {
    if (this.#families.has(parent)) return;
    this.#families.add(parent);
    for (const row of this.#now.children(parent)) this.#siblings.append(row);
  }
}
