// The rows as they were: a picture over the present ones that goes back write by write, by what each of them replaced. The
// server's history says that register by register; this device's journal as the operations that would take it back, which
// go through the same `apply` as all others. It costs what was changed, however many rows there are. Nothing is written.
import type { Id } from '#core/ids.ts';
import { apply, type ApplyContext, type ApplyState } from './apply.ts';
import type { Action } from './operation.ts';
import { keyAt, type Sibling } from './placement.ts';
import { placeOf } from './row-reading.ts';
import type { Replica, RowChange } from './replica-types.ts';
import { PREDICTED, type Fields, type Row } from './row.ts';
import { SiblingIndex } from './sibling-index.ts';

/** What one write replaced. */
export type Replaced =
  /** Registers as they were, null for the default; of an entity that did not exist, null. */
  | { readonly registers: readonly { readonly id: Id; readonly fields: Fields | null }[] }
  /** What takes it back, in the order to be made; `created`: what did not exist before. */
  | { readonly inverses: readonly Action[]; readonly created: ReadonlySet<Id> };

/** Whoever goes back has seen everything: the past is what it was. */
const WRITER = { version: PREDICTED, time: 0, device: -1, base: PREDICTED, account: 0 };

const anything = () => null;

function unconditional(action: Action): Action {
  if (!('only' in action)) return action;
  const { only: _only, ...plain } = action;
  return plain as Action;
}

export class Past implements ApplyState {
  readonly checks = { register: anything, creation: anything };
  readonly #now: Pick<Replica, 'row' | 'children' | 'scope'>;
  readonly #rows = new Map<Id, Row | undefined>();
  readonly #siblings = new SiblingIndex();
  readonly #families = new Set<Id>();
  #step = new Map<Id, Row | undefined>();
  #writes = 0;

  /** `now` must not change while this is used: then another one is made. */
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

  /** Goes back behind one write. */
  takeBack(replaced: Replaced): void {
    if ('registers' in replaced) {
      for (const { id, fields } of replaced.registers) this.#putRegisters(id, fields);
      return;
    }
    for (const inverse of replaced.inverses) this.#make(inverse);
    for (const id of replaced.created) this.#put(id, undefined);
  }

  /** What changed since this was last asked: `before` is newer, `after` older. */
  endStep(): RowChange[] {
    const step = this.#step;
    this.#step = new Map();
    return [...step].flatMap(([id, before]) => {
      const after = this.row(id);
      return before === after ? [] : [{ id, before, after }];
    });
  }

  /** Makes known changes again, without reckoning. */
  replay(changes: readonly RowChange[]): void {
    for (const { id, after } of changes) this.#put(id, after);
    this.#step = new Map();
  }

  #make(inverse: Action): void {
    // Where something stood in the trash it stood, and nobody has to find a living place for it.
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
    // What is gone for good has no history either.
    if (row === undefined) return;
    if (fields === null) {
      this.#put(id, undefined);
      return;
    }
    const given = Object.entries({ ...row.fields, ...fields }).filter(([, value]) => value !== null);
    this.#put(id, { ...row, fields: Object.fromEntries(given) });
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

  /** Those under a parent are kept in order from here on: the first that changes costs as much as there are. */
  #adopt(parent: Id): void {
    if (this.#families.has(parent)) return;
    this.#families.add(parent);
    for (const row of this.#now.children(parent)) this.#siblings.append(row);
  }
}
