// What a refused change becomes when it is made again, in the scope that it belongs to.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deriveId, inboxId, listsRoot, type Id } from '#core/ids.ts';
import type { RecoveredItem } from '#sync/replica/ports.ts';
import type { Action, Operation } from '#sync/rows/operation.ts';
import { asRow, type Fields, type Row } from '#sync/rows/row.ts';
import { reapplyAction, reapplyTogether } from './recovered-replay.ts';

const id = (name: string): Id => deriveId('test', name);
const [own, shared] = [id('own'), id('shared')];

function rowOf(name: string, scope: Id, fields: Fields): Row {
  const type = 'listType' in fields ? 'list' : 'task';
  const row = { id: id(name), type, scope, version: 1, fields, stamp: [1, 1, 1, 1] } as const;
  return asRow({ ...row, createdAt: 1, updatedAt: 1 });
}

const inbox = { ...rowOf('inbox', own, { listType: 'inbox' }), id: inboxId(own) };
const list = rowOf('list', shared, { listType: 'list', place: { parent: listsRoot(shared), key: 'a0' } });
const rows = [inbox, list, rowOf('mine', own, {}), rowOf('theirs', shared, {})];
const held = {
  scope: own,
  row: (wanted: Id) => rows.find((row) => row.id === wanted),
  children: (parent: Id) => (parent === listsRoot(shared) ? [list] : []),
};

/** The parent under which a refused move of the row is offered again. */
function parentOf(row: Id): Id | undefined {
  const place = { parent: id('gone') };
  const operation: Operation = { a: 'place', id: row, place, q: 1, u: id('u'), scope: own, t: 1, b: 0 };
  const action = reapplyAction(held, { operation, verdict: 'badparent', at: 1 }, id('new'));
  return action?.a === 'place' ? action.place.parent : undefined;
}

describe('a refused move that is made again', () => {
  test('[SYNC-86] stays in the scope of its row: in the Inbox, or in the list of a scope without one', () => {
    assert.equal(parentOf(id('mine')), inboxId(own));
    assert.equal(parentOf(id('theirs')), list.id);
    assert.equal(parentOf(list.id), listsRoot(shared));
  });
});

describe('refused changes that are made again together', () => {
  const refused = (action: Action, q: number): RecoveredItem => ({
    operation: { ...action, q, u: id(`u${q}`), scope: shared, t: 1, b: 0 },
    verdict: 'forbidden',
    at: 1,
  });
  const made = (name: string, type: 'task' | 'attachment' | 'comment', parent: Id): Action => {
    const fields = type === 'task' ? { title: name } : { name };
    return { a: 'create', id: id(name), type, fields, place: { parent } };
  };
  const noList = { ...held, row: (wanted: Id) => (wanted === inbox.id ? inbox : undefined) };

  test('[SHARE-236] are the same tree: what was in a task, attached to it and changed about it goes with it', () => {
    const items = [
      made('tent', 'task', list.id),
      made('pegs', 'task', id('tent')),
      made('photo', 'attachment', id('pegs')),
      made('lost', 'comment', id('elsewhere')),
      { a: 'set', id: id('tent'), field: 'title', value: 'Big tent' } as const,
      { a: 'place', id: id('pegs'), place: { parent: list.id } } as const,
    ].map(refused);
    let count = 0;
    const again = reapplyTogether(noList, items, () => id(`new ${(count += 1)}`));
    const [tent, pegs, photo, lost, set, place] = again;
    assert.ok(tent?.a === 'create' && pegs?.a === 'create' && photo?.a === 'create');
    assert.equal(tent.place?.parent, inbox.id);
    assert.equal(pegs.place?.parent, tent.id);
    assert.equal(photo.place?.parent, pegs.id);
    assert.deepEqual([lost, place], [null, null], 'they stay in Recovered');
    assert.deepEqual(set, { a: 'set', id: tent.id, field: 'title', value: 'Big tent' });
  });

  test('[SHARE-204] are one task where several texts of one that is gone are among them', () => {
    const items = [
      { a: 'set', id: id('camp'), field: 'title', value: 'Camp' } as const,
      { a: 'set', id: id('camp'), field: 'notes', value: 'By the lake' } as const,
      { a: 'set', id: id('fire'), field: 'title', value: 'Fire' } as const,
    ].map(refused);
    let count = 0;
    const [camp, notes, fire] = reapplyTogether(noList, items, () => id(`new ${(count += 1)}`));
    assert.ok(camp?.a === 'create' && fire?.a === 'create');
    assert.deepEqual(notes, { a: 'set', id: camp.id, field: 'notes', value: 'By the lake' });
    assert.notEqual(camp.id, fire.id);
  });
});
