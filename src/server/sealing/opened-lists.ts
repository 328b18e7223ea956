// A list or a task on its way out of a sealed scope: which of its rows, and of the labels on its tasks, are still sealed. It leaves once none
// is, as nobody else could read it.
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

/** What is read of a database for it. */
export type CrossingReads = Pick<WriteTransaction, 'load' | 'tree'>;
type Reads = CrossingReads;

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

/** The rows of a list or a task that are sealed, in the order of ids. */
export async function sealedBelow(
  tx: Reads,
  scope: Pick<ScopeRecord, 'id' | 'sealing'>,
  root: Id,
): Promise<readonly Row[]> {
  const rows = await tx.tree(scope.id, root, sealingLimits.openedRows);
  const sealed = await sealedAmong(tx, scope, rows);
  return sealed.toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

/** Whether a list or a task of a sealed scope is opened there for leaving it. */
export const isOpened = (scope: Pick<ScopeRecord, 'sealing'>, id: Id): boolean =>
  listsOn(scope.sealing ?? neverSealed, 'open').includes(id);

/** Whether a list or a task may come into a sealed scope with rows that are open. */
export const isAwaited = (scope: Pick<ScopeRecord, 'sealing'>, id: Id): boolean =>
  listsOn(scope.sealing ?? neverSealed, 'await').includes(id);

const generationOf = ({ before: { sealing = neverSealed } }: Side): number => sealing.generation;

/**
 * Whether rows go sealed as they are: from somebody's own scope into a list that stays encrypted, or back. Devices with the keys of both then seal
 * them anew.
 */
export function staySealed({ from, to }: { readonly from: Side; readonly to: Side }): boolean {
  const [left, entered] = [generationOf(from), generationOf(to)];
  return isApart(from) && isApart(to) && isListGeneration(left) !== isListGeneration(entered);
}

/** Who moves it. */
interface Mover {
  readonly actor: { readonly isServer?: boolean | undefined };
  /** What moves in the form of the scope that it enters, if its device has sent that. */
  readonly along?: unknown;
}

/** What leaves one scope and enters another. */
interface Crossing<S extends Side = Side> {
  readonly from: S;
  readonly to: S;
}

/**
 * Rows that leave a sealed scope or enter one at once: in portions some could be written sealed again on the way, or arrive when nobody
 * awaits them any more. Null: neither is sealed.
 */
export const mostCrossing = (sides: Crossing & { readonly by: Mover }): number | null =>
  (isApart(sides.from) || isApart(sides.to)) && (sides.by.along !== undefined || !staySealed(sides))
    ? sealingLimits.openedRows
    : null;

/** The scopes that rows leave and enter, as they are stored. */
export type CrossingScopes = Crossing<{ readonly before: Pick<ScopeRecord, 'id' | 'sealing'> }>;

/**
 * Whether rows that are read as they are now can go from one scope to another, as far as these are sealed. `reseal`: their device has to open
 * them first. `limit`: there are too many.
 */
export async function crossingProblem(
  tx: Reads,
  { from, to }: CrossingScopes,
  { tree, moving }: { readonly tree: { readonly isWhole: boolean }; readonly moving: readonly Row[] },
): Promise<'limit' | 'reseal' | null> {
  if ((!isApart(from) && !isApart(to)) || staySealed({ from, to })) return null;
  if (!tree.isWhole) return 'limit';
  return isApart(from) && (await sealedAmong(tx, from.before, moving)).length > 0 ? 'reseal' : null;
}

/**
 * Why a list or a task may not go from one scope to another as far as these are sealed; null: it may, opened in the one, or awaited in the other.
 * `reseal`: its device has to say so first. `forbidden`: into a list that stays encrypted and out of it the server moves the list itself, and devices
 * what they send along in the form of the other side.
 */
export function crossingRefusal(
  { from, to, by }: Crossing & { readonly by: Mover },
  id: Id,
): 'forbidden' | 'reseal' | null {
  if ([from, to].some((side) => isApart(side) && isListGeneration(generationOf(side)))) {
    if (by.along !== undefined) return null;
    const isBack = !isListGeneration(generationOf(to));
    const isReady = staySealed({ from, to }) && (!isBack || isAwaited(to.before, id));
    return by.actor.isServer === true && isReady ? null : 'forbidden';
  }
  const isReady = (!isApart(from) || isOpened(from.before, id)) && (!isApart(to) || isAwaited(to.before, id));
  return isReady ? null : 'reseal';
}
