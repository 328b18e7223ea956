// Which entities an operation may write, and on whose place its own placement depends.
import { completionId, type Id } from '#core/ids.ts';
import type { Action } from './operation.ts';

/** Every row the action may write directly. */
export function touchedIds(action: Action): readonly Id[] {
  const spawns =
    (action.a === 'complete' && action.next !== null) || (action.a === 'reopen' && action.previous !== null);
  const anew = action.a === 'complete' ? (action.anew ?? []) : [];
  return spawns ? [action.id, completionId(action.id, action.occ), ...anew] : [action.id];
}

/** Siblings the action places its subject beside. */
export function anchorIds(action: Action): readonly Id[] {
  const position = 'place' in action ? action.place : undefined;
  if (position === undefined) return [];
  return [position.after, position.before].filter((id) => id !== undefined);
}

/** Whether only the last of several writes counts: nothing else looks at what the register held in between. */
export function isPlainRegister(field: string): boolean {
  return !field.includes(':') && field !== 'status' && field !== 'exclusive';
}
