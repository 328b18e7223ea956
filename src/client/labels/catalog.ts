// The labels and label groups there are, in their order, and what a name must be. Who carries which label is on the tasks;
// changing labels is manager.ts.
import { type Id, labelsRoot } from '#core/ids.ts';
import type { Replica } from '#sync/replica-types.ts';
import type { Row } from '#sync/row.ts';
import { isTrashed, placeOf } from '#sync/row-reading.ts';
import type { Program } from '../program.ts';

export interface LabelEntry {
  readonly row: Row;
  /** The group it stands in. */
  readonly group: Row | null;
}

export interface Shelf {
  /** Null: labels of no group. */
  readonly group: Row | null;
  readonly labels: readonly Row[];
}

type Reads = Pick<Replica, 'row' | 'children' | 'scope'>;

/** Labels without a group first, then each group with its own. */
export function shelves(replica: Reads): readonly Shelf[] {
  const living = (parent: Id) => replica.children(parent).filter((row) => !isTrashed(row));
  const top = living(labelsRoot(replica.scope));
  const labelsIn = (rows: readonly Row[]) => rows.filter(({ type }) => type === 'label');
  const groups = top.filter(({ type }) => type === 'labelGroup');
  return [
    { group: null, labels: labelsIn(top) },
    ...groups.map((group) => ({ group, labels: labelsIn(living(group.id)) })),
  ];
}

export function allLabels(replica: Reads): readonly LabelEntry[] {
  return shelves(replica).flatMap(({ group, labels }) => labels.map((row) => ({ row, group })));
}

/** Neither the label nor its group is deleted. */
export function isLivingLabel(replica: Pick<Replica, 'row'>, row: Row | undefined): row is Row {
  if (row?.type !== 'label' || isTrashed(row)) return false;
  const parent = placeOf(row)?.parent;
  return parent === undefined || !isTrashed(replica.row(parent));
}

export function labelName(row: Row | undefined): string {
  return (row?.fields.name as string | undefined) ?? '';
}

export function isExclusive(group: Row | null): boolean {
  return group?.fields.exclusive === true;
}

export function groupOf(replica: Pick<Replica, 'row'>, label: Row): Row | null {
  const parent = placeOf(label)?.parent;
  const group = parent === undefined ? undefined : replica.row(parent);
  return group?.type === 'labelGroup' ? group : null;
}

/** Whether a task carries a label, for everybody or for this person alone. */
export function carries({ workspace }: Pick<Program, 'workspace'>, task: Row, label: Id): boolean {
  return task.fields[`label:${label}`] === true || workspace.facts.ownLabelsOf(task.id).includes(label);
}

/** Labels of the same exclusive group that a task carries beside `label`. */
export function replacedBy(program: Pick<Program, 'workspace' | 'replica'>, label: Row, task: Row): Row[] {
  const { replica } = program;
  const group = groupOf(replica, label);
  if (!isExclusive(group) || group === null) return [];
  return replica
    .children(group.id)
    .filter((other) => other.id !== label.id && carries(program, task, other.id));
}
