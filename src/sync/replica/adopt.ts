// Moves the content of a profile without an account into an account: the same ids, created again in the account's own
// scope. A second run changes nothing. Derived ids (Inbox, marks, settings) follow the new scope.
import {
  completionId,
  deriveId,
  inboxId,
  isId,
  labelsRoot,
  listsRoot,
  mineId,
  settingId,
  type Id,
} from '#core/ids.ts';
import { isRecord } from '#core/json.ts';
import type { EntityType } from '#core/model.ts';
import type { Action, Position } from '../rows/operation.ts';
import { placeOf } from '../rows/row-reading.ts';
import { type Fields, withFields, registersOf, fieldOf, type Row } from '../rows/row.ts';

interface Held {
  all(): Iterable<Row>;
  children(parent: Id): readonly Row[];
}

const UNPLACED: readonly EntityType[] = ['completion', 'mine', 'setting'];

/**
 * Actions that create all rows of scope `from` again in scope `to`: parents before children, siblings in order, trash
 * last (so that nothing is moved out of a row that is about to be trashed). `isAnew`: everything gets its own new id
 * for that scope, always the same, also in references; the old ids belong to somebody else.
 */
export function adoptActions(held: Held, from: Id, to: Id, isAnew = false): Action[] {
  const renamed = new Map<Id, Id>([
    [inboxId(from), inboxId(to)],
    [listsRoot(from), listsRoot(to)],
    [labelsRoot(from), labelsRoot(to)],
  ]);
  if (isAnew)
    for (const { id } of held.all()) if (!renamed.has(id)) renamed.set(id, deriveId('anew', to, id));
  const idIn = (id: Id): Id => renamed.get(id) ?? id;
  const named = (row: Row): Row => (isAnew ? withNewNames(row, idIn) : withTarget(row, idIn));
  const creates: Action[] = [];
  const deletes: Action[] = [];
  const open: Id[] = [listsRoot(from), labelsRoot(from)];
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    for (const row of held.children(parent)) {
      creates.push(createOf(isAnew ? named(row) : row, idIn(row.id), { parent: idIn(parent) }));
      if (fieldOf(row, 'del') !== undefined) deletes.push({ a: 'delete', id: idIn(row.id) });
      open.push(row.id);
    }
  }
  for (const row of held.all()) {
    if (!UNPLACED.includes(row.type) || fieldOf(row, 'del') !== undefined) continue;
    creates.push(createOf(named(row), newUnplacedId(row, to, idIn), undefined));
  }
  return [...creates, ...deletes];
}

/** Marks on the local Inbox become marks on the account's. */
function withTarget(row: Row, idIn: (id: Id) => Id): Row {
  return row.type === 'mine' ? { ...row, fields: { ...row.fields, of: idIn(row.fields.of) } } : row;
}

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Renames references to other rows of the same copy, in links within texts too. */
function withNewNames(row: Row, idIn: (id: Id) => Id): Row {
  const inText = (text: string) => text.replaceAll(ID, (found) => (isId(found) ? idIn(found) : found));
  const inValue = (value: unknown): unknown => {
    if (typeof value === 'string') return inText(value);
    if (Array.isArray(value)) return value.map(inValue);
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, held]) => [inText(key), inValue(held)]));
  };
  const { place, ...rest } = registersOf(row);
  return withFields(row, { ...(inValue(rest) as Fields), ...(place === undefined ? {} : { place }) });
}

function newUnplacedId(row: Row, to: Id, idIn: (id: Id) => Id): Id {
  if (row.type === 'mine') return mineId(to, idIn(row.fields.of));
  if (row.type === 'completion') {
    const task = row.fields.task;
    return idIn(task) === task ? row.id : completionId(idIn(task), row.fields.occ);
  }
  return row.type === 'setting' ? settingId(to, row.fields.key) : row.id;
}

/** An attachment whose content was sealed by the account that this copy was of names the open one: this device has kept it so. */
function withOpenContent(row: Row): Row {
  const { content, ...others } = row.type === 'attachment' ? row.fields : { content: null };
  if (content === undefined || content === null) return row;
  return withFields(row, { ...others, hash: content.hash, sizeBytes: content.bytes });
}

function createOf(row: Row, id: Id, place: Position | undefined): Action {
  const registers = registersOf(withOpenContent(row));
  const { place: _place, del: _del, notesDoc: _doc, author: _author, ...fields } = registers;
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
