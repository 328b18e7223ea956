// Labels of encrypted lists on tasks that are somewhere else by now, as their list became private or they were moved. No server reads the names of such
// labels, so a device gives the task the label of the same name of the place where it is, and makes one where there is none. Where others read that
// place, only for tasks that this device has moved itself: a server could say of any task that it has a label, to have its name written there.
import { labelsRoot, type Id } from '#core/ids.ts';
import {
  counterpartOf,
  idsOfCopies,
  isLabelLiving,
  labelNameKey,
  labelRegister,
  labelsNamedOn,
  type GroupedLabel,
} from '#sync/rows/label-mapping.ts';
import { lockedOf } from '#sync/rows/locked.ts';
import type { Action } from '#sync/rows/operation.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import type { DeviceMeta } from '#sync/replica/ports.ts';
import type { ChangeCause, Replica, RowChange } from '#sync/replica/replica-types.ts';
import { definePart, type PartHooks } from '../app/part.ts';
import type { Program } from '../app/program.ts';
import { groupOf, labelName, labelsIn } from './catalog.ts';
import { scopeOfTask } from './label-scopes.ts';

type Reads = Pick<Replica, 'row' | 'children' | 'scope' | 'scopes'>;

/** What is known of the tasks that are looked at. */
interface Known {
  /** Encrypted lists by their scopes, and whether they open here. */
  readonly lists: NonNullable<DeviceMeta['lists']>;
  /** The person’s own tasks are encrypted. */
  readonly isApart: boolean;
  /** Tasks that this device has moved to another scope. */
  readonly moved: ReadonlySet<Id>;
}

/** The label of an encrypted list in another scope, with the action that makes it; null: it stays as it is. */
function thereFor(
  replica: Reads,
  label: Row,
  scope: Id,
): { readonly id: Id; readonly make: Action | null } | null {
  const labels = labelsIn(replica, scope).map(({ row }): GroupedLabel => ({ row, group: undefined }));
  const known = counterpartOf(labelNameKey(label), { scope, labels, twins: new Set() });
  if (known !== undefined) return { id: known, make: null };
  // The same id on every device that does it.
  const id = idsOfCopies(scope, label.id).find((each) => replica.row(each) === undefined);
  if (id === undefined || labelName(label) === '') return null;
  const fields = { name: labelName(label), color: fieldOf(label, 'color') ?? null };
  return { id, make: { a: 'create', id, type: 'label', fields, place: { parent: labelsRoot(scope) } } };
}

/** What gives these tasks the labels of where they are in the place of those of encrypted lists that they have left. */
export function strayLabels(
  replica: Reads,
  tasks: Iterable<Row>,
  { lists, isApart, moved }: Known,
): readonly Action[] {
  const made = new Map<string, { readonly id: Id; readonly make: Action | null } | null>();
  const actions: Action[] = [];
  for (const task of tasks) {
    const { scope } = task;
    if (task.type !== 'task' || lists[scope] === 'locked') continue;
    const isForNobodyElse = isApart && scope === replica.scope;
    if (!isForNobodyElse && !moved.has(task.id)) continue;
    for (const { label: id, isOn } of labelsNamedOn(task)) {
      const label = isOn ? replica.row(id) : undefined;
      if (label?.type !== 'label' || label.scope === scope || lists[label.scope] !== 'open') continue;
      const isReadable = lockedOf(label)?.['name'] === undefined;
      const isLiving = isLabelLiving({ row: label, group: groupOf(replica, label) ?? undefined });
      // One whose move the server hasn't heard of gets its labels with the move.
      if (!isReadable || !isLiving || scopeOfTask(replica, task) !== scope) continue;
      const key = `${scope} ${id}`;
      const there = made.has(key) ? made.get(key) : thereFor(replica, label, scope);
      if (!made.has(key) && there?.make) actions.push(there.make);
      made.set(key, there ?? null);
      if (!there) continue;
      actions.push({ a: 'set', id: task.id, field: labelRegister(there.id), value: true });
      actions.push({ a: 'set', id: task.id, field: labelRegister(id), value: null });
    }
  }
  return actions;
}

class StrayLabels implements PartHooks {
  readonly #program: Program;
  readonly #changed = new Set<Id>();
  /** Tasks that were moved to another scope here, with all beneath them. */
  readonly #moved = new Set<Id>();

  constructor(program: Program) {
    this.#program = program;
    void program.engine.loaded().then(() => this.#look());
  }

  #look(): void {
    if (this.#program.engine.facts().lists === undefined) return;
    for (const { id, type } of this.#program.replica.all()) if (type === 'task') this.#note(id);
  }

  apply(changes: readonly RowChange[], cause: ChangeCause): void {
    if (this.#program.engine.facts().lists === undefined) return;
    for (const { before, after } of changes) {
      if (after?.type !== 'task') continue;
      if (cause === 'local' && placeOf(before)?.parent !== placeOf(after)?.parent) this.#noteMove(after);
      this.#note(after.id);
    }
  }

  #noteMove(task: Row): void {
    const { replica } = this.#program;
    if (scopeOfTask(replica, task) === task.scope) return;
    const waiting = [task.id];
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      this.#moved.add(id);
      for (const row of replica.children(id)) if (row.type === 'task') waiting.push(row.id);
    }
  }

  #note(id: Id): void {
    this.#changed.add(id);
    if (this.#changed.size === 1) this.#program.later(() => this.#settle());
  }

  #settle(): void {
    const program = this.#program;
    const { replica } = program;
    const tasks = [...this.#changed].flatMap((id) => replica.row(id) ?? []);
    this.#changed.clear();
    const { lists = {}, isApart } = program.engine.facts();
    const actions = strayLabels(replica, tasks, { lists, isApart, moved: this.#moved });
    if (actions.length > 0) program.change(actions, 'labels of where tasks are', { undoable: false });
  }
}

/** Gives tasks the labels of where they are. */
export const strayLabelsPart = definePart({
  name: 'Labels of encrypted lists elsewhere',
  create: (program) => new StrayLabels(program),
});
