// A list on its way out of a sealed scope: which of its rows, and of the labels on its tasks, are still sealed. It leaves once none is, as
// nobody else could read it.
import type { Id } from '#core/ids.ts';
import { isListGeneration } from '#core/sealing/keys.ts';
import { isLabelPrivate, labelsNamedOn } from '#sync/rows/label-mapping.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import { isKnown, type Row } from '#sync/rows/row.ts';
import { listsOn, neverSealed, openForm, type ScopeSealing } from '#sync/sealing/scope-state.ts';
import { sealingLimits } from '#wire/sealing.ts';
import type { ScopeRecord, WriteTransaction } from '../data/store.ts';
import { leftOf } from './left-count.ts';
import { isApart } from './pushed-form.ts';

/** A scope that rows leave or enter. */
interface Side {
  readonly before: Pick<ScopeRecord, 'sealing'>;
}

type Reads = Pick<WriteTransaction, 'load' | 'tree'>;

async function rowsOf(tx: Reads, scope: Id, ids: Iterable<Id>): Promise<readonly Row[]> {
  const rows = [...new Set(ids)].map((id) => ({ scope, id }));
  if (rows.length === 0) return [];
  const found = (await tx.load({ rows, ancestors: [], siblings: [] })).rows;
  return [...found.values()].flatMap((each) => (each.type === 'row' && isKnown(each.row) ? [each.row] : []));
}

/** The labels that go along with tasks, and their groups. Private ones stay with their person, as they are. */
async function labelsAlong(tx: Reads, scope: Id, rows: readonly Row[]): Promise<readonly Row[]> {
  const tasks = rows.filter(({ type }) => type === 'task');
  const on = tasks.flatMap((row) => labelsNamedOn(row).flatMap(({ label, isOn }) => (isOn ? [label] : [])));
  const labels = (await rowsOf(tx, scope, on)).filter(({ type }) => type === 'label');
  const above = await rowsOf(
    tx,
    scope,
    labels.flatMap((row) => placeOf(row)?.parent ?? []),
  );
  const groups = new Map(above.filter(({ type }) => type === 'labelGroup').map((row) => [row.id, row]));
  const groupOf = (row: Row) => groups.get(placeOf(row)?.parent ?? row.id);
  const shared = labels.filter((row) => !isLabelPrivate({ row, group: groupOf(row) }));
  return [...shared, ...new Set(shared.flatMap((row) => groupOf(row) ?? []))];
}

/** The rows that are sealed, of these and of the labels that go along with them. */
export async function sealedAmong(
  tx: Reads,
  { id, sealing = neverSealed }: Pick<ScopeRecord, 'id' | 'sealing'>,
  rows: readonly Row[],
): Promise<readonly Row[]> {
  const form: ScopeSealing = openForm(sealing);
  const all = [...rows, ...(await labelsAlong(tx, id, rows))];
  return all.filter((row) => leftOf(form, row) > 0);
}

/** The rows of a list that are sealed, in the order of ids. `total`: all rows of the list. */
export async function sealedOfList(
  tx: Reads,
  scope: Pick<ScopeRecord, 'id' | 'sealing'>,
  list: Id,
): Promise<{ readonly sealed: readonly Row[]; readonly total: number }> {
  const rows = await tx.tree(scope.id, list, sealingLimits.openedRows);
  const sealed = await sealedAmong(tx, scope, rows);
  return { sealed: sealed.toSorted((one, other) => (one.id < other.id ? -1 : 1)), total: rows.length };
}

/** Whether a list of a sealed scope is opened there for leaving it. */
export const isOpened = (scope: Pick<ScopeRecord, 'sealing'>, list: Id): boolean =>
  listsOn(scope.sealing ?? neverSealed, 'open').includes(list);

/** Whether a list may come into a sealed scope with rows that are open. */
export const isAwaited = (scope: Pick<ScopeRecord, 'sealing'>, list: Id): boolean =>
  listsOn(scope.sealing ?? neverSealed, 'await').includes(list);

const generationOf = ({ before: { sealing = neverSealed } }: Side): number => sealing.generation;

/**
 * Whether rows go sealed as they are: from somebody's own scope into a list that stays encrypted, or back. Devices with the keys of both then seal
 * them anew.
 */
export function staySealed({ from, to }: { readonly from: Side; readonly to: Side }): boolean {
  const [left, entered] = [generationOf(from), generationOf(to)];
  return isApart(from) && isApart(to) && isListGeneration(left) !== isListGeneration(entered);
}

/** Rows that leave a sealed scope at once: in portions some could be written sealed again on the way. Null: it isn't sealed. */
export const mostLeaving = (sides: { readonly from: Side; readonly to: Side }): number | null =>
  isApart(sides.from) && !staySealed(sides) ? sealingLimits.openedRows : null;

/** Whether rows that are read as they are now can leave a scope. */
export async function canLeave(
  tx: Reads,
  {
    from,
    to,
  }: { readonly from: { readonly before: Pick<ScopeRecord, 'id' | 'sealing'> }; readonly to: Side },
  { tree, moving }: { readonly tree: { readonly isWhole: boolean }; readonly moving: readonly Row[] },
): Promise<boolean> {
  if (!isApart(from) || staySealed({ from, to })) return true;
  return tree.isWhole && (await sealedAmong(tx, from.before, moving)).length === 0;
}

/**
 * Whether rows may go from one scope to another as far as these are sealed: by the server alone, out of one where the list is opened, and into
 * one that awaits it.
 */
export function mayCross(
  {
    from,
    to,
    isServers,
  }: { readonly from: Side; readonly to: Side; readonly isServers: boolean | undefined },
  list: Id,
): boolean {
  if (staySealed({ from, to })) {
    const isBack = !isListGeneration(generationOf(to));
    return isServers === true && (!isBack || isAwaited(to.before, list));
  }
  const mayLeave = !isApart(from) || (isServers === true && isOpened(from.before, list));
  return mayLeave && (!isApart(to) || (isServers === true && isAwaited(to.before, list)));
}
