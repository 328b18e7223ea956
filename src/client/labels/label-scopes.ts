// Labels by scope: which of them a task can have, which of them stand for each other, and what the lists are called that they belong
// to. Not needed before a dialog about labels opens.
import { listsRoot, type Id } from '#core/ids.ts';
import { fold } from '#core/search/fold.ts';
import { walkUp } from '#core/walk-up.ts';
import type { Replica } from '#sync/replica/replica-types.ts';
import { counterpartOf, isLabelPrivate, labelNameKey, labelRegister } from '#sync/rows/label-mapping.ts';
import { registersOf, type Row } from '#sync/rows/row.ts';
import { nameOf, placeOf } from '#sync/rows/row-reading.ts';
import type { Workspace } from '../app/workspace.ts';
import { groupOf, isExclusive, isLivingLabel, labelName, labelsIn, type LabelEntry } from './catalog.ts';

type Reads = Pick<Replica, 'row' | 'children' | 'scope' | 'scopes'>;

/** One's own scope, and those in which there is a list: that of a list which is private again holds labels that nobody needs for a while yet. */
export function labelScopes(replica: Reads): readonly Id[] {
  const hasList = (scope: Id) => replica.children(listsRoot(scope)).some(({ type }) => type === 'list');
  return replica.scopes.filter((scope) => scope === replica.scope || hasList(scope));
}

/** The labels of all scopes, one's own first: of other scopes those with names of their own, as a search finds them by their names. */
export function allLabels(replica: Reads): readonly LabelEntry[] {
  const names = new Set<string>();
  return labelScopes(replica).flatMap((scope) =>
    labelsIn(replica, scope).filter(({ row }) => {
      const { size } = names;
      return names.add(fold(labelName(row))).size > size || scope === replica.scope;
    }),
  );
}

/** The scope that a task is in, or will be when the server has heard where it was put: that of its list. */
export function scopeOfTask(replica: Pick<Replica, 'row'>, task: Row): Id {
  let found = task.scope;
  for (const id of walkUp(task.id, (at) => placeOf(replica.row(at))?.parent)) {
    const row = replica.row(id);
    if (row === undefined) break;
    found = row.scope;
    if (row.type === 'list') break;
  }
  return found;
}

/** The task is in a shared list, or will be when the server has heard where it was put. */
export const isOfShared = (replica: Pick<Replica, 'row' | 'scope'>, task: Row): boolean =>
  scopeOfTask(replica, task) !== replica.scope;

/** The scope of all these tasks; one's own where they are in several, or there are none. */
export function scopeOfTasks(replica: Reads, tasks: readonly Row[]): Id {
  const scopes = new Set(tasks.map((task) => scopeOfTask(replica, task)));
  const [only = replica.scope] = scopes;
  return scopes.size === 1 ? only : replica.scope;
}

/**
 * The labels that these tasks can have: those of their scope, and one's own private ones. Of several scopes each name once; without
 * tasks, every name.
 */
export function labelsFor(replica: Reads, tasks: readonly Row[]): readonly LabelEntry[] {
  if (tasks.length === 0) return allLabels(replica);
  const scopes = new Set(tasks.map((task) => scopeOfTask(replica, task)));
  const isAtHome = scopes.delete(replica.scope);
  const own = labelsIn(replica, replica.scope).filter(
    ({ row, group }) => isAtHome || isLabelPrivate({ row, group: group ?? undefined }),
  );
  const names = new Set(own.map(({ row }) => labelNameKey(row)));
  const others = [...scopes].flatMap((scope) => {
    const found = labelsIn(replica, scope).filter(({ row }) => !names.has(labelNameKey(row)));
    for (const { row } of found) names.add(labelNameKey(row));
    return found;
  });
  return isAtHome ? [...own, ...others] : [...others, ...own];
}

/** The label of a scope that stands for this one, by the rule of the server; itself where there is none, and where it is private. */
export function labelInScope(replica: Reads, label: Row, scope: Id): Id {
  const parent = placeOf(label)?.parent;
  const group = parent === undefined ? undefined : replica.row(parent);
  if (label.scope === scope || isLabelPrivate({ row: label, group })) return label.id;
  const labels = labelsIn(replica, scope).map(({ row }) => ({ row, group: undefined }));
  return counterpartOf(labelNameKey(label), { scope, labels, twins: new Set() }) ?? label.id;
}

/** The labels on a task that are this one, or that stand for it: a task that has just moved still has those of before. */
export function carriedAs(
  { workspace, replica }: { readonly workspace: Workspace; readonly replica: Reads },
  task: Row,
  label: Id,
): readonly Id[] {
  const fields = registersOf(task);
  const own = workspace.facts.ownLabelsOf(task.id);
  const found = fields[labelRegister(label)] === true || own.includes(label) ? [label] : [];
  if (replica.scopes.length === 1) return found;
  const wanted = replica.row(label);
  if (wanted?.type !== 'label') return found;
  for (const register in fields) {
    if (!register.startsWith('label:') || fields[register] !== true) continue;
    const other = replica.row(register.slice('label:'.length) as Id);
    const isOfOther = isLivingLabel(replica, other) && other.scope !== wanted.scope;
    if (isOfOther && labelNameKey(other) === labelNameKey(wanted)) found.push(other.id);
  }
  return found;
}

/** Whether a task carries a label, or what stands for it, shared or private. */
export function carries(
  program: { readonly workspace: Workspace; readonly replica: Reads },
  task: Row,
  label: Id,
): boolean {
  return carriedAs(program, task, label).length > 0;
}

/** Other labels of the same exclusive group that a task carries. */
export function replacedBy(
  program: { readonly workspace: Workspace; readonly replica: Reads },
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

/** The name of the list of a scope that is shared; null: it is one’s own scope. */
export function listOfScope(replica: Pick<Replica, 'all' | 'children' | 'scope'>, scope: Id): string | null {
  if (scope === replica.scope) return null;
  const isList = (row: Row) => row.type === 'list' && row.scope === scope;
  const [list] = replica.children(listsRoot(scope)).filter(isList);
  if (list !== undefined) return nameOf(list);
  for (const row of replica.all()) if (isList(row)) return nameOf(row);
  return '';
}
