// Takes what a profile without an account holds into an account: the same ids, created again in the account's own
// scope. Doing it twice changes nothing the second time. Derived ids (Inbox, marks, settings) follow the new scope.
import { inboxId, labelsRoot, listsRoot, mineId, settingId, type Id } from '#core/ids.ts';
import type { EntityType } from '#core/model.ts';
import type { Action, Position } from './operation.ts';
import { placeOf } from './row-reading.ts';
import type { Row } from './row.ts';

interface Held {
  all(): Iterable<Row>;
  children(parent: Id): readonly Row[];
}

const UNPLACED: readonly EntityType[] = ['completion', 'mine', 'setting'];

/**
 * Actions that create everything held in scope `from` again in scope `to`: parents before children, siblings in
 * order, trash last (so that nothing is moved out of what is about to be trashed).
 */
export function adoptActions(held: Held, from: Id, to: Id): Action[] {
  const renamed = new Map<Id, Id>([
    [inboxId(from), inboxId(to)],
    [listsRoot(from), listsRoot(to)],
    [labelsRoot(from), labelsRoot(to)],
  ]);
  const idIn = (id: Id): Id => renamed.get(id) ?? id;
  const creates: Action[] = [];
  const deletes: Action[] = [];
  const open: Id[] = [listsRoot(from), labelsRoot(from)];
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    for (const row of held.children(parent)) {
      creates.push(createOf(row, idIn(row.id), { parent: idIn(parent) }));
      if (row.fields.del !== undefined) deletes.push({ a: 'delete', id: idIn(row.id) });
      open.push(row.id);
    }
  }
  for (const row of held.all()) {
    if (!UNPLACED.includes(row.type) || row.fields.del !== undefined) continue;
    creates.push(createOf(withTarget(row, idIn), newUnplacedId(row, to, idIn), undefined));
  }
  return [...creates, ...deletes];
}

/** Marks on the local Inbox become marks on the account's. */
function withTarget(row: Row, idIn: (id: Id) => Id): Row {
  return row.type === 'mine' ? { ...row, fields: { ...row.fields, of: idIn(row.fields.of as Id) } } : row;
}

function newUnplacedId(row: Row, to: Id, idIn: (id: Id) => Id): Id {
  if (row.type === 'mine') return mineId(to, idIn(row.fields.of as Id));
  return row.type === 'setting' ? settingId(to, row.fields.key as string) : row.id;
}

function createOf(row: Row, id: Id, place: Position | undefined): Action {
  const fields = { ...row.fields };
  delete fields.place;
  delete fields.del;
  delete fields.notesDoc;
  const { type, createdAt } = row;
  return {
    a: 'create',
    id,
    type,
    fields,
    createdAt,
    ...(placeOf(row) === undefined || place === undefined ? {} : { place }),
  };
}
