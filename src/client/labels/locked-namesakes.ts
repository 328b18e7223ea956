// Labels that were made while others didn't open here: a name that is typed then may be that of a locked label, which nobody could know. Once that one opens,
// what was made in its place goes into it, so that no label is there twice.
import type { Id } from '#core/ids.ts';
import { labelRegister } from '#sync/rows/label-mapping.ts';
import { lockedOf } from '#sync/rows/locked.ts';
import type { Action } from '#sync/rows/operation.ts';
import { registersOf, type Row, type StoredRow } from '#sync/rows/row.ts';
import type { ChangeCause, Replica, RowChange } from '#sync/replica/replica-types.ts';
import { definePart, type PartHooks } from '../app/part.ts';
import type { Program } from '../app/program.ts';
import { isLivingLabel, labelName, labelsIn } from './catalog.ts';
import { same } from './creating.ts';
import { isPrivate } from './visibility.ts';

type Reads = Pick<Replica, 'row' | 'all' | 'children' | 'scope' | 'scopes'>;

const isLocked = (row: StoredRow | null | undefined): boolean => lockedOf(row)?.['name'] !== undefined;

/** Whether a label of the scope doesn't open, as far as this device has it. */
const hasLocked = (replica: Reads, scope: Id): boolean =>
  labelsIn(replica, scope).some(({ row }) => isLocked(row));

/** The label that stood there under the same name; undefined: none, or none that opens. */
function namesakeOf(replica: Reads, label: Row, made: ReadonlySet<Id>): Row | undefined {
  return labelsIn(replica, label.scope)
    .map(({ row }) => row)
    .filter((row) => !made.has(row.id) && !isLocked(row) && isPrivate(row) === isPrivate(label))
    .find((row) => same(labelName(row), labelName(label)));
}

/** What puts labels of before in the place of those that were made beside them, and deletes these. */
export function withNamesakes(replica: Reads, made: ReadonlySet<Id>): readonly Action[] {
  const actions: Action[] = [];
  for (const id of made) {
    const label = replica.row(id);
    const there = isLivingLabel(replica, label) ? namesakeOf(replica, label, made) : undefined;
    if (there === undefined) continue;
    for (const row of replica.all())
      if (registersOf(row)[labelRegister(id)] === true)
        actions.push(
          { a: 'set', id: row.id, field: labelRegister(there.id), value: true },
          { a: 'set', id: row.id, field: labelRegister(id), value: null },
        );
    actions.push({ a: 'delete', id });
  }
  return actions;
}

class LockedNamesakes implements PartHooks {
  readonly #program: Program;
  /** Labels that were made here while others of their scope were locked. */
  readonly #made = new Set<Id>();
  #isWaiting = false;

  constructor(program: Program) {
    this.#program = program;
    void program.engine.loaded().then(() => this.#look());
  }

  /** Of what was made before this start, what still waits for the key. */
  #look(): void {
    for (const operation of this.#program.engine.facts().pending)
      if (operation.a === 'create' && operation.type === 'label') this.#note(operation.id);
    this.#settleLater();
  }

  #note(id: Id): void {
    const { replica } = this.#program;
    const label = replica.row(id);
    if (label !== undefined && hasLocked(replica, label.scope)) this.#made.add(id);
  }

  apply(changes: readonly RowChange[], cause: ChangeCause): void {
    for (const { before, after } of changes) {
      if (after?.type !== 'label') continue;
      if (cause === 'local' && !before) this.#note(after.id);
      else if (isLocked(before) && !isLocked(after)) this.#settleLater();
    }
  }

  #settleLater(): void {
    if (this.#isWaiting || this.#made.size === 0) return;
    this.#isWaiting = true;
    this.#program.later(() => {
      this.#isWaiting = false;
      this.#settle();
    });
  }

  #settle(): void {
    const program = this.#program;
    const { replica } = program;
    const actions = withNamesakes(replica, this.#made);
    if (actions.length > 0) program.change(actions, 'labels that were made twice', { undoable: false });
    for (const id of this.#made) {
      const label = replica.row(id);
      if (!isLivingLabel(replica, label) || !hasLocked(replica, label.scope)) this.#made.delete(id);
    }
  }
}

/** Puts labels that were made while others were locked into those of the same name. */
export const lockedNamesakes = definePart({
  name: 'Labels made while others were locked',
  create: (program) => new LockedNamesakes(program),
});
