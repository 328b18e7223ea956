// The existing labels and label groups of every scope, in order, and the rules for names. Tasks store the labels they carry;
// manager.ts changes labels, label-scopes.ts says which of them a task can have.
import { type Id, labelsRoot, settingId } from '#core/ids.ts';
import type { Replica } from '#sync/replica/replica-types.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import { isTrashed, placeOf } from '#sync/rows/row-reading.ts';

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

type Reads = Pick<Replica, 'row' | 'children' | 'scope' | 'scopes'>;

/** Labels without a group first, then each group with its labels; one's own, or those of a shared list's scope. */
export function shelves(replica: Reads, scope = replica.scope): readonly Shelf[] {
  const living = (parent: Id) => replica.children(parent).filter((row) => !isTrashed(row));
  const top = living(labelsRoot(scope));
  const labelsIn = (rows: readonly Row[]) => rows.filter(({ type }) => type === 'label');
  const groups = top.filter(({ type }) => type === 'labelGroup');
  return [
    { group: null, labels: labelsIn(top) },
    ...groups.map((group) => ({ group, labels: labelsIn(living(group.id)) })),
  ];
}

/** The living labels of a scope in their order, each with its group. */
export function labelsIn(replica: Reads, scope: Id): readonly LabelEntry[] {
  return shelves(replica, scope).flatMap(({ group, labels }) => labels.map((row) => ({ row, group })));
}

/** The setting with one's own key of a label of a shared list. */
export const keySetting = (label: Id): string => `label-key:${label}`;

/** One's own key of a label, as it was typed; undefined: it has none. */
export function hotkeyOf(replica: Pick<Replica, 'row' | 'scope'>, label: Row): string | undefined {
  if (label.scope === replica.scope) return fieldOf(label, 'hotkey');
  const key = fieldOf(replica.row(settingId(replica.scope, keySetting(label.id))), 'value');
  return typeof key === 'string' ? key : undefined;
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
