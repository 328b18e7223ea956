// Bringing back what was: one task with what hung below it, or a list as a whole. It comes to ordinary actions, made in
// their order as one step of undo; what came since goes where it was, or to the trash. Nothing is thrown away.
import type { Id } from '#core/ids.ts';
import type { Action, Position } from '#sync/operation.ts';
import type { Row } from '#sync/row.ts';
import { placeOf } from '#sync/row-reading.ts';
import { type Comparing, differencesOf, isHidden, isLiving, positionThen } from './differences.ts';

export interface Restoring {
  /** To be issued one after another, as one gesture. */
  readonly steps: readonly (readonly Action[])[];
  /** How many things cannot come back: they are gone for good. */
  readonly gone: number;
  /** What came since and is no part of it. */
  readonly later: readonly Id[];
}

/** Everything living that hung under these, parents first and siblings in order. */
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

/** What stands somewhere now and did not then, the uppermost of it. */
function cameLater(places: readonly Id[], known: ReadonlySet<Id>, { now }: Comparing): Id[] {
  return places.flatMap((place) =>
    now.children(place).flatMap((row) => (isLiving(row) && !known.has(row.id) ? [row.id] : [])),
  );
}

/** Puts back what was elsewhere then, and what was not there at all into the trash. */
export function sendAway(id: Id, comparing: Comparing): Action[] {
  const { past, now } = comparing;
  const was = past.row(id);
  const parent = isLiving(was) ? now.row(placeOf(was)?.parent as Id) : undefined;
  const isThere = isLiving(was) && isLiving(parent) && !isHidden(parent, now);
  if (isThere) return [{ a: 'place', id, place: positionThen(was, comparing) }];
  return [{ a: 'delete', id }];
}

/** What something lies in the trash with, outermost first, besides itself. */
function trashedAbove(id: Id, { now }: Comparing): Id[] {
  const found: Id[] = [];
  let left = 2_000;
  for (let at = placeOf(now.row(id))?.parent; at !== undefined && left > 0; left -= 1) {
    const row = now.row(at);
    if (row !== undefined && !isLiving(row)) found.unshift(at);
    at = placeOf(row)?.parent;
  }
  return found;
}

/**
 * The actions in steps that undo can take back: what comes out of something trashed can go back into it only while that
 * is there, so it is opened before and closed after.
 */
export function inSteps(actions: readonly Action[], comparing: Comparing): readonly (readonly Action[])[] {
  // Out of the trash first: taken back in reverse order, things then go under what is still living.
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
 * What brings back everything under `roots` as it was. `self`: one that comes back itself, before what hung below;
 * `isWhole`: what came since goes away.
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
