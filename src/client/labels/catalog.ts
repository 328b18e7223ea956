// The existing labels and label groups, in order, and the rules for names. Tasks store the labels they carry;
// manager.ts changes labels.
import { type Id, labelsRoot } from '#core/ids.ts';
import type { Replica } from '#sync/replica/replica-types.ts';
import { registersOf, fieldOf, type Row } from '#sync/rows/row.ts';
import { isTrashed, placeOf } from '#sync/rows/row-reading.ts';
import type { Workspace } from '../app/workspace.ts';

export interface LabelEntry {
  readonly row: Row;
  /** The group it is in. */
  readonly group: Row | null;
}

export interface Shelf {
  /** Null: labels without a group. */
  readonly group: Row | null;
  readonly labels: readonly Row[];
}

type Reads = Pick<Replica, 'row' | 'children' | 'scope'>;

/** Labels without a group first, then each group with its labels. */
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

/** All living labels in their order, each with its group. */
export function allLabels(replica: Reads): readonly LabelEntry[] {
  return shelves(replica).flatMap(({ group, labels }) => labels.map((row) => ({ row, group })));
}

/** Whether neither the label nor its group is deleted. */
export function isLivingLabel(replica: Pick<Replica, 'row'>, row: Row | undefined): row is Row {
  if (row?.type !== 'label' || isTrashed(row)) return false;
  const parent = placeOf(row)?.parent;
  return parent === undefined || !isTrashed(replica.row(parent));
}

/** The name of a label or group; empty for a missing row. */
export function labelName(row: Row | undefined): string {
  return fieldOf(row, 'name') ?? '';
}

export function isExclusive(group: Row | null): boolean {
  return fieldOf(group, 'exclusive') === true;
}

export function groupOf(replica: Pick<Replica, 'row'>, label: Row): Row | null {
  const parent = placeOf(label)?.parent;
  const group = parent === undefined ? undefined : replica.row(parent);
  return group?.type === 'labelGroup' ? group : null;
}

/** Whether a task carries a label, shared or private. */
export function carries({ workspace }: { readonly workspace: Workspace }, task: Row, label: Id): boolean {
  return registersOf(task)[`label:${label}`] === true || workspace.facts.ownLabelsOf(task.id).includes(label);
}

/** Other labels of the same exclusive group that a task carries. */
export function replacedBy(
  program: { readonly workspace: Workspace; readonly replica: Replica },
  label: Row,
  task: Row,
): Row[] {
  const { replica } = program;
  const group = groupOf(replica, label);
  if (!isExclusive(group) || group === null) return [];
  return replica
    .children(group.id)
    .filter((other) => other.id !== label.id && carries(program, task, other.id));
}
