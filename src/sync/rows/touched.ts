// The entities that an operation may write, and those that its own placement depends on.
import { completionId, completionIds, type Id } from '#core/ids.ts';
import type { Action } from './operation.ts';

/**
 * Every row that the action may write directly. For an operation, which names its scope, the spare ids of records too.
 */
export function touchedIds(action: Action & { readonly scope?: Id }): readonly Id[] {
  if (action.a === 'reopen' && action.previous !== null) {
    const { id, occ, scope } = action;
    return [id, ...(scope === undefined ? [completionId(id, occ)] : completionIds(scope, id, occ))];
  }
  if (action.a !== 'complete' || action.next === null) return [action.id];
  return [action.id, completionId(action.id, action.occ), ...(action.anew ?? [])];
}

/** The siblings that the action places its subject beside. */
export function anchorIds(action: Action): readonly Id[] {
  const position = 'place' in action ? action.place : undefined;
  if (position === undefined) return [];
  return [position.after, position.before].filter((id) => id !== undefined);
}

/** Whether only the last of several writes counts: nothing else reads the values in between. */
export function isPlainRegister(field: string): boolean {
  return !field.includes(':') && field !== 'status' && field !== 'exclusive';
}
