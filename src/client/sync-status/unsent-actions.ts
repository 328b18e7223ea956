// Turns operations into new changes of this copy: those of a file, of a tab that could not write, and refused ones.
// Loaded when there are any.
import { isRecord } from '#core/json.ts';
import { inboxId, type Id, labelsRoot, listsRoot } from '#core/ids.ts';
import type { Action, Operation } from '#sync/rows/operation.ts';
import { withoutOrder } from '#sync/tabs/sequences.ts';
import type { UnsentChanges } from './unsent-file.ts';

/**
 * The action of an operation, to be issued again. Drops an undo's condition, which refers to an old sequence number.
 */
export function actionOf(operation: Operation): Action {
  // The edit has nothing to merge with any more: writes the whole text.
  if (operation.a === 'note')
    return {
      a: 'set',
      id: operation.id,
      field: 'notes',
      value: operation.text === '' ? null : operation.text,
    };
  const { q: _q, u: _u, scope: _scope, t: _t, b: _b, x: _x, g: _g, ...action } = withoutOrder(operation);
  if (!('only' in action)) return action;
  const { only: _only, ...plain } = action;
  return plain as Action;
}

/** Ids derived from the scope (Inbox, roots) differ in another account. */
function renaming(from: Id, to: Id): <T>(value: T) => T {
  const renamed = new Map<unknown, Id>([
    [inboxId(from), inboxId(to)],
    [listsRoot(from), listsRoot(to)],
    [labelsRoot(from), labelsRoot(to)],
  ]);
  const rename = (value: unknown): unknown => {
    if (typeof value === 'string') return renamed.get(value) ?? value;
    if (Array.isArray(value)) return value.map(rename);
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, rename(inner)]));
  };
  return <T>(value: T) => rename(value) as T;
}

/** Actions that repeat the changes here, in order. Idempotent: creations keep their ids. */
export function unsentActions({ scope, operations }: UnsentChanges, to: Id): readonly Action[] {
  const rename = scope === to ? <T>(value: T) => value : renaming(scope, to);
  return operations.map((operation) => {
    const action = rename(actionOf(operation));
    // It keeps its original creation time.
    return action.a === 'create' ? { createdAt: operation.t, ...action } : action;
  });
}
