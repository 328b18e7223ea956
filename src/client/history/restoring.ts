// Restoring the past: one task with its descendants, or a whole list. It results in ordinary actions, issued in order
// as one undo; later additions move back to where they were, or to the trash. Nothing is lost.
import type { Id } from '#core/ids.ts';
import type { Action, Position } from '#sync/rows/operation.ts';
import type { Row } from '#sync/rows/row.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import { type Comparing, differencesOf, isHidden, isLiving, positionThen } from './differences.ts';
import { rowsAbove } from '#sync/rows/ancestors.ts';

export interface Restoring {
  /** To be issued one after another, as one gesture. */
  readonly steps: readonly (readonly Action[])[];
  /** Number of entities that cannot be restored: they are gone for good. */
  readonly gone: number;
  /** Additions since then that are no part of it. */
  readonly later: readonly Id[];
}

/** All living descendants at that time, parents first and siblings in order. */
function treeThen(roots: readonly Id[], { past }: Comparing): Row[] {
  const found: Row[] = [];
  const waiting = roots
    .map((root) => past.children(root))
    .toReversed()
    .map((rows) => [...rows].toReversed());
  for (let rows = waiting.at(-1); rows !== undefined; rows = waiting.at(-1)) {
    const row = rows.pop();
    if (row === undefined) waiting.pop();
    else if (isLiving(row)) {
      found.push(row);
      waiting.push([...past.children(row.id)].toReversed());
    }
  }
  return found;
}

/** The topmost rows that are there now and were not then. */
function cameLater(places: readonly Id[], known: ReadonlySet<Id>, { now }: Comparing): Id[] {
  return places.flatMap((place) =>
    now.children(place).flatMap((row) => (isLiving(row) && !known.has(row.id) ? [row.id] : [])),
  );
}

/** Moves a row back if it was elsewhere, or to the trash if it did not exist. */
export function sendAway(id: Id, comparing: Comparing): Action[] {
  const { past, now } = comparing;
  const was = past.row(id);
  const parent = isLiving(was) ? now.row(placeOf(was)?.parent as Id) : undefined;
  const isThere = isLiving(was) && isLiving(parent) && !isHidden(parent, now);
  if (isThere) return [{ a: 'place', id, place: positionThen(was, comparing) }];
  return [{ a: 'delete', id }];
}

/** Trashed ancestors that a row is hidden by, outermost first. */
function trashedAbove(id: Id, { now }: Comparing): Id[] {
  const found: Id[] = [];
  for (const above of rowsAbove(now.row(id), (at) => now.row(at))) {
    const { id: lying } = above;
    if (!isLiving(above)) found.unshift(lying);
  }
  return found;
}

/**
 * Splits the actions into steps that undo can take back: a row taken out of a trashed parent can return into it only
 * while the parent is restored, so the parent is restored before and trashed after.
 */
export function inSteps(actions: readonly Action[], comparing: Comparing): readonly (readonly Action[])[] {
  // Out of the trash first: undone in reverse order, rows then return under living parents.
  const restores = actions.filter(({ a }) => a === 'restore');
  const others = actions.filter(({ a }) => a !== 'restore');
  const restored = new Set(restores.map(({ id }) => id));
  const opened = new Set(
    others.flatMap((action) => (action.a === 'place' ? trashedAbove(action.id, comparing) : [])),
  );
  const around = [...opened].filter((id) => !restored.has(id));
  const steps: Action[][] = [
    around.map((id): Action => ({ a: 'restore', id })),
    [...restores, ...others],
    around.toReversed().map((id): Action => ({ a: 'delete', id })),
  ];
  return steps.filter((step) => step.length > 0);
}

/**
 * The actions that restore everything under `roots`. `self`: a row that is itself restored, before its descendants;
 * `isWhole`: later additions go away.
 */
export function restoring(
  comparing: Comparing,
  of: { readonly self: Id | null; readonly roots: readonly Id[]; readonly isWhole: boolean },
): Restoring {
  const { now } = comparing;
  const actions: Action[] = [];
  let gone = 0;
  const bring = (id: Id, position?: Position): boolean => {
    const isGone = now.row(id) === undefined;
    if (isGone) gone += 1;
    else
      for (const { back } of differencesOf(id, comparing, position === undefined ? {} : { position }))
        actions.push(...back);
    return !isGone;
  };
  if (of.self !== null) bring(of.self);
  const tree = treeThen(of.roots, comparing);
  const last = new Map<Id, Id>();
  for (const row of tree) {
    const parent = placeOf(row)?.parent as Id;
    const after = last.get(parent);
    const isBack = bring(row.id, after === undefined ? { parent, at: 'start' } : { parent, after });
    if (isBack) last.set(parent, row.id);
  }
  const known = new Set([...tree.map(({ id }) => id), ...of.roots]);
  const later = cameLater([...known], known, comparing);
  if (of.isWhole) for (const id of later) actions.push(...sendAway(id, comparing));
  return { steps: inSteps(actions, comparing), gone, later };
}
