// Keys of rows that arrive in another scope.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Id } from '#core/ids.ts';
import { asRow, type Row } from '#sync/rows/row.ts';
import { freePlaces } from './free-places.ts';

const [scope, parent] = ['s' as Id, 'p' as Id];

function child(id: string, key: string): Row {
  const head = { scope, version: 1, createdAt: 0, updatedAt: 0, stamp: [1, 0, 0, 0] as const };
  return asRow({ ...head, id: id as Id, type: 'task', fields: { place: { parent, key } } });
}

const stored = {
  taken: () => Promise.resolve([]),
  load: () => Promise.resolve({ rows: new Map(), ancestors: new Map(), siblings: [[]] }),
};

test('[SYNC-144] a key that the same transaction has given away is taken, although it is not stored yet', async () => {
  const free = await freePlaces(
    stored as never,
    scope,
    [child('b', 'a1')],
    [child('a', 'a1'), child('c', 'a2')],
  );
  const key = free.get('b' as Id)?.key ?? '';
  assert.ok(key > 'a1' && key < 'a2', key);
});

test('a row that was written itself is not in its own way', async () => {
  const arriving = child('b', 'a1');
  assert.equal((await freePlaces(stored as never, scope, [arriving], [arriving])).size, 0);
});
