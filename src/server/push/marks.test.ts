// Which changes of rows affect reminders.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Id } from '#core/ids.ts';
import { asRow, type Row } from '#sync/rows/row.ts';
import { marksOf } from './marks.ts';

const scope = 'personal' as Id;

function mount(joinedAt: number, hiddenAt: number | null = null): Row {
  const head = { scope, version: 1, createdAt: 0, updatedAt: 0, stamp: [1, 0, 0, 0] as const };
  const place = { parent: scope, key: 'a0' };
  return asRow({
    ...head,
    id: 'm' as Id,
    type: 'mount',
    fields: { of: 'l' as Id, place, joinedAt, hiddenAt },
  });
}

test('[SHARE-14] joining a list, again too, means all reminders of the person; hiding it means none', () => {
  const all = { held: [], tasks: [], scopes: [scope], told: [] };
  assert.deepEqual(marksOf([{ stored: undefined, row: mount(1) }]), all);
  assert.deepEqual(marksOf([{ stored: mount(1), row: mount(2) }]), all);
  assert.equal(marksOf([{ stored: mount(1), row: mount(1, 5) }]), undefined);
});
