// Labels of encrypted lists on tasks that are somewhere else by now, as their list became private or they were moved. No server reads the names of such
// labels, so a device gives the task the label of the same name of the place where it is, and makes one where there is none.
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
import { fieldOf, type Row } from '#sync/rows/row.ts';
import type { DeviceMeta } from '#sync/replica/ports.ts';
import type { Replica, RowChange } from '#sync/replica/replica-types.ts';
import { definePart, type PartHooks } from '../app/part.ts';
import type { Program } from '../app/program.ts';
import { groupOf, labelName, labelsIn } from './catalog.ts';
import { scopeOfTask } from './label-scopes.ts';

type Reads = Pick<Replica, 'row' | 'children' | 'scope' | 'scopes'>;
/** Encrypted lists by their scopes, and whether they open here. */
type Lists = NonNullable<DeviceMeta['lists']>;

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
export function strayLabels(replica: Reads, tasks: Iterable<Row>, lists: Lists): readonly Action[] {
  const made = new Map<string, { readonly id: Id; readonly make: Action | null } | null>();
  const actions: Action[] = [];
  for (const task of tasks) {
    const { scope } = task;
    if (task.type !== 'task' || lists[scope] === 'locked') continue;
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

  constructor(program: Program) {
    this.#program = program;
    void program.engine.loaded().then(() => this.#look());
  }

  #look(): void {
    if (this.#program.engine.facts().lists === undefined) return;
    for (const { id, type } of this.#program.replica.all()) if (type === 'task') this.#note(id);
  }

  apply(changes: readonly RowChange[]): void {
    if (this.#program.engine.facts().lists === undefined) return;
    for (const { after } of changes) if (after?.type === 'task') this.#note(after.id);
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
    const actions = strayLabels(replica, tasks, program.engine.facts().lists ?? {});
    if (actions.length > 0) program.change(actions, 'labels of where tasks are', { undoable: false });
  }
}

/** Gives tasks the labels of where they are. */
export const strayLabelsPart = definePart({
  name: 'Labels of encrypted lists elsewhere',
  create: (program) => new StrayLabels(program),
});
